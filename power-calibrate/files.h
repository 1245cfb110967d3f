/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: the files of -o FILE and --gnuplot PREFIX.  They are written after the run, each under a temporary
 * name that is then renamed, so a failed run leaves existing files unchanged.  An interrupted run keeps
 * existing files: it writes FILE.partial, or PREFIX.dat.partial and PREFIX.gp.partial.  A file that does not
 * exist or is empty contains nothing to keep.
 */
#ifndef POWER_CALIBRATE_FILES_H
#define POWER_CALIBRATE_FILES_H

#include <limits.h>

#include "result.h"

#define FILES_NAME (PATH_MAX + 16)

/* Checks after the drop, before hours of measuring, whether the files can be written.  Returns 0, or -errno
 * and the file in *what. */
int files_check(const struct opts *o, char what[FILES_NAME]) SM_MUST;
/* Writes the files.  keep: existing files are kept.  Appends the names of the written files to *written,
 * separated by commas.  Returns 0, or -errno and the file in *what. */
int files_write(const struct result *r, bool keep, struct sm_buf *written, char what[FILES_NAME]) SM_MUST;

#endif
