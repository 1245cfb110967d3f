/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: streaming statistics in constant memory.
 *
 * sm_welford: count, mean, variance, min, max (Welford 1962), geometric mean.
 * sm_hist: log-linear histogram of unsigned values (HdrHistogram's layout): 2^5 linear
 * sub-buckets per power of two, so a percentile is right within 1/32 = 3.2 %.
 * sm_linreg: ordinary least squares y = a + b x with r^2.
 */
#ifndef SM_STATS_H
#define SM_STATS_H

#include "base.h"

struct sm_welford {
	uint64_t n;
	double mean, m2, min, max;
	double log_sum;     /* for the geometric mean */
	uint64_t positive;  /* values > 0 that log_sum holds */
};

void sm_welford_add(struct sm_welford *w, double x);
double sm_welford_variance(const struct sm_welford *w); /* population; 0 for n < 1 */
double sm_welford_stddev(const struct sm_welford *w);
/* -ENODATA when there is no value or one was <= 0. */
int sm_welford_geomean(const struct sm_welford *w, double *out) SM_MUST;

#define SM_HIST_SUB_BITS 5
#define SM_HIST_BUCKETS  ((64 - SM_HIST_SUB_BITS + 1) << SM_HIST_SUB_BITS)

struct sm_hist {
	uint64_t n, min, max;
	uint32_t count[SM_HIST_BUCKETS];
};

void sm_hist_add(struct sm_hist *h, uint64_t v);
unsigned int sm_hist_bucket(uint64_t v);
uint64_t sm_hist_low(unsigned int bucket); /* smallest value of the bucket */
/* Value at quantile q in [0, 1]: midpoint of its bucket, never outside [min, max];
 * -ENODATA when empty. */
int sm_hist_quantile(const struct sm_hist *h, double q, uint64_t *out) SM_MUST;
/* How many values are <= v, counting whole buckets. */
uint64_t sm_hist_le(const struct sm_hist *h, uint64_t v);

struct sm_linreg {
	uint64_t n;
	double mean_x, mean_y, sxx, sxy, syy;
};

void sm_linreg_add(struct sm_linreg *r, double x, double y);
/* -ENODATA for fewer than two distinct x. */
int sm_linreg_solve(const struct sm_linreg *r, double *a, double *b, double *r2) SM_MUST;

#endif
