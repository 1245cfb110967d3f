/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery: the batteries that feed this system (Documentation/power/power_supply_class.rst,
 * Documentation/ABI/testing/sysfs-class-power), or legacy /proc/acpi/battery if the class lists no
 * batteries.
 *
 * A battery is used if its type is Battery, its scope is not Device (mice, pens, game pads) and it
 * is present.  One read of uevent returns all properties (battery_text.h); the level is computed
 * from them (battery_level.h).  Drivers cache values for a second or more, and a reading can require
 * an EC transaction, so sm_battery_read() reads at most once a second (every_ns).
 *
 * A status other than Charging is corrected to Discharging if the driver reports a negative rate and no
 * supply is connected: some drivers report Not charging on battery.
 *
 * A battery keeps its index and address while b is open.  Each reading tries removed batteries
 * again.  New batteries, up to 16, are searched for every 10 s and when a battery fails.
 */
#ifndef SM_BATTERY_H
#define SM_BATTERY_H

#include "base/buf.h"
#include "base/root.h"
#include "power/battery_text.h"

struct sm_supply { /* AC power, USB ... */
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
	uint64_t read_ns;                /* time of the last reading of the files */
	uint64_t due_ns, scan_ns;        /* next reading; last scan for new batteries */
	uint64_t every_ns;               /* default one second; may be set after the opening */
	bool has_read, opened;
	unsigned int cap;
	unsigned int left_out;           /* new batteries that found no free slot at the last scan */
};

/* Finds and reads the batteries.  Returns 0 if there is any battery, including one of a peripheral;
 * otherwise the error of the first supply that could not be read, or -ENOENT. */
int sm_battery_open(struct sm_batteries *b, const struct sm_root *root) SM_MUST;
/* Reads all batteries and returns 1; returns 0 if the last reading is younger than every_ns.  A battery
 * that was removed stays in the list with an error. */
int sm_battery_read(struct sm_batteries *b, uint64_t now_ns) SM_MUST;
/* Returns whether the battery feeds the system now. */
bool sm_battery_discharges(const struct sm_battery *t);
/* Returns whether the battery discharges and is counted.  A supply that only measures the voltage (not
 * is_gauge) is not counted while a fuel gauge discharges: the two have one pack. */
bool sm_battery_feeds(const struct sm_batteries *b, const struct sm_battery *t);
/* Returns whether its power is calculated with the design voltage. */
bool sm_battery_by_design(const struct sm_battery *t);
/* Returns whether its properties give a power: a rate, an energy, or a charge and a voltage. */
bool sm_battery_has_figure(const struct sm_battery *t);
/* Appends why they do not: "reports neither rate nor level". */
void sm_battery_why_not(const struct sm_battery *t, struct sm_buf *b);
/* Returns the number of system batteries that discharge now. */
unsigned int sm_battery_discharging(const struct sm_batteries *b);
bool sm_battery_on_mains(const struct sm_batteries *b);
void sm_battery_close(struct sm_batteries *b);

#endif
