/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * battery_text: parser of the two texts that describe a battery: uevent of the power_supply class
 * (Documentation/power/power_supply_class.rst, Documentation/ABI/testing/sysfs-class-power), and state
 * or info of /proc/acpi/battery of old kernels.  One text contains all values of a reading;
 * other values are absent.  Units: uV, uA, uW, uWh, uAh.
 *
 * Drivers disagree on the sign of current and power, so the magnitude is used; the direction is read
 * from status.  The rate is the first of these that is above 10 mW and at most 1 kW: |power_now|,
 * |power_avg|, |current_now| x voltage, |current_avg| x voltage.  Voltage, energy and charge are read
 * from X_NOW or, without it, X_AVG.  Values of other moments (X_OCV, X_BOOT) are not used.  A battery
 * that has never reported a voltage has its design voltage instead (voltage_is_design).
 *
 * Some drivers do not use the units above.  A voltage below 0.5 V, or a capacity (X_FULL, X_FULL_DESIGN)
 * of at most 20 mAh or 100 mWh, cannot belong to a battery of a computer: rate and level are then unknown
 * (odd).  A level above 1.25 times the capacity is not used either.
 */
#ifndef SM_BATTERY_TEXT_H
#define SM_BATTERY_TEXT_H

#include "base/base.h"
#include "base/file.h"

enum sm_battery_status { SM_BATTERY_UNKNOWN, SM_BATTERY_CHARGING, SM_BATTERY_DISCHARGING,
	SM_BATTERY_NOT_CHARGING, SM_BATTERY_FULL };

enum sm_battery_type { SM_BATTERY_TYPE_UNKNOWN, SM_BATTERY_TYPE_BATTERY,
	SM_BATTERY_TYPE_MAINS /* Mains, USB*, Wireless: feeds the system when online */,
	SM_BATTERY_TYPE_OTHER /* UPS, BMS ... */ };

enum sm_battery_level_from { SM_BATTERY_ENERGY, SM_BATTERY_CHARGE, SM_BATTERY_COUNTER };

#define SM_BATTERY_NAME_MAX 256 /* fits the name of any directory */

struct sm_battery {
	char name[SM_BATTERY_NAME_MAX];  /* BAT0: name of the directory, any bytes; "": free slot */
	uint8_t type;                    /* enum sm_battery_type */
	bool peripheral;                 /* scope is Device */
	bool system;                     /* feeds the system: type Battery, scope not Device */
	bool legacy;                     /* read from /proc/acpi */
	bool present;                    /* false: removed, or its slot is empty */
	bool online;                     /* AC power: connected */
	int error;                       /* -errno of the last reading; 0: no error */
	enum sm_battery_status status;
	bool mislabelled;                /* status is corrected (battery.h) */
	bool has_rate, has_energy, has_charge, has_counter, has_voltage;
	bool rate_negative;              /* the driver reported the rate with a minus sign */
	bool rate_of_current;            /* the rate is current x voltage */
	bool voltage_is_design;          /* voltage_uv is the design voltage */
	bool voltage_seen;               /* a voltage was reported at any time */
	bool is_gauge;                   /* has ever reported a rate, level or percentage */
	bool above_full;                 /* a level exceeds the capacity */
	uint64_t rate_uw;                /* magnitude, if has_rate */
	uint64_t energy_uwh, charge_uah, voltage_uv;
	int64_t counter_uah;             /* charge_counter: any zero and direction */
	uint64_t design_uv;              /* design voltage; 0: unknown */
	const char *odd;                 /* quantity in a wrong unit: "voltage", "capacity"; or NULL */
	uint64_t odd_value;              /* its value */
	const char *odd_unit;            /* documented unit of this value: "uV" */
	/* Capacity as energy: energy, or the integral of V dQ since opening (can be < 0). */
	bool has_level;
	double level_uj;
	uint64_t level_ns;               /* time of the last edge */
	uint64_t edges;                  /* number of changes of the level */
	uint64_t epoch;                  /* number of times that it started to discharge, or was
	                                    inserted discharging; only levels of one epoch compare */
	bool level_known;                /* since insertion */
	uint8_t level_from;              /* enum sm_battery_level_from, if level_known */
	int64_t last_raw;                /* energy_uwh, charge_uah or counter_uah at the last edge */
	uint64_t last_voltage_uv;        /* voltage at the last edge */
	uint64_t quantum;                /* divides all changes of the level, uWh or uAh; 0: no edge
	                                    yet */
	double quantum_uj;
	bool was_discharging;            /* stays true for 5 s of status Unknown */
	uint64_t discharged_ns;          /* time of the last reading with status Discharging */
	bool listed, replaceable;
	struct sm_file file;             /* uevent, or the legacy state */
};

/* Replaces all values of the previous reading except type and scope, which old kernels omit in
 * uevent.  -EBADMSG: no known property. */
int sm_battery_text_uevent(struct sm_battery *b, const char *p, size_t n) SM_MUST;
/* Parses a text of /proc/acpi/battery/NAME/state or info. */
int sm_battery_text_legacy(struct sm_battery *b, const char *p, size_t n) SM_MUST;

#endif
