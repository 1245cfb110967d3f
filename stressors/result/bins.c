// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "bins.h"

static bool has_histogram(const struct result *r)
{
	for (unsigned int i = 0; r->histogram && i < r->n; i++)
		if (r->histogram[i])
			return true;
	return false;
}

/* Returns the bin of the grid in which the bucket begins.  The bin ends with the bucket
 * if that is later. */
static struct sm_timebin bin_of(unsigned int bucket, uint64_t width_ns)
{
	uint64_t low = sm_loghist_low(bucket), high = sm_loghist_low(bucket + 1);
	uint64_t begin = width_ns ? low - low % width_ns : low;
	uint64_t end = begin + width_ns;

	return (struct sm_timebin){.low_ns = begin, .high_ns = end > high ? end : high};
}

/* Adds a bin.  If it overlaps the one before, it begins at the end of that one. */
static void push(struct sm_timebin *to, unsigned int n, const struct sm_timebin *b)
{
	to[n] = *b;
	if (n && to[n].low_ns < to[n - 1].high_ns)
		to[n].low_ns = to[n - 1].high_ns;
}

static void widen(struct sm_timebin *last, const struct sm_timebin *b)
{
	last->high_ns = b->high_ns > last->high_ns ? b->high_ns : last->high_ns;
	last->count += b->count;
}

int bins_make(const struct result *r, uint64_t width_ns, struct sm_timebin **bins,
	unsigned int *n)
{
	uint64_t begin = 0; /* of the last bin, in the grid */

	*n = 0;
	*bins = NULL;
	if (!has_histogram(r))
		return 0;
	*bins = calloc(SM_LOGHIST_BUCKETS, sizeof(**bins));
	if (!*bins)
		return -ENOMEM;
	for (unsigned int i = 0; i < SM_LOGHIST_BUCKETS; i++) {
		struct sm_timebin b = bin_of(i, width_ns);

		b.count = sm_loghists_count(r->histogram, r->n, i);
		if (b.count && *n && b.low_ns == begin)
			widen(&(*bins)[*n - 1], &b);
		else if (b.count)
			push(*bins, (*n)++, &b);
		if (b.count)
			begin = b.low_ns;
	}
	return 0;
}
