// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "base/loghist.h"

#define SUB_BUCKETS (1u << SM_LOGHIST_SUB_BITS)

/* How far the values of a bucket were shifted: it holds 2^shift of them. */
static unsigned int bucket_shift(unsigned int bucket)
{
	return bucket < SUB_BUCKETS ? 0 : bucket / SUB_BUCKETS - 1;
}

unsigned int sm_loghist_bucket(uint64_t v)
{
	unsigned int shift;

	if (v < SUB_BUCKETS)
		return (unsigned int)v;
	shift = 63 - (unsigned int)__builtin_clzll(v) - SM_LOGHIST_SUB_BITS;
	return shift * SUB_BUCKETS + (unsigned int)(v >> shift);
}

uint64_t sm_loghist_low(unsigned int bucket)
{
	if (bucket < SUB_BUCKETS)
		return bucket;
	if (bucket >= SM_LOGHIST_BUCKETS)
		return UINT64_MAX;
	return (uint64_t)(SUB_BUCKETS + bucket % SUB_BUCKETS) << bucket_shift(bucket);
}

void sm_loghist_add(struct sm_loghist *h, uint64_t v)
{
	uint32_t *count = &h->count[sm_loghist_bucket(v)];

	h->min = h->n == 0 || v < h->min ? v : h->min;
	h->max = h->n == 0 || v > h->max ? v : h->max;
	h->n++;
	if (*count < UINT32_MAX)
		(*count)++;
}

/* Values in the first `buckets` buckets; less than h->n once a counter is saturated. */
static uint64_t counted(const struct sm_loghist *h, unsigned int buckets)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < buckets; i++)
		sum += h->count[i];
	return sum;
}

/* The bucket of the rank-th smallest value, rank from 1 to the number of values. */
static unsigned int bucket_of_rank(const struct sm_loghist *h, uint64_t rank)
{
	unsigned int i = 0;

	while (i + 1 < SM_LOGHIST_BUCKETS && h->count[i] < rank)
		rank -= h->count[i++];
	return i;
}

int sm_loghist_quantile(const struct sm_loghist *h, double q, uint64_t *out)
{
	unsigned int bucket;
	uint64_t total, rank, v;
	double exact;

	if (!(q >= 0 && q <= 1))
		return -EINVAL;
	if (h->n == 0)
		return -ENODATA;
	total = counted(h, SM_LOGHIST_BUCKETS);
	exact = q * (double)total; /* rounded up, by hand: ceil() would want libm */
	rank = exact >= (double)total ? total : (uint64_t)exact;
	rank += (double)rank < exact || rank == 0;
	bucket = bucket_of_rank(h, rank);
	v = sm_loghist_low(bucket) + ((UINT64_C(1) << bucket_shift(bucket)) - 1) / 2;
	*out = v < h->min ? h->min : v > h->max ? h->max : v;
	return 0;
}

uint64_t sm_loghist_le(const struct sm_loghist *h, uint64_t v)
{
	return counted(h, sm_loghist_bucket(v) + 1);
}
