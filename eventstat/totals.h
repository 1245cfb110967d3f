/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals: what each row counted in the whole run (--summary).
 *
 * A total stays when its task has exited.  Memory is bounded: what comes after TOTALS_MAX totals is added up
 * in a last one, "(others)", or of wake-ups in one of the same cause without a task.
 */
#ifndef EVENTSTAT_TOTALS_H
#define EVENTSTAT_TOTALS_H

#include "base/map.h"
#include "event.h"

#define TOTALS_MAX 65536

/* References to the names of a total; NULL: not known. */
struct total_names {
	struct sm_poolstr *comm, *func, *cmd, *cgroup;
};

struct totals {
	struct sm_map map;        /* event_key() -> index + 1 */
	struct sm_strpool *names;
	struct event *event;      /* n of them; now: of the run */
	struct total_names *held; /* n of them */
	size_t n, cap, held_cap;
	uint64_t span_ns;         /* of the samples */
	uint64_t all;             /* starts or wake-ups of all rows */
};

/* names: lives longer. */
int totals_init(struct totals *t, struct sm_strpool *names) SM_MUST;
void totals_fini(struct totals *t);
/* -ENOMEM: rows are missing in the totals. */
int totals_add(struct totals *t, const struct event *rows, size_t n, uint64_t dt_ns) SM_MUST;

#endif
