/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select: which rows of a sample count and are shown, and in what order.
 */
#ifndef EVENTSTAT_SELECT_H
#define EVENTSTAT_SELECT_H

#include "event.h"
#include "opts.h"

/* These move the rows that pass to the front, and return how many; all rows stay in the array. */
/* -k -u -p --uid --comm --func; of timers -e --tick --self. */
size_t select_rows(const struct opts *o, struct event *e, size_t n);
/* -t, applied to groups. */
size_t select_over_threshold(
	const struct opts *o, struct event *e, size_t n, uint64_t dt_ns);
/* Puts the first k of n rows in the order of --sort. */
void select_sort(const struct opts *o, struct event *e, size_t n, size_t k);

#endif
