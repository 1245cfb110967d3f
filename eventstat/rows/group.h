/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group: sums of rows by process, program, callback or cgroup (-g).  Wakeups without a known task are always
 * grouped by their cause and callback, interrupt or vector.  Sums of rows that look alike in a table.
 */
#ifndef EVENTSTAT_GROUP_H
#define EVENTSTAT_GROUP_H

#include "base/map.h"
#include "event.h"
#include "../opts.h"

struct groups {
	const struct opts *opts;
	struct sm_map map;     /* hash of the key -> index + 1 in event[] */
	struct event *event;
	size_t n, cap;
};

int group_init(struct groups *g, const struct opts *o) SM_MUST;
void group_fini(struct groups *g);
/* Replaces *rows by the groups of the n rows, which borrow from them.  Returns their number, or -ENOMEM. */
ssize_t group_rows(struct groups *g, struct event **rows, size_t n) SM_MUST;

/* Columns of a table that distinguish rows of one task. */
enum { GROUP_SHOWS_FUNC = 1, GROUP_SHOWS_KIND = 2, GROUP_SHOWS_TIMER = 4 };
/* Sets g->event to the n rows, in which rows with equal values in these columns of a table are
 * added up.  Returns their number, or -ENOMEM. */
ssize_t group_alike(struct groups *g, unsigned int shown, const struct event *rows, size_t n) SM_MUST;

#endif
