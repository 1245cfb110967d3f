/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals: the counts of each row in the whole run (--summary).
 *
 * A total remains when its task exits.  Memory is bounded: after TOTALS_MAX totals, further timers are
 * added to a last total, "(others)", and further wakeups to a total of their cause without a task.
 */
#ifndef EVENTSTAT_TOTALS_H
#define EVENTSTAT_TOTALS_H

#include "base/map.h"
#include "event.h"

#define TOTALS_MAX 65536

/* References to the names of a total; NULL: unknown. */
struct total_names {
	struct sm_poolstr *comm, *func, *cmd, *cgroup;
};

struct totals {
	struct sm_map map;        /* event_key() -> index + 1 */
	struct sm_strpool *names;
	struct event *event;      /* n totals; now: counts of the run */
	struct total_names *held; /* n entries */
	size_t n, cap, held_cap;
	uint64_t span_ns;         /* length of all samples */
	uint64_t all;             /* starts or wakeups of all rows */
};

/* names must outlive the totals. */
int totals_init(struct totals *t, struct sm_strpool *names) SM_MUST;
void totals_fini(struct totals *t);
/* Adds the rows of a sample.  -ENOMEM: some rows are missing from the totals. */
int totals_add(struct totals *t, const struct event *rows, size_t n, uint64_t dt_ns) SM_MUST;

#endif
