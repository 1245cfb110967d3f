/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerowner: whose a kernel timer is, for the BPF programs of timercount and wakecause.
 *
 * A map has the owners of timers by their address.  A timer that ends the sleep of a task (its callback is
 * hrtimer_wakeup or process_timeout) needs no place there once the address of that callback is known: the
 * task is beside the timer, in struct hrtimer_sleeper (include/linux/hrtimer.h) or struct process_timer
 * (kernel/time/timer.c), also when it slept before counting began.  Such timers are on the stacks of
 * threads, with randomize_kstack_offset at another address each time, and would fill the map.
 */
#ifndef SM_TIMEROWNER_H
#define SM_TIMEROWNER_H

#include "kernel/bpf.h"
#include "kernel/root.h"
#include "kernel/timers.h"

struct sm_timer_owners {
	int owners_fd;
	struct sm_bpf_array sleepers; /* uint64_t: the two addresses */
	uint32_t hr_task, wheel_task, task_pid, task_tgid; /* offsets, if have_tasks */
	bool have_tasks;
};

/* After a failure only sm_timerowner_close() may follow. */
int sm_timerowner_open(struct sm_timer_owners *o, const struct sm_root *root) SM_MUST;
/* func is the address of hrtimer_wakeup (SM_TIMER_HR) or of process_timeout (SM_TIMER_WHEEL). */
void sm_timerowner_sleeper(struct sm_timer_owners *o, enum sm_timer_kind kind, uint64_t func);
void sm_timerowner_close(struct sm_timer_owners *o);

/* Emits: the owner of the timer whose address is at FP + timer and whose callback is at FP + func goes to
 * FP + owner, or SM_TIMER_OWNER_UNKNOWN; 8 bytes each.  Register task: 0, or the address of the task that
 * sleeps; it has to be one of R6 to R9.  Destroys R0 to R5. */
void sm_timerowner_find(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr, int timer,
	int func, int owner, unsigned int task);
/* Emits: the task whose ids are at FP + owner has armed that timer.  lost_fd: an array whose 8 bytes at
 * lost_off count the timers without a place. */
void sm_timerowner_set(struct sm_bpf_asm *a, const struct sm_timer_owners *o, bool hr, int timer,
	int func, int owner, int lost_fd, int lost_off);

#endif
