// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/linhist.h"

#define SIGN (UINT64_C(1) << 63)

/* Maps values to unsigned numbers in the same order, so that differences cannot overflow.
 */
static uint64_t biased(int64_t v)
{
	return (uint64_t)v ^ SIGN;
}

static int64_t unbiased(uint64_t u)
{
	return (int64_t)(u ^ SIGN);
}

static unsigned int shift_of(const struct sm_linhist *h)
{
	return (unsigned int)__builtin_ctzll(h->width);
}

void sm_linhist_init(struct sm_linhist *h)
{
	*h = (struct sm_linhist){.width = 1};
}

/* Merges each 2^by neighbouring buckets; bucket 0 begins at first * width. */
static void widen(struct sm_linhist *h, uint64_t first, unsigned int by)
{
	for (unsigned int i = 0; i < SM_LINHIST_BUCKETS; i++) {
		uint64_t to = ((first + i) >> by) - (first >> by);
		uint64_t c = h->count[i];

		h->count[i] = 0;
		h->count[to] += c;
	}
	h->width <<= by;
}

/* Moves bucket `from` to `to`, up or down; buckets that become free are empty. */
static void slide(struct sm_linhist *h, uint64_t from, uint64_t to)
{
	uint64_t far = from > to ? from - to : to - from;
	const size_t one = sizeof(h->count[0]);
	size_t up, down;

	if (far >= SM_LINHIST_BUCKETS) {
		memset(h->count, 0, sizeof(h->count));
		return;
	}
	up = from > to ? (size_t)far : 0;
	down = from > to ? 0 : (size_t)far;
	memmove(h->count + up, h->count + down, (SM_LINHIST_BUCKETS - up - down) * one);
	memset(h->count, 0, up * one);
	memset(h->count + SM_LINHIST_BUCKETS - down, 0, down * one);
}

/* Makes the buckets span min to max, centred, so that a series of ever larger (or
 * smaller) values does not move the counts each time. */
static void fit(struct sm_linhist *h)
{
	unsigned int old = shift_of(h), s = old;
	uint64_t lo = biased(h->min), hi = biased(h->max), from = biased(h->base) >> old;
	uint64_t first, last, room;

	while ((hi >> s) - (lo >> s) >= SM_LINHIST_BUCKETS)
		s++;
	room = SM_LINHIST_BUCKETS - 1 - ((hi >> s) - (lo >> s));
	first = lo >> s;
	first -= first < room / 2 ? first : room / 2;
	last = (UINT64_MAX >> s) - (SM_LINHIST_BUCKETS - 1);
	if (first > last)
		first = last;
	if (s > old)
		widen(h, from, s - old);
	slide(h, from >> (s - old), first);
	h->base = unbiased(first << s);
}

/* Returns false for values below the base too, because their difference wraps to a value
 * beyond the last bucket. */
static bool covers(const struct sm_linhist *h, uint64_t u)
{
	return (u - biased(h->base)) >> shift_of(h) < SM_LINHIST_BUCKETS;
}

void sm_linhist_add(struct sm_linhist *h, int64_t v)
{
	bool first = h->n == 0;

	if (first || v < h->min)
		h->min = v;
	if (first || v > h->max)
		h->max = v;
	if (first || !covers(h, biased(v)))
		fit(h);
	h->count[(biased(v) - biased(h->base)) >> shift_of(h)]++;
	h->n++;
}

/* Returns the offset of the middle of fine bucket i from min. */
static uint64_t middle(const struct sm_linhist *h, unsigned int i)
{
	uint64_t lo = biased(h->min), hi = biased(h->max);
	uint64_t at = biased(h->base) + ((uint64_t)i << shift_of(h)) + h->width / 2;

	if (at < lo)
		return 0;
	return (at > hi ? hi : at) - lo;
}

static void bounds(const struct sm_linhist *h, unsigned int nbins, struct sm_linbin *out)
{
	double span = (double)(biased(h->max) - biased(h->min));

	for (unsigned int i = 0; i < nbins; i++) {
		out[i].low = (double)h->min + span * i / nbins;
		if (i)
			out[i - 1].high = out[i].low;
		out[i].count = 0;
	}
	out[nbins - 1].high = (double)h->max;
}

int sm_linhist_bins(const struct sm_linhist *h, unsigned int nbins, struct sm_linbin *out)
{
	uint64_t span = biased(h->max) - biased(h->min);
	unsigned int cut = 0;

	if (nbins == 0 || nbins > INT_MAX)
		return -EINVAL;
	if (h->n == 0)
		return -ENODATA;
	if (span == 0)
		nbins = 1;
	bounds(h, nbins, out);
	while (span >> cut >
		UINT32_MAX) /* the lost bits are far below a bucket's width */
		cut++;
	for (unsigned int i = 0; i < SM_LINHIST_BUCKETS; i++) {
		uint64_t bin;

		if (!h->count[i])
			continue;
		bin = span ? (middle(h, i) >> cut) * nbins / (span >> cut) : 0;
		out[bin < nbins ? bin : nbins - 1].count += h->count[i];
	}
	return (int)nbins;
}
