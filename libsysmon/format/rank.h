/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank: the first k of n elements, in order: top programs, rows of a limited table.
 *
 * Uses a heap of k elements, in place and without memory allocation (qsort(3) may allocate): O(n log
 * k).  The order of equal elements is undefined: for reproducible output, compare with a total order.
 */
#ifndef SM_RANK_H
#define SM_RANK_H

#include "base/base.h"

/* Moves the first k (at most n) of the n elements of `size` bytes each to the front, in order.
 * compare() is as for qsort_r(3).  The other elements follow in any order. */
void sm_rank_first(void *v, size_t n, size_t size, size_t k,
	int (*compare)(const void *a, const void *b, void *ctx), void *ctx);

#endif
