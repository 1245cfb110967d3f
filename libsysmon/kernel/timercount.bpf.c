// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/bpf_kern.h"
#include "kernel/timer_bpf.h"
#include "kernel/timers.h"

MAP(timer_counts, HASH, 0, SM_TIMER_COUNTERS_MAX, struct sm_timer_key,
	struct sm_timer_counts);

/* The timer whose expiry was the last one on a CPU, of the two kinds, and the task that
 * it interrupted. */
struct last {
	uint64_t timer[2], interrupted[2];
};

MAP(timer_last, PERCPU_ARRAY, 0, 1, uint32_t, struct last);

struct sm_timer_losses losses;
const volatile uint32_t by_timer; /* timers are counted one by one */

INLINE struct last *last_of_cpu(void)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(&timer_last, &zero);
}

/* The owner of the timer is the task that arms it. */
INLINE void own(bool hr, uint64_t timer, uint64_t func, const struct sm_timer_owner *task)
{
	const struct sm_timer_owner *owner;

	if (has_sleepers() && ends_sleep(hr, func))
		return;
	owner = bpf_map_lookup_elem(&timer_owners, &timer);
	if (owner && same_owner(owner, task))
		return;
	if (bpf_map_update_elem(&timer_owners, &timer, task, BPF_ANY))
		ADD(losses.owners, 1);
}

/* Whoever arms the timer: the current task, if it is not the callback in an interrupt. */
INLINE struct sm_timer_owner starter_of(
	bool hr, uint64_t timer, uint64_t func, const struct sm_timer_owner *current)
{
	const struct last *last = last_of_cpu();
	const struct task_struct *sleeper;

	if (last && last->timer[!hr] == timer && last->interrupted[!hr] == current->ids)
		return owner_of(hr, timer, func, &sleeper);
	own(hr, timer, func, current);
	return *current;
}

INLINE struct sm_timer_owner owner_at_expiry(bool hr, uint64_t timer, uint64_t func,
	uint64_t current, const struct task_struct **sleeper)
{
	struct last *last = last_of_cpu();

	if (last) {
		last->timer[!hr] = timer;
		last->interrupted[!hr] = current;
	}
	return owner_of(hr, timer, func, sleeper);
}

/* Name, time and CPU time of the current task, which arms its first timer of this key. */
INLINE void describe(struct sm_timer_counts *c)
{
	const struct task_struct *task;

	bpf_get_current_comm(c->comm, sizeof(c->comm));
	c->seen_ns = bpf_ktime_get_ns();
	task = bpf_get_current_task();
	if (HAS(task->se.sum_exec_runtime))
		READ(c->cpu_ns, task->se.sum_exec_runtime);
	c->kthread = is_kthread(task);
}

/* The counters of the key, which are made if there are none; NULL: without room.
 * armed: by the owner; sleeper: the owner, if it sleeps already. */
INLINE struct sm_timer_counts *counts_of(
	const struct sm_timer_key *key, bool armed, const struct task_struct *sleeper)
{
	struct sm_timer_counts *c = bpf_map_lookup_elem(&timer_counts, key), first = {0};

	if (c)
		return c;
	if (armed) {
		describe(&first);
	} else if (sleeper && HAS(sleeper->comm)) {
		READ(first.comm, sleeper->comm);
		first.kthread = is_kthread(sleeper);
	}
	bpf_map_update_elem(&timer_counts, key, &first, BPF_NOEXIST);
	return bpf_map_lookup_elem(&timer_counts, key);
}

INLINE int start(bool hr, uint64_t timer)
{
	struct sm_timer_owner current = current_owner();
	struct timer t = read_timer(hr, timer);
	struct sm_timer_key key = {.func = t.func,
		.kind = t.kind,
		.timer = by_timer ? timer : 0,
		.owner = starter_of(hr, timer, t.func, &current)};
	struct sm_timer_counts *c =
		counts_of(&key, same_owner(&key.owner, &current), NULL);

	if (c)
		ADD(c->starts, 1);
	else
		ADD(losses.events, 1);
	return 0;
}

INLINE int expire(bool hr, uint64_t timer)
{
	uint64_t current = bpf_get_current_pid_tgid();
	struct timer t = read_timer(hr, timer);
	const struct task_struct *sleeper;
	struct sm_timer_key key = {.func = t.func,
		.kind = t.kind,
		.timer = by_timer ? timer : 0,
		.owner = owner_at_expiry(hr, timer, t.func, current, &sleeper)};
	struct sm_timer_counts *c = counts_of(&key, false, sleeper);

	if (!c) {
		ADD(losses.events, 1);
		return 0;
	}
	ADD(c->expiries, 1);
	if (!current)
		ADD(c->idle, 1);
	return 0;
}

/* The first argument of each is the timer. */
SEC("raw_tp/hrtimer_start") int hrtimer_start(uint64_t *ctx)
{
	return start(true, ctx[0]);
}

SEC("raw_tp/hrtimer_expire_entry") int hrtimer_expire(uint64_t *ctx)
{
	return expire(true, ctx[0]);
}

SEC("raw_tp/timer_start") int timer_start(uint64_t *ctx)
{
	return start(false, ctx[0]);
}

SEC("raw_tp/timer_expire_entry") int timer_expire(uint64_t *ctx)
{
	return expire(false, ctx[0]);
}
