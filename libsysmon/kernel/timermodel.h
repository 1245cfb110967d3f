/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timermodel: counts timer events in user space by the rules of timers.h, as the BPF programs of
 * timercount do in the kernel.
 *
 * Events are added in the order of their time.  Memory is bounded: SM_TIMER_OWNERS_MAX timers and
 * SM_TIMER_COUNTERS_MAX counters; what finds no room is counted as lost.  When there are more timers,
 * the owners of all are forgotten, because those of timers that no longer exist cannot be told apart.
 * An expiry does not tell whether a timer of the wheel is deferrable: that of one that was not armed
 * since counts as SM_TIMER_WHEEL.
 */
#ifndef SM_TIMERMODEL_H
#define SM_TIMERMODEL_H

#include "base/map.h"
#include "kernel/timers.h"

struct sm_timermodel {
	struct sm_timer_key *key; /* n of them */
	struct sm_timer_counts *counts;
	uint32_t n;
	bool by_timer; /* timers are counted one by one; set before the first event */
	struct sm_timer_losses lost;
	struct sm_map places;     /* hash of a key -> its index + 1 */
	struct sm_map owners;     /* address of a timer -> one of owned[] */
	struct sm_timer_key *owned;
	uint32_t n_owned;
};

/* 0 or -ENOMEM; then only sm_timermodel_fini() may follow. */
int sm_timermodel_init(struct sm_timermodel *m) SM_MUST;
void sm_timermodel_fini(struct sm_timermodel *m);

/* The type of e is one of a timer.  Returns the counters if the current task armed the timer, so
 * that the caller may add the owner's name; otherwise NULL. */
struct sm_timer_counts *sm_timermodel_add(struct sm_timermodel *m, const struct sm_timer_event *e);
/* Deletes the counters of a task that has exited, which were at rest, and the last ones take their place;
 * -ENOENT: there are none. */
int sm_timermodel_delete(struct sm_timermodel *m, const struct sm_timer_key *key,
	struct sm_timer_counts *rest) SM_MUST;

#endif
