// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "base/loghist.h"

#define SUB_BUCKETS (1u << SM_LOGHIST_SUB_BITS)

/* Returns the shift of a bucket's values: the bucket contains 2^shift of them. */
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

/* Returns the number of values in the first `buckets` buckets; less than h->n once a
 * counter is saturated. */
static uint64_t counted(const struct sm_loghist *h, unsigned int buckets)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < buckets; i++)
		sum += h->count[i];
	return sum;
}

uint64_t sm_loghists_count(
	const struct sm_loghist *const *h, size_t n, unsigned int bucket)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += h[i] ? h[i]->count[bucket] : 0;
	return sum;
}

/* The number of values, the lowest and the highest. */
struct extent {
	uint64_t total, min, max;
};

static struct extent extent_of(const struct sm_loghist *const *h, size_t n)
{
	struct extent e = {.min = UINT64_MAX};

	for (size_t i = 0; i < n; i++) {
		if (!h[i] || h[i]->n == 0)
			continue;
		e.total += counted(h[i], SM_LOGHIST_BUCKETS);
		e.min = h[i]->min < e.min ? h[i]->min : e.min;
		e.max = h[i]->max > e.max ? h[i]->max : e.max;
	}
	return e;
}

/* Returns the bucket of the rank-th smallest value, rank from 1 to the number of
 * values. */
static unsigned int bucket_of_rank(
	const struct sm_loghist *const *h, size_t n, uint64_t rank)
{
	unsigned int i = 0;

	for (; i + 1 < SM_LOGHIST_BUCKETS; i++) {
		uint64_t count = sm_loghists_count(h, n, i);

		if (count >= rank)
			break;
		rank -= count;
	}
	return i;
}

int sm_loghists_quantile(
	const struct sm_loghist *const *h, size_t n, double q, uint64_t *out)
{
	struct extent e = extent_of(h, n);
	unsigned int bucket;
	uint64_t rank, v;
	double exact;

	if (!(q >= 0 && q <= 1))
		return -EINVAL;
	if (e.total == 0)
		return -ENODATA;
	exact = q *
		(double)e.total; /* rounded up without ceil(), which would need libm */
	rank = exact >= (double)e.total ? e.total : (uint64_t)exact;
	rank += (double)rank < exact || rank == 0;
	bucket = bucket_of_rank(h, n, rank);
	v = sm_loghist_low(bucket) + ((UINT64_C(1) << bucket_shift(bucket)) - 1) / 2;
	*out = v < e.min ? e.min : v > e.max ? e.max : v;
	return 0;
}

int sm_loghist_quantile(const struct sm_loghist *h, double q, uint64_t *out)
{
	return sm_loghists_quantile(&h, 1, q, out);
}

int sm_loghists_mode(const struct sm_loghist *const *h, size_t n, double *out)
{
	double most = 0;

	for (unsigned int i = 0; i < SM_LOGHIST_BUCKETS; i++) {
		uint64_t width = UINT64_C(1) << bucket_shift(i);
		double density = (double)sm_loghists_count(h, n, i) / (double)width;

		if (density > most) {
			most = density;
			*out = (double)sm_loghist_low(i) + ((double)width - 1) / 2;
		}
	}
	return most > 0 ? 0 : -ENODATA;
}

uint64_t sm_loghist_le(const struct sm_loghist *h, uint64_t v)
{
	return counted(h, sm_loghist_bucket(v) + 1);
}
