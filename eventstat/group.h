/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group: sums of rows by process, program, callback or control group (-g).  Wake-ups without a task, or by
 * one that is not known, are grouped by their cause and callback, interrupt or vector in any case.
 */
#ifndef EVENTSTAT_GROUP_H
#define EVENTSTAT_GROUP_H

#include "base/map.h"
#include "event.h"
#include "opts.h"

struct groups {
	const struct opts *opts;
	struct sm_map map;     /* hash of the key -> index + 1 in event[] */
	struct event *event;
	size_t n, cap;
};

int group_init(struct groups *g, const struct opts *o) SM_MUST;
void group_fini(struct groups *g);
/* The groups of n rows, in *rows; their number, or -ENOMEM.  They borrow from the rows. */
ssize_t group_rows(struct groups *g, struct event **rows, size_t n) SM_MUST;

#endif
