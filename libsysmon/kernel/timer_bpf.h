/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer_bpf: whose a kernel timer is, for the programs of timercount and wakecause.  Private to *.bpf.c.
 *
 * A map has the owners of timers by their address.  A timer that ends the sleep of a task (its callback is
 * hrtimer_wakeup or process_timeout) needs no place there once the address of that callback is known: the
 * task is beside the timer, in struct hrtimer_sleeper or struct process_timer, also when it slept before
 * counting began.  Such timers are on the stacks of threads, with randomize_kstack_offset at another
 * address each time, and would fill the map.
 */
#ifndef SM_TIMER_BPF_H
#define SM_TIMER_BPF_H

#include "kernel/bpf_kern.h"
#include "kernel/timers.h"

MAP(timer_owners, HASH, 0, SM_TIMER_OWNERS_MAX, uint64_t, struct sm_timer_owner);

/* The callbacks that end a sleep, of hrtimers and of the wheel; written by sm_timerowner_sleeper(). */
uint64_t timer_sleepers[SM_TIMER_SLEEPERS] SEC(".data.sleepers");

/* The kind and the callback of a timer. */
struct timer {
	uint64_t kind, func;
};

INLINE struct timer read_timer(bool hr, uint64_t at)
{
	const struct timer_list *wheel = (const void *)at;
	const struct hrtimer *hrtimer = (const void *)at;
	struct timer t = {.kind = SM_TIMER_HR};
	uint32_t flags;

	if (hr) {
		READ(t.func, hrtimer->function);
		return t;
	}
	READ(t.func, wheel->function);
	READ(flags, wheel->flags);
	t.kind = flags & SM_TIMER_FLAG_DEFERRABLE ? SM_TIMER_DEFERRABLE : SM_TIMER_WHEEL;
	return t;
}

INLINE bool ends_sleep(bool hr, uint64_t func)
{
	return func == LOAD(timer_sleepers[hr ? SM_TIMER_SLEEPER_HR : SM_TIMER_SLEEPER_WHEEL]);
}

/* Both structures have a task, or neither. */
INLINE bool has_sleepers(void)
{
	return HAS(((struct hrtimer_sleeper *)0)->task) && HAS(((struct process_timer *)0)->task);
}

/* 1 of a kernel thread; 0 also where it is not known. */
INLINE uint64_t is_kthread(const struct task_struct *task)
{
	uint32_t flags = 0;

	if (HAS(task->flags))
		READ(flags, task->flags);
	return flags & PF_KTHREAD ? 1 : 0;
}

/* The task whose sleep the timer ends; NULL: it does not, or that is not known. */
INLINE const struct task_struct *sleeper_of(bool hr, uint64_t at, uint64_t func)
{
	const struct hrtimer_sleeper *sleeper = (const void *)at;
	const struct process_timer *process = (const void *)at;
	const struct task_struct *task = NULL;

	if (!has_sleepers() || !ends_sleep(hr, func))
		return NULL;
	if (hr)
		READ(task, sleeper->task);
	else
		READ(task, process->task);
	return task;
}

/* By value clang would read each byte of a map's value. */
INLINE bool same_owner(const struct sm_timer_owner *a, const struct sm_timer_owner *b)
{
	return a->ids == b->ids && a->birth == b->birth;
}

/* The owner that is the task. */
INLINE struct sm_timer_owner task_owner(const struct task_struct *task)
{
	struct sm_timer_owner owner = {0};
	uint32_t tid, tgid;

	READ(tid, task->pid);
	READ(tgid, task->tgid);
	owner.ids = (uint64_t)tgid << 32 | tid;
	if (HAS(task->start_boottime))
		READ(owner.birth, task->start_boottime);
	return owner;
}

/* The owner that is the current task, also where members of a task are not known.  The idle tasks of all CPUs
 * are one. */
INLINE struct sm_timer_owner current_owner(void)
{
	struct sm_timer_owner owner = {.ids = bpf_get_current_pid_tgid()};
	const struct task_struct *task = bpf_get_current_task();

	if (owner.ids && HAS(task->start_boottime))
		READ(owner.birth, task->start_boottime);
	return owner;
}

#define UNKNOWN_OWNER ((struct sm_timer_owner){.ids = SM_TIMER_OWNER_UNKNOWN})

/* *sleeper: the owner, if the timer ends its sleep; else NULL. */
INLINE struct sm_timer_owner owner_of(bool hr, uint64_t at, uint64_t func,
	const struct task_struct **sleeper)
{
	const struct sm_timer_owner *owner;

	*sleeper = sleeper_of(hr, at, func);
	if (*sleeper)
		return task_owner(*sleeper);
	owner = bpf_map_lookup_elem(&timer_owners, &at);
	return owner ? *owner : UNKNOWN_OWNER;
}

#endif
