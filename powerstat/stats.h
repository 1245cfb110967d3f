/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: statistics of the samples: streaming, constant memory.
 *
 * Values are weighted by the time that they cover.  Minimum and maximum do not include partial
 * samples (sample.h).
 *
 * When an energy counter proves that an earlier reading was wrong, the last value of its columns is
 * removed from the statistics and the histogram, and its energy from the sums.
 *
 * Columns do not include NAN, nor estimates (SM_FIGURE_ESTIMATE) of watts, joules and domains, which
 * are added to separate sums for the summary.
 *
 * Statistics of watts and joules include only samples whose totals are equally complete (enum part):
 * PART_WHOLE if there are such samples, else PART_INCOMPLETE, else PART_MISSING.
 */
#ifndef POWERSTAT_STATS_H
#define POWERSTAT_STATS_H

#include "base/linhist.h"
#include "columns.h"
#include "base/stats.h"

enum hist { HIST_POWER, HIST_CPU, HIST_FREQ, HIST_THERMAL0 };

/* Units of the histograms (uW, u%, Hz, millidegrees) per W, %, kHz, degree. */
#define HIST_SCALE_POWER   1e6
#define HIST_SCALE_CPU     1e6
#define HIST_SCALE_FREQ    1e3
#define HIST_SCALE_THERMAL 1e3

enum part { /* how complete a total is */
	PART_WHOLE,
	PART_INCOMPLETE, /* only parts that can never be read are missing */
	PART_MISSING,    /* a part had no value in this interval */
	PARTS            /* unknown: before the first sample */
};

struct stats {
	unsigned int n;
	struct sm_stats *col;        /* statistics of each column */
	struct sm_stats *undo;       /* col without its last value, which may be retracted */
	uint64_t samples;
	uint64_t kinds[SM_FIGURES];    /* samples by kind of value */
	uint64_t incomplete;           /* samples with an incomplete total */
	uint8_t part;                  /* enum part of the samples in watts and joules */
	double joules;                 /* without estimates */
	double estimate_joules;
	uint64_t power_ns, estimate_ns; /* time that the two energies cover */
	double last_estimate_w;
	uint64_t last_window_ns;       /* time that the last slope covers; 0: no slope yet */
	uint64_t core_throttles, package_throttles;
	uint64_t events_lost;
	uint64_t span_ns;              /* sum of all intervals */
	struct sm_linhist *hist;       /* enum hist, then each thermal zone (-H); otherwise NULL */
	double next_watts;             /* last value, added to the histogram unless the next sample
	                                  retracts it; NAN: no value */
	unsigned int nhist;
};

int stats_init(struct stats *s, const struct columns *c, bool hist) SM_MUST;
void stats_fini(struct stats *s);
void stats_add(struct stats *s, const struct columns *c, const struct sample *sample);
/* Adds only the lost events of a discarded sample (-b, -p), and removes the values that it retracts. */
void stats_discard(struct stats *s, const struct columns *c, const struct sample *p);
/* Called after the last sample, before hist is used. */
void stats_end(struct stats *s);

enum stat_kind { STAT_AVERAGE, STAT_GEOMEAN, STAT_STDDEV, STAT_MIN, STAT_MAX,
	STATS };
/* Returns NAN if there is no value.  Geometric mean: see sm_stats_geomean(). */
double stats_get(const struct stats *s, unsigned int col, enum stat_kind what);
/* Returns the watts computed from estimates only: the slope over the whole run or, if the window was
 * shorter, the mean of the estimates weighted by time.  NAN: no estimate. */
double stats_estimate_w(const struct stats *s);
/* Returns the energy of the run, including estimates; *covered_ns is the time that it covers. */
double stats_joules(const struct stats *s, uint64_t *covered_ns);

#endif
