/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statrows: the statistic rows over the samples that counted: streaming, constant memory.
 *
 * Values that are NAN are left out of their column.  So are estimates (PS_ESTIMATE) of watts,
 * joules and domains; what they say of the whole run is kept for the summary.
 *
 * Statistics of watts and joules are of samples that have the same in them: the whole ones.  As
 * long as there is none, the incomplete ones with all that can be read here, and without such,
 * those where even of that something was missing.
 */
#ifndef PS_STATROWS_H
#define PS_STATROWS_H

#include "linhist.h"
#include "sample.h"
#include "stats.h"

enum ps_hist { PS_HIST_POWER, PS_HIST_CPU, PS_HIST_FREQ, PS_HIST_THERMAL0 };

/* Units of the histograms' integers for one watt, percent or kHz: uW, u%, Hz.  Temperatures:
 * mC, as the kernel has them. */
#define PS_HIST_SCALE_POWER   1e6
#define PS_HIST_SCALE_CPU     1e6
#define PS_HIST_SCALE_FREQ    1e3
#define PS_HIST_SCALE_THERMAL 1e3

enum ps_part { PS_PART_WHOLE, PS_PART_INCOMPLETE, PS_PART_MISSING, PS_PARTS /* none yet */ };

struct ps_stats {
	unsigned int n;
	struct sm_welford *col;        /* one for each column */
	uint64_t samples;              /* that counted */
	uint64_t kinds[PS_KINDS];      /* of them with a figure of that kind; PS_ABSENT: without */
	uint64_t incomplete;           /* of them without all that belongs to the total */
	uint8_t part;                  /* enum ps_part: what watts and joules are made of */
	double joules;                 /* of the samples that had a figure */
	double estimate_joules;        /* the same of estimates */
	uint64_t power_ns, estimate_ns; /* time that these cover */
	double last_estimate_w;
	uint64_t last_window_ns;       /* what the last slope covered; 0: there was none */
	uint64_t events_lost;
	uint64_t span_ns;              /* sum of all intervals */
	struct sm_linhist *hist;       /* -H: enum ps_hist, then each thermal zone; NULL without */
	unsigned int nhist;
};

int ps_stats_init(struct ps_stats *s, const struct ps_table *t, bool hist) SM_MUST;
void ps_stats_fini(struct ps_stats *s);
void ps_stats_add(struct ps_stats *s, const struct ps_table *t, const struct ps_sample *sample);

enum ps_stat { PS_STAT_AVERAGE, PS_STAT_GEOMEAN, PS_STAT_STDDEV, PS_STAT_MIN, PS_STAT_MAX,
	PS_STATS };
/* NAN: no value.  The geometric mean is 0 when there is a zero, and there is none when a value
 * was negative. */
double ps_stats_get(const struct ps_stats *s, unsigned int col, enum ps_stat what);
/* Watts, when there are only estimates: the slope over the whole run, or where the window was
 * shorter, the mean of estimates by time.  NAN: not a single one. */
double ps_stats_estimate_w(const struct ps_stats *s);
/* Energy of the run, estimates included; *covered_ns: the time that it is of. */
double ps_stats_joules(const struct ps_stats *s, uint64_t *covered_ns);

#endif
