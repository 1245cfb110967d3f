/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals: what each task did with each callback in the whole run (--summary).
 *
 * A total stays when its task has exited.  Memory is bounded: what comes after TOTALS_MAX totals is added up
 * in a last one, "(others)".
 */
#ifndef EVENTSTAT_TOTALS_H
#define EVENTSTAT_TOTALS_H

#include "base/map.h"
#include "event.h"

#define TOTALS_MAX 65536

struct totals {
	struct sm_map map;        /* event_key() -> index + 1 */
	struct sm_strpool *names; /* holds those of the totals */
	struct event *event;      /* n of them; now: of the run */
	size_t n, cap;
	uint64_t span_ns;         /* of the samples */
	bool has_others;          /* the last one is "(others)" */
};

/* names: lives longer. */
int totals_init(struct totals *t, struct sm_strpool *names) SM_MUST;
void totals_fini(struct totals *t);
/* -ENOMEM: rows are missing in the totals. */
int totals_add(struct totals *t, const struct event *rows, size_t n, uint64_t dt_ns) SM_MUST;

#endif
