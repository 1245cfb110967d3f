/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery: the batteries that feed this system (Documentation/power/power_supply_class.rst,
 * Documentation/ABI/testing/sysfs-class-power), and legacy /proc/acpi/battery.
 *
 * Only supplies of type Battery whose scope is not Device (mice, pens, game pads) and that are
 * present count.  One read of uevent gives all its readable properties: uV, uA, uW, uWh, uAh.
 * The sign of current and power means nothing (three driver habits): the direction is status.
 * The rate is |power_now|, else |current_now| x voltage_now, never both.  Charge is energy by
 * the voltage at the time: an integral of V dQ, not a product of levels.
 * Drivers cache for a second or more and a reading can cost an EC transaction: read at most
 * once a second (sm_battery_read() enforces it).
 */
#ifndef SM_BATTERY_H
#define SM_BATTERY_H

#include "base.h"
#include "file.h"
#include "root.h"

enum sm_battery_status { SM_BATTERY_UNKNOWN, SM_BATTERY_CHARGING, SM_BATTERY_DISCHARGING,
	SM_BATTERY_NOT_CHARGING, SM_BATTERY_FULL };

#define SM_BATTERY_NAME_MAX 64

struct sm_battery {
	char name[SM_BATTERY_NAME_MAX];  /* BAT0; a directory's name, hostile bytes */
	bool system;                     /* counts: type Battery, scope not Device */
	bool legacy;                     /* of /proc/acpi */
	bool present;
	int error;                       /* -errno of the last reading; 0: fine */
	enum sm_battery_status status;
	bool has_rate, has_energy, has_charge, has_voltage;
	uint64_t rate_uw;                /* with has_rate: magnitude */
	uint64_t energy_uwh, charge_uah, voltage_uv;
	/* Capacity as energy: energy_now, or the integral of V dQ since opening (can be < 0). */
	bool has_level;
	double level_uj;
	uint64_t level_ns;               /* when the level changed last: the gauge's edge */
	uint64_t edges;                  /* how often it has changed */
	uint64_t last_charge_uah, last_voltage_uv;
	struct sm_file file;             /* uevent, or state of the legacy one */
};

struct sm_supply { /* mains, USB ... */
	char name[SM_BATTERY_NAME_MAX];
	bool online;
	struct sm_file file;
};

struct sm_batteries {
	const struct sm_root *root;
	struct sm_battery *battery;
	unsigned int n;
	struct sm_supply *supply;
	unsigned int nsupplies;
	uint64_t read_ns;                /* of the last reading that was really made */
};

/* -ENOENT: no battery of any kind. */
int sm_battery_open(struct sm_batteries *b, const struct sm_root *root) SM_MUST;
/* Reads all, or nothing if the last reading is younger than a second (returns 0 then, 1 after a
 * real reading).  A battery that has vanished stays in the list with an error. */
int sm_battery_read(struct sm_batteries *b, uint64_t now_ns) SM_MUST;
/* How many system batteries discharge now. */
unsigned int sm_battery_discharging(const struct sm_batteries *b);
bool sm_battery_on_mains(const struct sm_batteries *b);
void sm_battery_close(struct sm_batteries *b);
/* Exposed for tests and fuzzing: one uevent text. */
int sm_battery_parse_uevent(struct sm_battery *b, const char *p, size_t n) SM_MUST;

/*
 * The estimate from the level alone: least squares over the gauge's edges in a window of time.
 * It is an estimate until the window is long enough and has edges enough; a jump up starts anew.
 */
#define SM_GAUGE_EDGES 512
struct sm_gauge {
	uint64_t window_ns;              /* at least 120 s; 0: since the start (-S) */
	struct { uint64_t t_ns; double uj; } edge[SM_GAUGE_EDGES]; /* ring, thinned when full */
	unsigned int first, n;
	uint64_t start_ns;
	double start_uj, last_uj;
	uint64_t edges, jumps_up;
};

void sm_gauge_init(struct sm_gauge *g, uint64_t window_ns);
/* A reading of the level at its own time. */
void sm_gauge_add(struct sm_gauge *g, uint64_t t_ns, double level_uj);
/* Power in uW.  -ENODATA: no figure yet; 0: an estimate (window < 60 s or < 3 edges); 1: good. */
int sm_gauge_power(const struct sm_gauge *g, uint64_t now_ns, double *uw) SM_MUST;
uint64_t sm_gauge_span_ns(const struct sm_gauge *g); /* what the figure covers */

#endif
