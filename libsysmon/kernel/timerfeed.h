/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerfeed: gives the events of several sources, one per CPU, to timermodel in the order of their time,
 * with names of tasks from taskcomm.
 *
 * A source gives its own events in order.  What happened after the given time is held back, so that an
 * event of a CPU that was looked at early is not overtaken by one of a CPU that was looked at late.
 */
#ifndef SM_TIMERFEED_H
#define SM_TIMERFEED_H

#include "kernel/taskcomm.h"
#include "kernel/timermodel.h"

struct sm_timerfeed {
	struct sm_timermodel model;
	struct sm_taskcomm tasks;
	unsigned int n; /* sources */
	struct sm_timer_event *next; /* of each */
	uint64_t *time_ns;           /* of that; SM_TIMERFEED_NONE: there is none */
};

#define SM_TIMERFEED_NONE UINT64_MAX

/* The next event of a source; false: there is none now. */
typedef bool (*sm_timerfeed_fn)(void *ctx, unsigned int source, struct sm_timer_event *e);

/* root lives longer.  0 or -ENOMEM; then only sm_timerfeed_fini() may follow. */
int sm_timerfeed_init(struct sm_timerfeed *f, const struct sm_root *root, unsigned int sources) SM_MUST;
void sm_timerfeed_fini(struct sm_timerfeed *f);
/* Counts the events up to that time, CLOCK_MONOTONIC. */
void sm_timerfeed_run(struct sm_timerfeed *f, sm_timerfeed_fn fn, void *ctx, uint64_t until_ns);

#endif
