/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statrows: the statistic rows over the samples that counted: streaming, constant memory.
 * Values that are NAN are left out of their column; estimates (PS_ESTIMATE) of Watts too, but the
 * power from the start to now, weighted by time, is kept for the summary.
 */
#ifndef PS_STATROWS_H
#define PS_STATROWS_H

#include "linhist.h"
#include "sample.h"
#include "stats.h"

struct ps_stats {
	unsigned int n;
	struct sm_welford *col;        /* one for each column */
	uint64_t samples;              /* that counted */
	uint64_t estimates;            /* of them with an estimated figure */
	double joules;                 /* sum of watts x dt over samples that had a figure */
	double estimate_joules;        /* the same of estimates */
	uint64_t power_ns, estimate_ns; /* time that these cover */
	uint64_t busy_ns;
	struct sm_linhist *hist;       /* -H: power (mW), CPU use (milli-%), mean frequency (kHz),
	                                  then each thermal zone (mC); NULL without */
	unsigned int nhist;
};

int ps_stats_init(struct ps_stats *s, const struct ps_table *t, bool hist) SM_MUST;
void ps_stats_fini(struct ps_stats *s);
void ps_stats_add(struct ps_stats *s, const struct ps_table *t, const struct ps_sample *sample);

enum ps_stat { PS_STAT_AVERAGE, PS_STAT_GEOMEAN, PS_STAT_STDDEV, PS_STAT_MIN, PS_STAT_MAX };
/* NAN: no value (the geometric mean of values that are not all > 0; zeros alone give 0). */
double ps_stats_get(const struct ps_stats *s, unsigned int col, enum ps_stat what);

#endif
