/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linhist: equal-width histogram between the minimum and the maximum, both unknown until
 * the end, in constant memory.
 *
 * Values are counted in 4096 fine buckets whose width doubles when a value falls outside;
 * sm_linhist_bins() then folds them into the bins asked for.  With bins at least 64 fine
 * buckets wide a value lands in a wrong bin only within 1/64 of a bin's edge; while the width is
 * still 1 (integers that span less than 4096) it is exact.
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
	double low, high;          /* high of one is low of the next; the last holds its high */
	uint64_t count;
};

void sm_linhist_init(struct sm_linhist *h);
void sm_linhist_add(struct sm_linhist *h, int64_t v);
/* nbins bins from min to max; -ENODATA when empty.  When all values are equal there is one bin
 * (the return value is their number).  The counts add up to n. */
int sm_linhist_bins(const struct sm_linhist *h, unsigned int nbins, struct sm_linbin *out) SM_MUST;

#endif
