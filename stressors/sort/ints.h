/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ints: common code of the sorts by comparison: 32-bit integers that are sorted forward and backward.
 *
 * A round is: new random values, sort forward, sort backward, change the low bits of each (which leaves them
 * nearly sorted), sort forward, and for some sorts sort backward.  After each sort, the order is checked, and
 * that the integers have not changed, by their sum and the sum of their squares.  These are updated when
 * values are replaced, so that a bit that flips at any time is found.
 *
 * When the time is over, a sort is left in the middle, from its comparison function.
 */
#ifndef STRESSORS_SORT_INTS_H
#define STRESSORS_SORT_INTS_H

#include "../stressor.h"

/* As qsort(3), but returns 0 or -1. */
typedef int sort_function(void *, size_t, size_t, int (*)(const void *, const void *));

extern const struct stressor_opt sort_ints_opts[];
extern const struct stressor_metric sort_ints_metrics[];
/* Remarks for the man page. */
#define SORT_INTS_MAN "metric elements: both rates are measured over the time of the sorts alone\n"

uint64_t sort_ints_memory(const struct stress *s);
/* sorts: number of sorts in a round, at most 4.  Uses s->data. */
int sort_ints_setup(struct stress *s, sort_function *sort, unsigned int sorts) SM_MUST;
int sort_ints_run(struct stress *s);

#endif
