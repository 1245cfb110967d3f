/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waketotals: the wake-ups of a whole run by their rows (--summary), with the names of tasks that have
 * exited.  Those beyond WAKETOTALS_MAX rows are added to a row of their cause without a task.
 */
#ifndef EVENTSTAT_WAKETOTALS_H
#define EVENTSTAT_WAKETOTALS_H

#include "base/map.h"
#include "base/strpool.h"
#include "event.h"

#define WAKETOTALS_MAX 65536u

struct waketotals {
	struct sm_strpool *names;
	struct sm_map map;     /* hash of cause, function, interrupt and owner -> struct waketotal */
	uint64_t span_ns, all; /* of all samples */
};

int waketotals_init(struct waketotals *t, struct sm_strpool *names) SM_MUST;
void waketotals_fini(struct waketotals *t);
/* All rows of a sample, before they are selected.  -ENOMEM: some of it is missing. */
int waketotals_add(struct waketotals *t, const struct sample *s) SM_MUST;
/* All rows, in memory that the caller frees; their number in *n.  Names of functions are not in them. */
struct event *waketotals_rows(const struct waketotals *t, size_t *n);

#endif
