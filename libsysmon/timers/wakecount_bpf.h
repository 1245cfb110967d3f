/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakecount_bpf: counters of idle periods by their cause, for the programs of wakecause.  Private to *.bpf.c.
 */
#ifndef SM_WAKECOUNT_BPF_H
#define SM_WAKECOUNT_BPF_H

#include "timers/shares_bpf.h"
#include "timers/wakes.h"

MAP(wake_counts, HASH, 0, SM_WAKECAUSE_MAX, struct sm_wake_key, struct sm_wake_counts);

/* Returns the task that owns the cause, or NULL if it has exited or is not known. */
INLINE const struct task_struct *living_owner(const struct sm_wake_cpu *c)
{
	const struct task_struct *task = (void *)c->pays.task;
	struct sm_timer_owner now;

	if (!task)
		return NULL;
	task_owner(&now, task);
	return same_owner(&now, &c->owner) ? task : NULL;
}

/* Notes the name of the owner in the key, if it is known. */
INLINE void name(struct sm_wake_counts *first, const struct sm_wake_key *key,
	const struct sm_wake_cpu *c, const struct task_struct *task)
{
	if (same_owner(&key->owner, &c->named.owner)) {
		__builtin_memcpy(first->comm, c->named.comm, sizeof(first->comm));
		first->kthread = c->named.kthread;
	} else if (task && sm_timer_is_process(key->owner)) {
		READ(task, task->group_leader);
		READ(first->comm, task->comm);
		first->kthread = is_kthread(task);
	}
}

/* Replaces the task that ran by others if the share of the payer is used up. */
INLINE void share_woke(struct sm_wake_key *key, const struct sm_shares *s, uint32_t payer)
{
	if (!key->woke || has_share(s, payer, 1))
		return;
	key->woke = SM_WAKE_WOKE_OTHERS;
	__builtin_memset(key->woke_comm, 0, sizeof(key->woke_comm));
}

/* Makes the counters of the key, which may lose names for lack of room; NULL without
 * room. */
INLINE struct sm_wake_counts *add_counts(
	const struct sm_wake_cpu *c, struct sm_wake_key *key)
{
	struct sm_wake_counts *counts, first = {.payer = SM_SHARES_PAYER_UNKNOWN};
	const struct task_struct *task = living_owner(c);
	struct sm_shares *s = all_shares();

	if (!s)
		return NULL;
	first.payer =
		task && HAS(task->real_cred) ? payer_of(task, false) : c->pays.payer;
	share_woke(key, s, first.payer);
	share(&key->owner, &wake_counts, key, s, first.payer, task);
	counts = bpf_map_lookup_elem(&wake_counts, key);
	if (counts)
		return counts;
	name(&first, key, c, task);
	if (!bpf_map_update_elem(&wake_counts, key, &first, BPF_NOEXIST))
		count_made(s, first.payer);
	return bpf_map_lookup_elem(&wake_counts, key);
}

/* Adds the sleep to the counters of the key or, without room, to the CPU's sum of the
 * cause. */
INLINE void add_sleep(struct sm_wake_cpu *c, struct sm_wake_key *key)
{
	struct sm_wake_counts *counts = bpf_map_lookup_elem(&wake_counts, key);
	uint32_t cause = key->cause;

	if (!counts)
		counts = add_counts(c, key);
	if (counts) {
		ADD(counts->wakeups, 1);
		ADD(counts->slept_ns, c->slept_ns);
		return;
	}
	if (cause > SM_WAKE_CAUSES - 1)
		cause = SM_WAKE_CAUSES - 1;
	ADD(c->lost[cause].wakeups, 1);
	ADD(c->lost[cause].slept_ns, c->slept_ns);
}

#endif
