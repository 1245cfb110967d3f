/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon: power and energy sensors (Documentation/hwmon/sysfs-interface.rst): power*_average and
 * power*_input in uW, energy*_input in uJ, of hwmonN, or of hwmonN/device where an old driver
 * (the ACPI power meter until 6.16) has its attributes.
 *
 * A channel is used once: its average, or its input if the average cannot be read.  A chip with the
 * name of a power supply is ignored; see battery.h.
 * Only these sensors measure the whole machine: every channel of power_meter (ACPI000D), and the
 * channels labelled "System" of ibmpowernv, "Total System Power" of macsmc_hwmon, "power total" of
 * corsairpsu.  All others measure a part of it.  Sensors of one chip can include one another (card and
 * pkg of xe, Esocket and Ecore of amd_energy, pin and pout of a power supply, power and energy of one
 * channel), so the sensors of such a chip are added up by a rule or not at all: enum sm_hwmon_scope.
 * Reading a sensor would wake a suspended graphics card, so the reading is skipped and -EAGAIN
 * returned.
 * Energy counters have 64 bits.  If a difference modulo 2^64 is not a plausible energy, the counter
 * has restarted: the difference is dropped, and the restart is counted.
 */
#ifndef SM_HWMON_H
#define SM_HWMON_H

#include "base/base.h"
#include "base/file.h"
#include "kernel/root.h"

#define SM_HWMON_NAME_MAX 64

enum sm_hwmon_scope { /* the scope of a sensor, the widest first */
	SM_HWMON_SYSTEM,  /* the whole machine */
	SM_HWMON_SUPPLY,  /* the input of a power supply: "pin" of a PMBus chip */
	SM_HWMON_DEVICE,  /* a card, a socket; the only sensor of its chip */
	SM_HWMON_INSIDE,  /* included in another sensor of the chip */
	SM_HWMON_UNKNOWN, /* the chip has several sensors and no rule applies */
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
	bool counted;                    /* included in the total */
	bool energy;                     /* a counter in uJ, else uW */
	int error;                       /* -errno of the last reading; 0: no error */
	uint64_t value;                  /* uW or uJ, with error == 0 */
	uint64_t read_ns;                /* CLOCK_MONOTONIC of the last good reading */
	uint64_t interval_ms;            /* power*_average_interval; 0: unknown */
	/* Energy counters: */
	bool has_base;
	uint64_t energy_uj;              /* since the first reading */
	uint64_t covered_ns;             /* time that energy_uj covers */
	uint64_t rebased;                /* restarts of the counter */
	struct sm_file file;             /* only its fd is used */
	struct sm_file suspend;          /* power/runtime_status of a graphics card */
};

struct sm_hwmon {
	struct sm_hwmon_sensor *sensor;  /* sorted by hwmonN, power before energy, and channel */
	unsigned int n;
	size_t cap;
};

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root) SM_MUST; /* -ENOENT: no sensors */
/* Returns whether the total measures the whole machine. */
bool sm_hwmon_is_system(const struct sm_hwmon *h);
bool sm_hwmon_is_gpu(const struct sm_hwmon_sensor *s);
/* Reads each sensor by one pread; returns the number of sensors with a value. */
int sm_hwmon_read(struct sm_hwmon *h) SM_MUST;
void sm_hwmon_close(struct sm_hwmon *h);
/* Adds the reading of a counter at now_ns; exposed for tests. */
void sm_hwmon_count(struct sm_hwmon_sensor *s, uint64_t uj, uint64_t now_ns);

#endif
