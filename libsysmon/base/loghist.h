/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loghist: log-linear histogram of unsigned values in constant memory, with the layout of HdrHistogram:
 * 2^5 linear sub-buckets per power of two.  A percentile has an error of at most 1/32 = 3.2 %.
 */
#ifndef SM_LOGHIST_H
#define SM_LOGHIST_H

#include "base/base.h"

#define SM_LOGHIST_SUB_BITS 5
#define SM_LOGHIST_BUCKETS  ((64 - SM_LOGHIST_SUB_BITS + 1) << SM_LOGHIST_SUB_BITS)

struct sm_loghist {
	uint64_t n, min, max;
	uint32_t count[SM_LOGHIST_BUCKETS];
};

void sm_loghist_add(struct sm_loghist *h, uint64_t v);
unsigned int sm_loghist_bucket(uint64_t v);
uint64_t sm_loghist_low(unsigned int bucket); /* smallest value of the bucket */
/* Returns the value at quantile q in [0, 1]: the midpoint of its bucket, never outside [min, max].
 * -ENODATA if the histogram is empty. */
int sm_loghist_quantile(const struct sm_loghist *h, double q, uint64_t *out) SM_MUST;
/* Quantile, mode and count of the values of n histograms together, as if all values had been added to
 * one histogram.  The sums have 64 bits: they do not saturate where the counters of one histogram
 * would.  A NULL pointer among the histograms stands for an empty one. */
int sm_loghists_quantile(const struct sm_loghist *const *h, size_t n, double q, uint64_t *out) SM_MUST;
/* Returns the middle of the bucket with the most values relative to its width; -ENODATA if all are
 * empty. */
int sm_loghists_mode(const struct sm_loghist *const *h, size_t n, double *out) SM_MUST;
uint64_t sm_loghists_count(const struct sm_loghist *const *h, size_t n, unsigned int bucket);
/* Returns the number of values <= v, in whole buckets. */
uint64_t sm_loghist_le(const struct sm_loghist *h, uint64_t v);

#endif
