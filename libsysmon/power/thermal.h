/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thermal: reads thermal zones (Documentation/driver-api/thermal/sysfs-api.rst): type and temp, in
 * signed millidegrees.  If a zone cannot be read (ENODATA of iwlwifi, EAGAIN, EIO), its value is missing
 * in that reading, and it keeps its index.  The same applies to values below absolute zero (the
 * kernel's THERMAL_TEMP_INVALID is -274000) or above 1000 degrees.  The number of zones is not limited.
 * Labels are unique: if several zones have one type, the label ends in the zone's number ("acpitz-1").
 */
#ifndef SM_THERMAL_H
#define SM_THERMAL_H

#include "base/base.h"
#include "base/file.h"
#include "base/root.h"

#define SM_THERMAL_NAME_MAX 64

struct sm_thermal_zone {
	unsigned int number;             /* thermal_zoneN */
	char type[SM_THERMAL_NAME_MAX];  /* any bytes; thermal_zoneN without a type */
	char label[SM_THERMAL_NAME_MAX + 24];
	int error;                       /* -errno of the last opening or reading; 0: no error */
	int64_t temp_mc;                 /* valid if error is 0 */
	struct sm_file file;             /* only its fd is used */
};

struct sm_thermal {
	struct sm_thermal_zone *zone;    /* sorted by number */
	unsigned int n;
	size_t cap;
};

int sm_thermal_open(struct sm_thermal *t, const struct sm_root *root) SM_MUST; /* -ENOENT: no zones */
/* Reads each zone by one pread; returns the number of zones with a value. */
int sm_thermal_read(struct sm_thermal *t) SM_MUST;
void sm_thermal_close(struct sm_thermal *t);

#endif
