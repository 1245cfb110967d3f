/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select: filters and sorts the rows of a sample.
 */
#ifndef EVENTSTAT_SELECT_H
#define EVENTSTAT_SELECT_H

#include "event.h"
#include "../opts.h"
#include "../tasks.h"

/* True if select_rows() requires the data of /proc. */
bool select_uses_proc(const struct opts *o);
/* Both move the rows that pass to the front and return their number; all rows stay in the array.
 * select_rows() applies -k -u -p --uid --comm --func, and to timers -e --tick --self.
 * t: where to look up the rows, if they are to be looked up here; or NULL. */
size_t select_rows(const struct opts *o, struct tasks *t, struct event *e, size_t n);
/* Applies -t; called for groups. */
size_t select_over_threshold(
	const struct opts *o, struct event *e, size_t n, uint64_t dt_ns);
/* Brings the first k of n rows into the order of --sort. */
void select_sort(const struct opts *o, struct event *e, size_t n, size_t k);

#endif
