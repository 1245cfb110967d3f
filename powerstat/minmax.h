/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minmax: the one line of -m: "Watts 12.34 now, 10.01 min, 15.20 max, 12.01 mean", and with -t
 * and -f the same of each zone and of the mean frequency.
 */
#ifndef PS_MINMAX_H
#define PS_MINMAX_H

#include "buf.h"
#include "sample.h"
#include "statrows.h"

/* Without a newline.  flags: SM_TEXT_UTF8. */
void minmax_line(const struct ps_table *t, const struct ps_sample *s, const struct ps_stats *stats,
	unsigned int flags, struct sm_buf *b);

#endif
