/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon: power and energy sensors (Documentation/hwmon/sysfs-interface.rst): power*_average and
 * power*_input in uW, energy*_input in uJ, of hwmonN, or of hwmonN/device where an old driver
 * (the ACPI power meter until 6.16) has its attributes.
 *
 * A channel counts once: its average, or where that gives nothing its input.
 * Only these measure the whole machine: every channel of power_meter (ACPI000D), those labelled
 * "System" of ibmpowernv, "Total System Power" of macsmc_hwmon, "power total" of corsairpsu.
 * All others (amdgpu, i915, xe, ina2xx ...) measure a part of it.
 * Energy counters have 64 bits: a difference modulo 2^64 that is no plausible energy is a
 * counter that began anew; it adds nothing and is counted.
 */
#ifndef SM_HWMON_H
#define SM_HWMON_H

#include "base.h"
#include "file.h"
#include "root.h"

#define SM_HWMON_NAME_MAX 64

struct sm_hwmon_sensor {
	unsigned int number;             /* hwmonN */
	unsigned int channel;            /* powerC_..., energyC_... */
	char chip[SM_HWMON_NAME_MAX];    /* content of name, hostile bytes */
	char base[SM_HWMON_NAME_MAX + 24]; /* powerC_label, or "chip-powerC" */
	char label[2 * SM_HWMON_NAME_MAX]; /* base, or "base-N" where several have it; unique */
	char attribute[32];              /* power1_average */
	bool system;                     /* measures the whole machine */
	bool energy;                     /* a counter in uJ, else uW */
	int error;                       /* -errno of the last reading; 0: fine */
	uint64_t value;                  /* uW or uJ, with error == 0 */
	uint64_t read_ns;                /* CLOCK_MONOTONIC of the last good reading */
	uint64_t interval_ms;            /* power*_average_interval; 0: not known */
	/* Energy counters: */
	bool has_base;
	uint64_t energy_uj;              /* since the first reading */
	uint64_t covered_ns;             /* time that energy_uj covers */
	uint64_t rebased;                /* how often the counter began anew */
	struct sm_file file;             /* only its fd is used */
};

struct sm_hwmon {
	struct sm_hwmon_sensor *sensor;  /* by hwmonN, power before energy, by channel */
	unsigned int n;
};

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* One pread for each; how many gave a value. */
int sm_hwmon_read(struct sm_hwmon *h) SM_MUST;
void sm_hwmon_close(struct sm_hwmon *h);
/* Exposed for tests: a counter's reading at its own time. */
void sm_hwmon_count(struct sm_hwmon_sensor *s, uint64_t uj, uint64_t now_ns);

#endif
