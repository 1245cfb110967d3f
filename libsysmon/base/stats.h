/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: count, mean, variance, minimum, maximum and geometric mean of a stream of values in
 * constant memory (Welford 1962, weighted as by West 1979).
 *
 * A value has a weight, for example the time that a rate is the mean of: the mean of the rates is
 * then the rate of the whole time.
 */
#ifndef SM_STATS_H
#define SM_STATS_H

#include "base/base.h"

struct sm_stats {
	uint64_t n;
	double weight;      /* sum of the weights */
	double mean, m2, min, max;
	double log_sum;     /* weighted, for the geometric mean; -inf: a value was 0, NAN: negative */
	bool whole;         /* min and max have only values that are not partial */
};

/* Ignored unless weight > 0.  A partial value is in min and max only while there is no other. */
void sm_stats_add(struct sm_stats *w, double x, double weight, bool partial);
double sm_stats_variance(const struct sm_stats *w); /* population; 0 for n < 1 */
double sm_stats_stddev(const struct sm_stats *w);
/* 0 if a value was 0; NAN if one was negative or there is none. */
double sm_stats_geomean(const struct sm_stats *w);

#endif
