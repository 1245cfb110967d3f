/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_bpf: the cgroup of a task, as a key (cgroup_key.h).  Private to *.bpf.c.
 */
#ifndef SM_CGROUP_BPF_H
#define SM_CGROUP_BPF_H

#include "bpf/bpf_kern.h"
#include "bpf/cgroup_key.h"

/* A set of groups has a link to each of its groups: one in the unified hierarchy and one in each hierarchy of
 * version 1. */
#define CGROUP_LINKS_MAX 24

struct list_head { /* include/linux/types.h */
	struct list_head *next;
} KERNEL;

struct kernfs_node { /* include/linux/kernfs.h */
	uint64_t id;
	struct kernfs_node *parent, *__parent;
	const char *name;
} KERNEL;

struct cgroup_root { /* include/linux/cgroup-defs.h, as css_set and cgroup */
	uint32_t hierarchy_id;
} KERNEL;

struct cgroup {
	struct kernfs_node *kn;
	struct cgroup_root *root;
} KERNEL;

struct cgrp_cset_link { /* kernel/cgroup/cgroup-internal.h */
	struct cgroup *cgrp;
	struct list_head cgrp_link;
} KERNEL;

struct css_set {
	struct list_head cgrp_links;
} KERNEL;

#define LINK_OFFSET OFFSET(((struct cgrp_cset_link *)0)->cgrp_link.next)

/* Returns the place, from 1, of the group's hierarchy in the order; 0: not in the order. */
INLINE uint32_t cgroup_place(const struct cgroup *group, const volatile struct sm_cgroup_order *order)
{
	const struct cgroup_root *root;
	uint32_t number = 0, place;

	READ(root, group->root);
	READ(number, root->hierarchy_id);
	place = order->place[number % SM_CGROUP_NUMBERS];
	return place && order->hierarchy[(place - 1) % SM_CGROUP_HIERARCHIES] == number ? place : 0;
}

INLINE bool has_cgroups(void)
{
	return HAS(((struct task_struct *)0)->cgroups) && HAS(((struct css_set *)0)->cgrp_links.next) &&
	       HAS(((struct cgrp_cset_link *)0)->cgrp_link.next) && HAS(((struct cgrp_cset_link *)0)->cgrp) &&
	       HAS(((struct cgroup *)0)->kn) && HAS(((struct cgroup *)0)->root) &&
	       HAS(((struct cgroup_root *)0)->hierarchy_id) && HAS(((struct kernfs_node *)0)->id);
}

/* The displayed group of a task; key 0: unknown. */
struct cgroup_shown {
	uint64_t key;
	const struct kernfs_node *node;
};

INLINE struct cgroup_shown cgroup_find(const struct task_struct *task,
	const volatile struct sm_cgroup_order *order)
{
	struct cgroup_shown shown = {0};
	const struct list_head *head, *at;
	uint64_t id;
	uint32_t n = order->n, place, rank, best = UINT32_MAX;
	const struct kernfs_node *node;
	const struct cgroup *group;
	const struct css_set *set;

	if (!n || !has_cgroups())
		return shown;
	READ(set, task->cgroups);
	head = (const void *)&set->cgrp_links.next;
	READ(at, head->next);
	for (int i = 0; i < CGROUP_LINKS_MAX && at && at != head; i++) {
		const struct cgrp_cset_link *link = (const void *)((uint64_t)at - LINK_OFFSET);

		READ(group, link->cgrp);
		READ(node, group->kn);
		READ(id, node->id);
		place = cgroup_place(group, order);
		/* The root of a hierarchy ranks after all other groups. */
		rank = place + (id == order->root[(place - 1) % SM_CGROUP_HIERARCHIES] ? n : 0);
		if (place && id && rank < best) {
			best = rank;
			shown.key = (uint64_t)place << SM_CGROUP_ID_BITS | id;
			shown.node = node;
		}
		READ(at, at->next);
	}
	return shown;
}

/* Returns the key of the task's group; 0 if it is unknown or the kernel lacks cgroups. */
INLINE uint64_t cgroup_key(const struct task_struct *task, const volatile struct sm_cgroup_order *order)
{
	return cgroup_find(task, order).key;
}

#endif
