/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linhist: equal-width histogram between the minimum and the maximum of the values, which are known
 * only at the end, in constant memory.
 *
 * Values are counted in 4096 fine buckets, whose width doubles when a value falls outside.
 * sm_linhist_bins() then combines them into the requested bins.  If a bin is at least 64 fine buckets
 * wide, only values within 1/64 of a bin's width from its edge may be counted in the neighbouring bin.
 * As long as the width is 1 (integers that span less than 4096), counts are exact.
 */
#ifndef SM_LINHIST_H
#define SM_LINHIST_H

#include "base/base.h"

#define SM_LINHIST_BUCKETS 4096

struct sm_linhist {
	uint64_t n;
	int64_t min, max;
	int64_t base;              /* lowest value of bucket 0; a multiple of width */
	uint64_t width;            /* power of two */
	uint64_t count[SM_LINHIST_BUCKETS];
};

struct sm_linbin {
	double low, high;          /* high of a bin is low of the next; the last bin includes its high */
	uint64_t count;
};

void sm_linhist_init(struct sm_linhist *h);
void sm_linhist_add(struct sm_linhist *h, int64_t v);
/* Fills nbins bins from min to max and returns their number; -ENODATA if the histogram is empty.  If
 * all values are equal, there is one bin.  The counts add up to n. */
int sm_linhist_bins(const struct sm_linhist *h, unsigned int nbins, struct sm_linbin *out) SM_MUST;

#endif
