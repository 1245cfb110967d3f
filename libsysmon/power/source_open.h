/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_open: selection of the source.
 *
 * SM_SOURCE_AUTO selects a discharging system battery, else RAPL, else the perf PMU, else a system
 * power meter of hwmon: the first that gives a figure.  If none does, the first that exists: its
 * reading may have failed for a moment.  SM_SOURCE_RAPL falls back to the perf PMU.
 */
#ifndef SM_SOURCE_OPEN_H
#define SM_SOURCE_OPEN_H

#include "power/source.h"

/* Selects and opens.  -ENODEV: none; *why has a line for each source that was tried, with the
 * reason; -EACCES: only permission is missing; -ENOMEM.  Call sm_source_close() in any case. */
int sm_source_open(struct sm_source *p, const struct sm_root *root,
	const struct sm_source_want *want, struct sm_buf *why) SM_MUST;
/* False: sensors that do not add up. */
bool sm_source_has_total(const struct sm_source *p);
/* " (LABEL measures the whole machine: OPTION)" if the processor's counters were selected, which
 * cover a part of it, and there is such a meter; sanitised.  option: the tool's, "--power=hwmon". */
void sm_source_mention_meter(
	const struct sm_source *p, const char *option, struct sm_buf *b);
void sm_source_close(struct sm_source *p);

#endif
