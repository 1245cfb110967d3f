/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: statistics of the samples: streaming, constant memory.
 *
 * A figure has the weight of the time that it is of.  A partial sample (sample.h) is not in minimum
 * and maximum.
 *
 * When an energy counter proves that an earlier reading was wrong, the last value of its columns
 * leaves them and the histogram, and its energy leaves the sums.
 *
 * A column ignores NAN, and estimates (SM_FIGURE_ESTIMATE) of watts, joules and domains, which go
 * into sums of their own for the summary.
 *
 * Statistics of watts and joules have only samples with equal parts in the total (enum part): the
 * whole ones; if there are none, those that lack only parts that cannot be read at all; if there
 * are none either, those that lack more.
 */
#ifndef POWERSTAT_STATS_H
#define POWERSTAT_STATS_H

#include "base/linhist.h"
#include "columns.h"
#include "base/stats.h"

enum hist { HIST_POWER, HIST_CPU, HIST_FREQ, HIST_THERMAL0 };

/* Units of the histograms: uW, u%, Hz, millidegrees; per W, %, kHz, degree. */
#define HIST_SCALE_POWER   1e6
#define HIST_SCALE_CPU     1e6
#define HIST_SCALE_FREQ    1e3
#define HIST_SCALE_THERMAL 1e3

enum part { PART_WHOLE, PART_INCOMPLETE, PART_MISSING, PARTS /* none yet */ };

struct stats {
	unsigned int n;
	struct sm_stats *col;        /* one for each column */
	struct sm_stats *undo;       /* col before its last value, in case that is retracted */
	uint64_t samples;
	uint64_t kinds[SM_FIGURES];    /* samples by kind of figure */
	uint64_t incomplete;           /* samples with an incomplete total */
	uint8_t part;                  /* enum part: of the samples in watts and joules */
	double joules;                 /* without estimates */
	double estimate_joules;
	uint64_t power_ns, estimate_ns; /* time that these cover */
	double last_estimate_w;
	uint64_t last_window_ns;       /* the time that the last slope covers; 0: none */
	uint64_t events_lost;
	uint64_t span_ns;              /* sum of all intervals */
	struct sm_linhist *hist;       /* -H: enum hist, then each thermal zone; else NULL */
	double next_watts;             /* the last figure: in the histogram unless the next sample
	                                  retracts it; NAN: none */
	unsigned int nhist;
};

int stats_init(struct stats *s, const struct columns *c, bool hist) SM_MUST;
void stats_fini(struct stats *s);
void stats_add(struct stats *s, const struct columns *c, const struct sample *sample);
/* Of a discarded sample (-b, -p): only lost events, and what it retracts. */
void stats_discard(struct stats *s, const struct columns *c, const struct sample *p);
/* After the last sample, before hist is used. */
void stats_end(struct stats *s);

enum stat_kind { STAT_AVERAGE, STAT_GEOMEAN, STAT_STDDEV, STAT_MIN, STAT_MAX,
	STATS };
/* NAN: no value.  The geometric mean: as sm_stats_geomean(). */
double stats_get(const struct stats *s, unsigned int col, enum stat_kind what);
/* Watts from estimates only: the slope over the whole run or, if the window was shorter, the mean
 * of the estimates weighted by time.  NAN: no estimate. */
double stats_estimate_w(const struct stats *s);
/* Energy of the run, estimates included; *covered_ns: the time that it covers. */
double stats_joules(const struct stats *s, uint64_t *covered_ns);

#endif
