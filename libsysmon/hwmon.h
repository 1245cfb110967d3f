/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwmon: power and energy sensors (Documentation/hwmon/sysfs-interface.rst): power*_input and
 * power*_average in uW, energy*_input in uJ.  The ACPI power meter ("power_meter", ACPI000D)
 * measures the whole system; others (amdgpu, i915, xe, ina2xx, ibmpowernv) a part of it.
 */
#ifndef SM_HWMON_H
#define SM_HWMON_H

#include "base.h"
#include "file.h"
#include "root.h"

#define SM_HWMON_NAME_MAX 64

struct sm_hwmon_sensor {
	char chip[SM_HWMON_NAME_MAX];    /* content of name, hostile bytes */
	char label[2 * SM_HWMON_NAME_MAX]; /* powerN_label, or "chip-powerN"; unique */
	char attribute[32];              /* power1_average */
	bool system;                     /* measures the whole machine */
	bool energy;                     /* a counter in uJ, else uW */
	int error;
	uint64_t value;                  /* uW or uJ */
	uint64_t read_ns;
	uint64_t interval_ms;            /* power*_average_interval; 0: not known */
	struct sm_file file;
};

struct sm_hwmon {
	struct sm_hwmon_sensor *sensor;
	unsigned int n;
};

int sm_hwmon_open(struct sm_hwmon *h, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
int sm_hwmon_read(struct sm_hwmon *h) SM_MUST;
void sm_hwmon_close(struct sm_hwmon *h);

#endif
