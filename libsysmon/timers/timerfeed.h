/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerfeed: passes the events of several sources, one per CPU, to timermodel in time order, with names of
 * tasks from taskcomm.
 *
 * A source returns its own events in order.  Events after the given time are held back, so that an event of a
 * CPU that was read early is not overtaken by an event of a CPU that was read late.
 */
#ifndef SM_TIMERFEED_H
#define SM_TIMERFEED_H

#include "timers/taskcomm.h"
#include "timers/timermodel.h"

struct sm_timerfeed {
	struct sm_timermodel model;
	struct sm_taskcomm tasks;
	unsigned int n; /* sources */
	struct sm_timer_event *next; /* next event of each source */
	uint64_t *time_ns;           /* time of that event; SM_TIMERFEED_NONE: no event */
};

#define SM_TIMERFEED_NONE UINT64_MAX

/* Gets the next event of a source; false: no event at present. */
typedef bool (*sm_timerfeed_fn)(void *ctx, unsigned int source, struct sm_timer_event *e);

/* root must outlive f.  0, or -ENOMEM; then the caller may only call sm_timerfeed_fini(). */
int sm_timerfeed_init(struct sm_timerfeed *f, const struct sm_root *root, unsigned int sources) SM_MUST;
void sm_timerfeed_fini(struct sm_timerfeed *f);
/* Counts the events up to until_ns, CLOCK_MONOTONIC. */
void sm_timerfeed_run(struct sm_timerfeed *f, sm_timerfeed_fn fn, void *ctx, uint64_t until_ns);

#endif
