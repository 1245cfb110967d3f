/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select: which rows of a sample count and are shown, and in what order.
 */
#ifndef EVENTSTAT_SELECT_H
#define EVENTSTAT_SELECT_H

#include "event.h"
#include "opts.h"

/* These move the rows that pass to the front, and return how many; all rows stay in the array. */
/* -k -u -p --uid --comm --func -e --tick --self. */
size_t select_rows(const struct opts *o, struct event *e, size_t n);
/* Does a row pass those about its task: -k -u -p --uid --comm? */
bool select_task(const struct opts *o, const struct event *e);
/* -t. */
bool select_is_over(const struct opts *o, const struct event *e, uint64_t dt_ns);
/* The same, applied to groups. */
size_t select_over_threshold(
	const struct opts *o, struct event *e, size_t n, uint64_t dt_ns);
/* Puts the first k of n rows in the order of --sort. */
void select_sort(const struct opts *o, struct event *e, size_t n, size_t k);
/* The same of rows of `size` bytes that begin with a struct event. */
void select_sort_rows(const struct opts *o, void *rows, size_t n, size_t size, size_t k);

#endif
