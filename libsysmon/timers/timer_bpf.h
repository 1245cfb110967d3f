/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer_bpf: owners of kernel timers, for the programs of timercount and wakecause.  Private to *.bpf.c.
 *
 * A map contains the owners of timers, and the payers of their counters, by the address of the timer.  A
 * timer that ends the sleep of a task (its callback is hrtimer_wakeup or process_timeout) needs no entry
 * once the address of this callback is known: the task is next to the timer, in struct hrtimer_sleeper or
 * struct process_timer, even if it slept before counting began.  Such timers are on the stacks of threads,
 * with randomize_kstack_offset at a different address each time, and would fill the map.
 */
#ifndef SM_TIMER_BPF_H
#define SM_TIMER_BPF_H

#include "bpf/bpf_kern.h"
#include "timers/shares.h"
#include "timers/timers.h"

MAP(timer_owners, HASH, 0, SM_TIMER_OWNERS_MAX, uint64_t, struct sm_timer_armed);

/* Written by the reader. */
struct sm_timer_symbols timer_symbols SEC(".data.symbols");

/* --- the context ----------------------------------------------------------------------- */

/* The bits of the preempt count (include/linux/preempt.h) of NMIs, hard interrupts, and a soft interrupt that
 * is served.  A task that has only disabled soft interrupts has another bit. */
#define SERVED_SOFT 0x100
#define SERVED	    (0xff0000 | SERVED_SOFT)

enum context { CONTEXT_UNKNOWN, CONTEXT_TASK, CONTEXT_INTERRUPT };

/* Address of the run queue of a CPU, from which other per-CPU variables are found; 0: not known yet. */
MAP(timer_queues, PERCPU_ARRAY, 0, 1, uint32_t, uint64_t);

/* Returns the run queue of this CPU, found through the current task, or 0. */
INLINE uint64_t find_queue(void)
{
	const struct task_struct *task = bpf_get_current_task();
	const struct cfs_rq *cfs = NULL;
	const struct rq *rq = NULL;
	int cpu = -1;

	if (!HAS(task->se.cfs_rq) || !HAS(cfs->rq) || !HAS(rq->cpu))
		return 0;
	READ(cfs, task->se.cfs_rq);
	READ(rq, cfs->rq);
	READ(cpu, rq->cpu);
	return rq && cpu == (int)bpf_get_smp_processor_id() ? (uint64_t)rq : 0;
}

/* Returns the address of a per-CPU variable of this CPU at this distance from its run queue; 0: unknown. */
INLINE uint64_t variable(uint64_t distance)
{
	uint32_t zero = 0;
	uint64_t *queue = distance ? bpf_map_lookup_elem(&timer_queues, &zero) : NULL;

	if (!queue)
		return 0;
	if (!*queue)
		*queue = find_queue();
	return *queue ? *queue + distance : 0;
}

INLINE bool find_preempt_count(uint32_t *count)
{
	const struct task_struct *task = bpf_get_current_task();
	const uint32_t *at;

	if (HAS(task->thread_info.preempt.count)) {
		READ(*count, task->thread_info.preempt.count);
		return true;
	}
	at = (const void *)variable(LOAD(timer_symbols.preempt_count));
	if (!at)
		return false;
	READ(*count, *at);
	return true;
}

INLINE enum context find_context(void)
{
	const struct task_struct *task;
	uint32_t count, soft = 0;

	if (!find_preempt_count(&count))
		return CONTEXT_UNKNOWN;
	task = bpf_get_current_task();
	if (HAS(task->softirq_disable_cnt))
		READ(soft, task->softirq_disable_cnt);
	return count & SERVED || soft & SERVED_SOFT ? CONTEXT_INTERRUPT : CONTEXT_TASK;
}

/* --- timers ------------------------------------------------------------------------------ */

/* Callback of a delayed work; 0: unknown, as before Linux 6.4 (timers/timerowner.h). */
FUNCTION(delayed_work_timer_fn);

/* The kind of a timer, and func and work as in struct sm_timer_key. */
struct timer {
	uint64_t func;
	uint32_t kind, work;
};

