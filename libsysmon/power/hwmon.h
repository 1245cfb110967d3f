/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon: power and energy sensors (Documentation/hwmon/sysfs-interface.rst): power*_average and
 * power*_input in uW, energy*_input in uJ, of hwmonN, or of hwmonN/device where an old driver
 * (the ACPI power meter until 6.16) has its attributes.
 *
 * A channel is used once: its average, or its input if the average yields no value.  A chip whose device
 * is a power supply is ignored (see battery.h): the kernel makes a chip of each battery, and its name
 * is the supply's name with `_' instead of `-', so the name does not identify it.
 * An INA3221 (ina3221.rst) reports the voltage in mV (in1_input to in3_input) and the current in mA
 * (curr1_input to curr3_input) of three rails; their product is the power in uW.
 *
 * hwmon_rules.h decides which sensors are added up.
 *
 * No machine and no supply of a running machine draws 0 W: a meter of this scope that reads 0 yields
 * -ENODATA (member zero).  The counter of such a meter yields nothing while it does not advance, and
 * neither does a counter whose channel also has a power sensor that reads more than 0; after a time in
 * which it should have advanced, the power sensor replaces it (SM_HWMON_STILL).
 * Reading a sensor would wake a suspended graphics card, so the reading is skipped and -EAGAIN
 * returned.
 * Energy counters have 64 bits.  If a difference modulo 2^64 is not a plausible energy, the counter
 * has restarted: the difference is dropped, and the restart is counted.
 */
#ifndef SM_HWMON_H
#define SM_HWMON_H

#include "base/base.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/root.h"

#define SM_HWMON_NAME_MAX 64
#define SM_HWMON_UW_MAX   UINT64_C(1000000000000) /* 1 MW; ACPI's "unknown" is 4.3 MW */

enum sm_hwmon_scope { /* the scope of a sensor, the widest first */
	SM_HWMON_SYSTEM,  /* the whole machine */
	SM_HWMON_SUPPLY,  /* the input of a power supply: "pin" of a PMBus chip */
	SM_HWMON_DEVICE,  /* a card, a socket; the only sensor of its chip */
	SM_HWMON_INSIDE,  /* included in another sensor of the chip */
	SM_HWMON_UNKNOWN, /* the chip has several sensors and no rule applies */
	SM_HWMON_STILL,   /* a counter that does not advance; the power of its channel is used */
};

struct sm_hwmon_sensor {
	unsigned int number;             /* hwmonN */
	unsigned int channel;            /* powerC_..., energyC_... */
	char chip[SM_HWMON_NAME_MAX];    /* content of the file name; any bytes */
	char base[SM_HWMON_NAME_MAX + 24]; /* powerC_label, or "chip-powerC" */
	bool has_label;
	char label[2 * SM_HWMON_NAME_MAX]; /* base, or "base-N" if several have it; unique */
	char attribute[32];              /* power1_average */
	enum sm_hwmon_scope scope;
	bool processor;                  /* measures processors and nothing else */
	bool counted;                    /* included in the total */
	bool energy;                     /* a counter in uJ, else uW */
	bool product;                    /* power is voltage times current */
	int partner;                     /* sensor of the other kind of this channel, or -1 */
	int error;                       /* -errno of the last reading; 0: no error */
	uint64_t value;                  /* uW or uJ, with error == 0 */
	uint64_t read_ns;                /* CLOCK_MONOTONIC of the last good reading */
	uint64_t interval_ms;            /* averaging time: power*_average_interval of an average, or the
	                                  * update_interval of a chip that averages; 0: unknown */
	bool zero;                       /* error is -ENODATA because the sensor read 0 */
	uint64_t zeros;                  /* readings of 0 that are not values */
	uint64_t excesses;               /* readings above SM_HWMON_UW_MAX, which are not values */
	uint64_t excess_uw;              /* last of these */
	/* Energy counters: */
	bool has_base;
	uint64_t energy_uj;              /* since the first reading */
	uint64_t covered_ns;             /* time that energy_uj covers */
	uint64_t rebased;                /* restarts of the counter */
	uint64_t stood;                  /* readings that are not values because it did not advance */
	struct sm_file file;             /* only its fd is used; of a product: voltage in mV */
	struct sm_file current;          /* of a product: current in mA */
	struct sm_file suspend;          /* power/runtime_status of a graphics card */
};

struct sm_hwmon {
	struct sm_hwmon_sensor *sensor;  /* sorted by hwmonN, power before energy, and channel */
	unsigned int n;
	size_t cap;
};

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root) SM_MUST; /* -ENOENT: no sensors */
bool sm_hwmon_is_gpu(const struct sm_hwmon_sensor *s);
/* Appends the reason why the last reading is not a value: "reads 0 W", "Permission denied" ... */
void sm_hwmon_reason(const struct sm_hwmon_sensor *s, struct sm_buf *b);
/* Reads each sensor by one pread; returns the number of sensors with a value. */
int sm_hwmon_read(struct sm_hwmon *h) SM_MUST;
void sm_hwmon_close(struct sm_hwmon *h);
/* Adds the reading of a counter at now_ns; exposed for tests. */
void sm_hwmon_count(struct sm_hwmon_sensor *s, uint64_t uj, uint64_t now_ns);

#endif
