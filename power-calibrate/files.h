/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: -o FILE and --gnuplot PREFIX: written when the run is over, each to a temporary name and
 * renamed, so a file of an earlier run survives a run that fails.
 */
#ifndef POWER_CALIBRATE_FILES_H
#define POWER_CALIBRATE_FILES_H

#include <limits.h>

#include "result.h"

#define FILES_NAME (PATH_MAX + 8)

/* Could they be written?  After the drop, before hours of measuring.  0 or -errno, *what names it. */
int files_check(const struct opts *o, char what[FILES_NAME]) SM_MUST;
int files_write(const struct result *r, char what[FILES_NAME]) SM_MUST;

#endif
