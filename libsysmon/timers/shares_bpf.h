/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares_bpf: the payer of a counter, and the counters that a payer may have (shares.h).  Private to
 * *.bpf.c.
 */
#ifndef SM_SHARES_BPF_H
#define SM_SHARES_BPF_H

#include "timers/shares.h"
#include "timers/timer_bpf.h"

MAP(shares, ARRAY, BPF_F_MMAPABLE, 1, uint32_t, struct sm_shares);

#define NAMESPACES_MAX 8 /* levels that are searched; with more, the payer is unknown */

/* Returns the payer of a task.  Without BTF only the payer of the current task is known. */
INLINE uint32_t payer_of(const struct task_struct *task, bool is_current)
{
	const struct user_namespace *ns = NULL;
	const struct cred *cred;
	uint32_t uid;
	int level = 1;

	if (!HAS(task->real_cred) || !HAS(ns->level))
		return is_current ? (uint32_t)bpf_get_current_uid_gid() : SM_SHARES_PAYER_UNKNOWN;
	READ(cred, task->real_cred);
	READ(uid, cred->uid.val);
	READ(ns, cred->user_ns);
#pragma clang loop unroll(disable)
	for (int i = 0; i < NAMESPACES_MAX; i++) {
		READ(level, ns->level);
		if (!level)
			return uid;
		READ(uid, ns->owner.val);
		READ(ns, ns->parent);
	}
	return SM_SHARES_PAYER_UNKNOWN;
}

INLINE struct sm_shares *all_shares(void)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(&shares, &zero);
}

INLINE uint32_t existing(const struct sm_share *s)
{
	return LOAD(s->made) - LOAD(s->deleted);
}

/* Returns true if the payer may have another counter, where its share is this many times the free room. */
INLINE bool has_share(const struct sm_shares *s, uint32_t payer, uint32_t times)
{
	uint32_t free = s->room - existing(&s->all);

	return existing(&s->of[payer & (SM_SHARES - 1)]) < times * free;
}

/* Replaces a task that owns a new counter by its process, or by all tasks of the payer, if the payer has no
 * share left.  counters: the map; key: contains *owner; task: the owner, or NULL if it is not known.  Owners
 * that are no tasks are few. */
INLINE void share(struct sm_timer_owner *owner, void *counters, const void *key,
	const struct sm_shares *s, uint32_t payer, const struct task_struct *task)
{
	const struct task_struct *leader;

	if (!sm_timer_is_task(*owner) || has_share(s, payer, 1))
		return;
	if (task && HAS(task->group_leader)) {
		READ(leader, task->group_leader);
		task_owner(owner, leader);
		owner->ids &= ~(uint64_t)UINT32_MAX;
		if (bpf_map_lookup_elem(counters, key) || has_share(s, payer, 2))
			return;
	}
	set_owner(owner, SM_TIMER_OWNER_USER | payer);
}

INLINE void count_made(struct sm_shares *s, uint32_t payer)
{
	ADD(s->all.made, 1);
	ADD(s->of[payer & (SM_SHARES - 1)].made, 1);
}

#endif
