/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thermal: thermal zones (Documentation/driver-api/thermal/sysfs-api.rst): type and temp,
 * millidegrees, signed.  A zone that cannot be read (ENODATA of iwlwifi, EAGAIN, EIO) is absent
 * for that reading and keeps its place; so is one that claims what no zone can have: below
 * absolute zero (the kernel's own -274000: not known yet) or above 1000 degrees.  Any number of
 * zones; labels are unique: a type that several zones have gets the zone's number ("acpitz-1").
 */
#ifndef SM_THERMAL_H
#define SM_THERMAL_H

#include "base.h"
#include "file.h"
#include "root.h"

#define SM_THERMAL_NAME_MAX 64

struct sm_thermal_zone {
	unsigned int number;             /* thermal_zoneN */
	char type[SM_THERMAL_NAME_MAX];  /* hostile bytes; thermal_zoneN where it has none */
	char label[SM_THERMAL_NAME_MAX + 24];
	int error;                       /* -errno of the last reading; 0: fine */
	int64_t temp_mc;                 /* with error == 0 */
	struct sm_file file;             /* only its fd is used */
};

struct sm_thermal {
	struct sm_thermal_zone *zone;    /* by number */
	unsigned int n;
};

int sm_thermal_open(struct sm_thermal *t, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* One pread for each; how many gave a value. */
int sm_thermal_read(struct sm_thermal *t) SM_MUST;
void sm_thermal_close(struct sm_thermal *t);

#endif