INLINE bool is_callback(uint64_t func, enum sm_timer_callback callback)
{
	return func == LOAD(timer_symbols.callback[callback]);
}

/* Replaces the callback of a delayed work by the work's function. */
INLINE void read_work(struct timer *t, const struct timer_list *timer)
{
	const struct delayed_work *delayed = NULL;

	if (!HAS(delayed->timer.flags) || !HAS(delayed->work.func))
		return;
	if (t->func != (uint64_t)delayed_work_timer_fn && !is_callback(t->func, SM_TIMER_WORK))
		return;
	delayed = (const void *)((uint64_t)timer - OFFSET(delayed->timer.flags) + OFFSET(timer->flags));
	READ(t->func, delayed->work.func);
	t->work = 1;
}

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
	read_work(&t, wheel);
	return t;
}

INLINE bool ends_sleep(bool hr, uint64_t func)
{
	return is_callback(func, hr ? SM_TIMER_SLEEPER_HR : SM_TIMER_SLEEPER_WHEEL);
}

/* True for the timer of this CPU's tick, identified by its address or, if unknown, by its callback. */
INLINE bool is_tick(uint64_t at, uint64_t func)
{
	uint64_t tick = variable(LOAD(timer_symbols.tick));

	return tick ? at == tick : is_callback(func, SM_TIMER_TICK);
}

/* True if the kernel's types show the task of a sleep timer; both structures have it, or neither. */
INLINE bool has_sleepers(void)
{
	return HAS(((struct hrtimer_sleeper *)0)->task) && HAS(((struct process_timer *)0)->task);
}

/* Returns 1 for a kernel thread; 0 for others, and if the flags are unknown. */
INLINE uint64_t is_kthread(const struct task_struct *task)
{
	uint32_t flags = 0;

	if (HAS(task->flags))
		READ(flags, task->flags);
	return flags & PF_KTHREAD ? 1 : 0;
}

/* Returns the task whose sleep the timer ends, or NULL if it ends none or that is unknown. */
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

/* --- owners: passed by pointer, because clang compiles returned structures to shifts ----- */

INLINE bool same_owner(const struct sm_timer_owner *a, const struct sm_timer_owner *b)
{
	return a->ids == b->ids && a->birth == b->birth;
}

INLINE void set_owner(struct sm_timer_owner *owner, uint64_t ids)
{
	owner->ids = ids;
	owner->birth = 0;
}

/* Makes the task the owner. */
INLINE void task_owner(struct sm_timer_owner *owner, const struct task_struct *task)
{
	uint32_t tid, tgid;

	READ(tid, task->pid);
	READ(tgid, task->tgid);
	set_owner(owner, (uint64_t)tgid << 32 | tid);
	if (HAS(task->start_boottime))
		READ(owner->birth, task->start_boottime);
}

/* Makes the current task the owner, even if members of a task are unknown.  The idle tasks of all CPUs are
 * one owner. */
INLINE void current_owner(struct sm_timer_owner *owner)
{
	const struct task_struct *task = bpf_get_current_task();

	set_owner(owner, bpf_get_current_pid_tgid());
	if (owner->ids && HAS(task->start_boottime))
		READ(owner->birth, task->start_boottime);
}

/* Finds the owner of a timer.  Returns the task whose sleep the timer ends, which is the owner; if it ends
 * none, NULL, and *payer is the payer of the owner's counters. */
INLINE const struct task_struct *find_owner(
	struct sm_timer_owner *owner, uint64_t *payer, bool hr, uint64_t at, uint64_t func)
{
	const struct task_struct *sleeper = sleeper_of(hr, at, func);
	const struct sm_timer_armed *known;

	*payer = SM_SHARES_PAYER_UNKNOWN;
	if (sleeper) {
		task_owner(owner, sleeper);
		return sleeper;
	}
	known = bpf_map_lookup_elem(&timer_owners, &at);
	if (is_callback(func, SM_TIMER_DEADLINE))
		set_owner(owner, SM_TIMER_OWNER_KERNEL);
	else if (known) {
		*owner = known->owner;
		*payer = known->payer;
	} else
		set_owner(owner, SM_TIMER_OWNER_UNKNOWN);
	return NULL;
}

#endif
