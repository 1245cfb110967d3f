/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery: the batteries that feed this system (Documentation/power/power_supply_class.rst,
 * Documentation/ABI/testing/sysfs-class-power), and legacy /proc/acpi/battery where the class
 * has none.
 *
 * Only supplies of type Battery whose scope is not Device (mice, pens, game pads) and that are
 * present count.  One read of uevent gives all its readable properties: uV, uA, uW, uWh, uAh.
 * The sign of current and power means nothing (three driver habits): the direction is status.
 * The rate is |power_now|, else |current_now| x voltage_now, never both; at most 1 mW or over
 * 1 kW is no rate.  The level is energy_now; else charge by the voltage at the time: an integral
 * of V dQ, not a product of levels; never both.
 * Drivers cache for a second or more and a reading can cost an EC transaction: read at most
 * once a second (sm_battery_read() enforces it).
 *
 * A battery keeps its index and its place in memory for as long as b is open.  One that has
 * vanished is looked for at each reading; new ones every 10 s and when another fails: n grows.
 * There is room for 16 new ones.
 */
#ifndef SM_BATTERY_H
#define SM_BATTERY_H

#include "base.h"
#include "file.h"
#include "gauge.h"
#include "root.h"

enum sm_battery_status { SM_BATTERY_UNKNOWN, SM_BATTERY_CHARGING, SM_BATTERY_DISCHARGING,
	SM_BATTERY_NOT_CHARGING, SM_BATTERY_FULL };

enum sm_battery_type { SM_BATTERY_TYPE_UNKNOWN, SM_BATTERY_TYPE_BATTERY,
	SM_BATTERY_TYPE_MAINS /* Mains, USB*, Wireless: feeds the system when online */,
	SM_BATTERY_TYPE_OTHER /* UPS, BMS ... */ };

#define SM_BATTERY_NAME_MAX 256 /* any directory's name fits */

struct sm_battery {
	char name[SM_BATTERY_NAME_MAX];  /* BAT0; a directory's name, hostile bytes; "": free slot
	                                    of a peripheral that has gone */
	uint8_t type;                    /* enum sm_battery_type */
	bool peripheral;                 /* scope is Device */
	bool system;                     /* counts: type Battery, scope not Device */
	bool legacy;                     /* of /proc/acpi */
	bool present;                    /* false: vanished, or its slot is empty */
	bool online;                     /* of a supply */
	int error;                       /* -errno of the last reading; 0: fine */
	enum sm_battery_status status;
	bool has_rate, has_energy, has_charge, has_voltage;
	uint64_t rate_uw;                /* with has_rate: magnitude */
	uint64_t energy_uwh, charge_uah, voltage_uv;
	uint64_t design_uv;              /* legacy info: where the voltage is not known; 0: not */
	/* Capacity as energy: energy_now, or the integral of V dQ since opening (can be < 0). */
	bool has_level;
	double level_uj;
	uint64_t level_ns;               /* when the level changed last: the gauge's edge */
	uint64_t edges;                  /* how often it has changed */
	uint64_t epoch;                  /* how often it has begun to discharge, or come back so:
	                                    levels of another epoch tell nothing */
	bool level_known, level_is_energy; /* since it came; what it is taken from then */
	uint64_t last_charge_uah, last_voltage_uv; /* at the last edge */
	bool was_discharging;            /* an unknown status is bridged for 5 s */
	uint64_t discharged_ns;          /* when it was seen to, last */
	bool listed, replaceable;
	struct sm_file file;             /* uevent, or state of the legacy one */
};

struct sm_supply { /* mains, USB ... */
	char name[SM_BATTERY_NAME_MAX];  /* "": free slot */
	bool online;
	bool listed, replaceable;
	struct sm_file file;
};

struct sm_batteries {
	const struct sm_root *root;
	struct sm_battery *battery;
	unsigned int n;
	struct sm_supply *supply;
	unsigned int nsupplies;
	uint64_t read_ns;                /* of the last reading that was really made */
	uint64_t due_ns, scan_ns;        /* next reading; last look for new ones */
	bool has_read, opened;
	unsigned int cap;
	unsigned int left_out;           /* new ones without room, at the last look */
};

/* Values are there after it.  -ENOENT: no battery of any kind (with a peripheral's alone it is 0);
 * where there is none, the error of the first supply that could not be read. */
int sm_battery_open(struct sm_batteries *b, const struct sm_root *root) SM_MUST;
/* Reads all, or nothing if the last reading is younger than a second (returns 0 then, 1 after a
 * real reading).  A battery that has vanished stays in the list with an error. */
int sm_battery_read(struct sm_batteries *b, uint64_t now_ns) SM_MUST;
/* How many system batteries discharge now. */
unsigned int sm_battery_discharging(const struct sm_batteries *b);
bool sm_battery_on_mains(const struct sm_batteries *b);
void sm_battery_close(struct sm_batteries *b);

/* Exposed for tests and fuzzing: one uevent text; one text of /proc/acpi/battery/NAME/state or
 * info.  All values of the reading before are forgotten, but for type and scope, which old kernels
 * leave out.  -EBADMSG: nothing in it that is known. */
int sm_battery_parse_uevent(struct sm_battery *b, const char *p, size_t n) SM_MUST;
int sm_battery_parse_legacy(struct sm_battery *b, const char *p, size_t n) SM_MUST;
/* The level after a reading: edges, the integral of V dQ, epochs. */
void sm_battery_update_level(struct sm_battery *b, uint64_t now_ns);

#endif
