/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oneline: formats the line of -m: "Watts 12.34 now, 10.01 min, 15.20 max, 12.01 mean", and with -t
 * and -f each zone and the mean frequency: " | acpitz 45.0 C (40.1 to 50.3)".
 */
#ifndef POWERSTAT_ONELINE_H
#define POWERSTAT_ONELINE_H

#include "base/buf.h"
#include "columns.h"
#include "stats.h"

/* Appends the line without a newline.  flags: SM_TEXT_UTF8.  brief: omit minimum and maximum. */
void oneline(const struct columns *t, const struct sample *s, const struct stats *stats,
	unsigned int flags, bool brief, struct sm_buf *b);

#endif
