/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thermal: thermal zones (Documentation/driver-api/thermal/sysfs-api.rst): type and temp,
 * millidegrees, signed.  A zone that cannot be read (ENODATA of iwlwifi, EAGAIN, EIO) has no value
 * in that reading and keeps its index.  So does a zone below absolute zero (the kernel's
 * THERMAL_TEMP_INVALID is -274000) or above 1000 degrees.  Any number of zones.  Labels are
 * unique: if several zones have one type, the label ends in the zone's number ("acpitz-1").
 */
#ifndef SM_THERMAL_H
#define SM_THERMAL_H

#include "base/base.h"
#include "base/file.h"
#include "kernel/root.h"

#define SM_THERMAL_NAME_MAX 64

struct sm_thermal_zone {
	unsigned int number;             /* thermal_zoneN */
	char type[SM_THERMAL_NAME_MAX];  /* any bytes; thermal_zoneN if it has none */
	char label[SM_THERMAL_NAME_MAX + 24];
	int error;                       /* -errno of the last opening or reading; 0: none */
	int64_t temp_mc;                 /* with error == 0 */
	struct sm_file file;             /* only its fd is used */
};

struct sm_thermal {
	struct sm_thermal_zone *zone;    /* by number */
	unsigned int n;
	size_t cap;
};

int sm_thermal_open(struct sm_thermal *t, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* One pread for each; returns the number of zones with a value. */
int sm_thermal_read(struct sm_thermal *t) SM_MUST;
void sm_thermal_close(struct sm_thermal *t);

#endif
