/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerowner: whose a kernel timer is: the memory that the BPF programs of timercount and wakecause share
 * (timer_bpf.h).
 *
 * Which task sleeps is read beside its timer once the address of the callback that ends a sleep is known.
 */
#ifndef SM_TIMEROWNER_H
#define SM_TIMEROWNER_H

#include "kernel/bpf_object.h"
#include "kernel/timers.h"

struct sm_timer_owners {
	int owners_fd;                /* owners of timers by their address */
	int sleepers_fd;
	struct sm_bpf_array sleepers; /* uint64_t: SM_TIMER_SLEEPERS addresses */
};

#define SM_TIMER_OWNERS_INIT {.owners_fd = -1, .sleepers_fd = -1}

/* Makes the maps of an open loader; owners and sleepers are their numbers in it.  After a failure only
 * sm_timerowner_close() may follow. */
int sm_timerowner_open(struct sm_timer_owners *o, struct sm_bpf_loader *l, unsigned int owners,
	unsigned int sleepers) SM_MUST;
/* func is the address of hrtimer_wakeup (SM_TIMER_HR) or of process_timeout (SM_TIMER_WHEEL). */
void sm_timerowner_sleeper(struct sm_timer_owners *o, enum sm_timer_kind kind, uint64_t func);
void sm_timerowner_close(struct sm_timer_owners *o);

#endif
