/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_open: selects and opens the source.
 *
 * SM_SOURCE_AUTO selects the first source that gives a value: a discharging system battery, RAPL, the
 * perf PMU, a hwmon power meter of the whole system, or hwmon sensors of the processor.  If no source
 * gives a value, it selects the first that exists: its reading may have failed temporarily.
 * SM_SOURCE_RAPL falls back to the perf PMU.
 */
#ifndef SM_SOURCE_OPEN_H
#define SM_SOURCE_OPEN_H

#include "power/source.h"

/* Selects and opens a source.  -ENODEV: no source; *why has a line for each source that was tried, with
 * the reason; -EINVAL: a sensor that the user chose does not exist, even if the source is optional;
 * -EACCES: only permission is missing; -ENOMEM.  sm_source_close() must always be called. */
int sm_source_open(struct sm_source *p, const struct sm_root *root,
	const struct sm_source_want *want, struct sm_buf *why) SM_MUST;
/* Returns false if the sensors cannot be added up to a total. */
bool sm_source_has_total(const struct sm_source *p);
/* Returns whether every sensor of the total reads a power that cannot be true, such as 0. */
bool sm_source_is_dead(const struct sm_source *p);
/* Appends " (LABEL measures the whole machine: OPTION)", sanitised, if the processor's counters were
 * selected and there is a meter of the whole machine, and " (LABEL reads 0 W and is not used)" for a meter
 * without a value.  option: "--power=hwmon" or similar. */
void sm_source_mention_meter(
	const struct sm_source *p, const char *option, struct sm_buf *b);
void sm_source_close(struct sm_source *p);

#endif
