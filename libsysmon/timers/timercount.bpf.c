// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_kern.h"
#include "timers/shares_bpf.h"
#include "timers/timer_bpf.h"
#include "timers/timers.h"

MAP(timer_counts, HASH, 0, SM_TIMER_COUNTERS_MAX, struct sm_timer_key,
	struct sm_timer_counts);

struct sm_timer_losses losses;
const volatile uint32_t by_timer; /* timers are counted one by one */

/* Notes the owner of an armed timer.  task: the current one if it is the owner, or NULL.
 */
INLINE void own(uint64_t timer, const struct sm_timer_owner *owner,
	const struct task_struct *task)
{
	const struct sm_timer_armed *known = bpf_map_lookup_elem(&timer_owners, &timer);
	struct sm_timer_armed armed = {.owner = *owner, .payer = SM_SHARES_PAYER_UNKNOWN};

	if (known && same_owner(&known->owner, owner))
		return;
	if (task)
		armed.payer = payer_of(task, true);
	if (bpf_map_update_elem(&timer_owners, &timer, &armed, BPF_ANY))
		ADD(losses.owners, 1);
}

/* Finds the owner of a timer that is armed now; true if it is the current task.  The
 * rules are in timers/timers.h. */
INLINE bool find_starter(struct sm_timer_owner *owner, uint64_t *payer, bool hr,
	uint64_t timer, uint64_t func)
{
	enum context context = find_context();

	if (context == CONTEXT_TASK && !is_callback(func, SM_TIMER_DEADLINE)) {
		current_owner(owner);
		if (!has_sleepers() || !ends_sleep(hr, func))
			own(timer, owner, bpf_get_current_task());
		return true;
	}
	find_owner(owner, payer, hr, timer, func);
	if (context == CONTEXT_INTERRUPT && owner->ids == SM_TIMER_OWNER_UNKNOWN) {
		set_owner(owner, SM_TIMER_OWNER_INTERRUPT);
		own(timer, owner, NULL);
	}
	return false;
}

/* Notes time and CPU time of the current task, which arms its first timer of this key. */
INLINE void describe(struct sm_timer_counts *c)
{
	const struct task_struct *task;

	c->seen_ns = bpf_ktime_get_ns();
	task = bpf_get_current_task();
	if (HAS(task->se.sum_exec_runtime))
		READ(c->cpu_ns, task->se.sum_exec_runtime);
	c->kthread = is_kthread(task);
}

INLINE void name_process(struct sm_timer_counts *c)
{
	const struct task_struct *task = bpf_get_current_task(), *leader = NULL;

	if (!HAS(task->group_leader) || !HAS(task->comm))
		return;
	READ(leader, task->group_leader);
	READ(c->process, leader->comm);
}

/* Notes the name of the current task, which may have changed. */
INLINE void name_owner(struct sm_timer_counts *c)
{
	uint64_t now[SM_TASK_COMM_LEN / sizeof(uint64_t)];
	uint64_t *comm = (uint64_t *)c->comm;

	bpf_get_current_comm(now, sizeof(now));
	if (comm[0] == now[0] && comm[1] == now[1])
		return;
	comm[0] = now[0];
	comm[1] = now[1];
	name_process(c);
	c->named_ns = bpf_ktime_get_ns();
}

/* Notes the name of an owner that is not the current task, or of the leader of a process.
 */
INLINE void describe_other(struct sm_timer_counts *c, const struct sm_timer_key *key,
	const struct task_struct *task)
{
	if (sm_timer_is_user(key->owner) || !HAS(task->comm))
		return;
	if (sm_timer_is_process(key->owner))
		READ(task, task->group_leader);
	READ(c->comm, task->comm);
	c->kthread = is_kthread(task);
}

INLINE struct sm_timer_counts *add_counts(struct sm_timer_key *key, uint64_t payer,
	const struct task_struct *task, bool armed)
{
	struct sm_timer_counts *c, first = {.payer = payer};
	struct sm_shares *s = all_shares();

	if (!s)
		return NULL;
	if (task)
		first.payer = payer_of(task, armed);
	if (by_timer && !has_share(s, first.payer, 1))
		key->timer = 0;
	share(&key->owner, &timer_counts, key, s, first.payer, task);
	c = bpf_map_lookup_elem(&timer_counts, key);
	if (c)
		return c;
	if (armed && sm_timer_is_thread(key->owner))
		describe(&first);
	else if (task)
		describe_other(&first, key, task);
	if (!bpf_map_update_elem(&timer_counts, key, &first, BPF_NOEXIST))
		count_made(s, first.payer);
	return bpf_map_lookup_elem(&timer_counts, key);
}

/* Returns the counters of the key, or NULL if there is no room for them.  task: the
 * owner, which arms the timer now or sleeps already; if it is not known, NULL, and payer
 * counts. */
INLINE struct sm_timer_counts *counts_of(struct sm_timer_key *key, uint64_t payer,
	const struct task_struct *task, bool armed)
{
	struct sm_timer_counts *c = bpf_map_lookup_elem(&timer_counts, key);

	return c ? c : add_counts(key, payer, task, armed);
}

INLINE struct sm_timer_key key_of(const struct timer *t, uint64_t timer)
{
	return (struct sm_timer_key){.func = t->func,
		.kind = t->kind,
		.work = t->work,
		.timer = by_timer ? timer : 0};
}

INLINE int start(bool hr, uint64_t timer)
{
	struct timer t = read_timer(hr, timer);
	struct sm_timer_key key = key_of(&t, timer);
	uint64_t payer = SM_SHARES_PAYER_UNKNOWN;
	bool armed = find_starter(&key.owner, &payer, hr, timer, t.func);
	const struct task_struct *task = armed ? bpf_get_current_task() : NULL;
	struct sm_timer_counts *c = counts_of(&key, payer, task, armed);

	if (!c) {
		ADD(losses.events, 1);
		return 0;
	}
	if (armed && sm_timer_is_thread(key.owner))
		name_owner(c);
	ADD(c->starts, 1);
	return 0;
}

INLINE int expire(bool hr, uint64_t timer)
{
	struct timer t = read_timer(hr, timer);
	struct sm_timer_key key = key_of(&t, timer);
	uint64_t payer;
	const struct task_struct *sleeper =
		find_owner(&key.owner, &payer, hr, timer, t.func);
	struct sm_timer_counts *c = counts_of(&key, payer, sleeper, false);

	if (!c) {
		ADD(losses.events, 1);
		return 0;
	}
	ADD(c->expiries, 1);
	if (!bpf_get_current_pid_tgid())
		ADD(c->idle, 1);
	return 0;
}

/* The first argument of each tracepoint is the timer.  Expiries are attached first. */
SEC("raw_tp/hrtimer_expire_entry") int hrtimer_expire(uint64_t *ctx)
{
	return expire(true, ctx[0]);
}

SEC("raw_tp/timer_expire_entry") int timer_expire(uint64_t *ctx)
{
	return expire(false, ctx[0]);
}

SEC("raw_tp/hrtimer_start") int hrtimer_start(uint64_t *ctx)
{
	return start(true, ctx[0]);
}

SEC("raw_tp/timer_start") int timer_start(uint64_t *ctx)
{
	return start(false, ctx[0]);
}
