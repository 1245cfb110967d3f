/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timermodel: counts timer events in user space by the rules of timers.h, as the BPF programs of
 * timercount do in the kernel.
 *
 * Events are added in time order.  Memory is bounded: SM_TIMER_OWNERS_MAX timers and SM_TIMER_COUNTERS_MAX
 * counters; events without room are counted as lost.  When the table of timers is full, the owners of all
 * timers are forgotten, because timers that no longer exist cannot be distinguished from others.  An expiry
 * event does not show whether a wheel timer is deferrable.  If the timer has not been armed since its owner
 * was forgotten, or since counting began, its expiry counts as SM_TIMER_WHEEL.
 */
#ifndef SM_TIMERMODEL_H
#define SM_TIMERMODEL_H

#include "base/map.h"
#include "timers/timers.h"

struct sm_timermodel {
	struct sm_timer_key *key; /* n keys */
	struct sm_timer_counts *counts;
	uint32_t n;
	bool by_timer; /* timers are counted one by one; set before the first event */
	struct sm_timer_losses lost;
	struct sm_map places;     /* hash of a key -> index + 1 */
	struct sm_map owners;     /* address of a timer -> element of owned[] */
	struct sm_timer_key *owned;
	uint32_t n_owned;
};

/* 0, or -ENOMEM; then the caller may only call sm_timermodel_fini(). */
int sm_timermodel_init(struct sm_timermodel *m) SM_MUST;
void sm_timermodel_fini(struct sm_timermodel *m);

/* Counts an event, which must be a timer event.  Returns the counters if the current task
 * armed the timer, so that the caller can add the owner's name; otherwise NULL. */
struct sm_timer_counts *sm_timermodel_add(struct sm_timermodel *m, const struct sm_timer_event *e);
/* Deletes the counters of a task that has exited, and returns their last values in *rest.  The last
 * counters in the array take their place.  -ENOENT: no counters. */
int sm_timermodel_delete(struct sm_timermodel *m, const struct sm_timer_key *key,
	struct sm_timer_counts *rest) SM_MUST;

#endif
