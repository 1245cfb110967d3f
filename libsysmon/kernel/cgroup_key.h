/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_key: the number that a BPF program notes for the control group of a task.
 *
 * A task is in one group of each hierarchy: of the unified one (version 2) and of each that is mounted with
 * version 1.  The key stands for the group that is shown of the task: the first one of the order that is not the
 * root of its hierarchy, otherwise the root of the first hierarchy.  It has the place of the hierarchy in the
 * order, counted from 1, in its upper 8 bits, and the number of the group (struct kernfs_node.id, the inode number
 * of its directory) in the others.  A key of 0 means that the group is not known.
 *
 * cgroup_bpf.h computes it in the kernel; sm_cgroup_order() fills the order.
 */
#ifndef SM_CGROUP_KEY_H
#define SM_CGROUP_KEY_H

#include "base/base.h"

#define SM_CGROUP_HIERARCHIES 16u
#define SM_CGROUP_NUMBERS     256u
#define SM_CGROUP_ID_BITS     56u

/* A setting of BPF programs.  n = 0: no group is wanted, and all keys are 0. */
struct sm_cgroup_order {
	uint32_t n;
	/* The place, from 1, of the hierarchy whose number in /proc/PID/cgroup (cgroups(7)), modulo
	 * SM_CGROUP_NUMBERS, is the index; 0: none. */
	uint8_t place[SM_CGROUP_NUMBERS];
	/* By place - 1: that number; the number of the group that is shown as "/". */
	uint32_t hierarchy[SM_CGROUP_HIERARCHIES];
	uint64_t root[SM_CGROUP_HIERARCHIES];
};

#endif
