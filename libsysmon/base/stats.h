/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: count, mean, variance, minimum, maximum and geometric mean of a stream of values in constant
 * memory (Welford 1962, weighted as by West 1979).
 *
 * Each value has a weight.  If the values are rates and each weight is the time over which the rate was
 * measured, the mean is the rate over the total time.
 */
#ifndef SM_STATS_H
#define SM_STATS_H

#include "base/base.h"

struct sm_stats {
	uint64_t n;
	double weight;      /* sum of the weights */
	double mean, m2, min, max;
	double log_sum;     /* weighted, for the geometric mean; -inf: a value was 0; NAN: one was negative */
	bool whole;         /* min and max contain only values that are not partial */
};

/* Adds a value; ignored unless weight > 0.  A partial value affects min and max only while all values
 * are partial. */
void sm_stats_add(struct sm_stats *w, double x, double weight, bool partial);
double sm_stats_variance(const struct sm_stats *w); /* population; 0 for n < 1 */
double sm_stats_stddev(const struct sm_stats *w);
/* Returns 0 if a value was 0; NAN if a value was negative, or without values. */
double sm_stats_geomean(const struct sm_stats *w);

#endif
