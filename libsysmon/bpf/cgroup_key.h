/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_key: the number that a BPF program records for the cgroup of a task.
 *
 * A task is in one group of each hierarchy: of the unified one (version 2) and of each that is mounted
 * with version 1.  The key stands for the displayed group of the task: the first group, in the order of
 * the hierarchies, that is not the root of its hierarchy, otherwise the root of the first hierarchy.  The
 * upper 8 bits are the place of the hierarchy in this order, counted from 1; the other bits are the number
 * of the group (struct kernfs_node.id, the inode number of its directory).  A key of 0 means that the
 * group is unknown.
 *
 * cgroup_bpf.h computes the key in the kernel, cgroup_note_bpf.h writes the paths of groups;
 * sm_cgroup_order() fills the order, and cgroupnames.h reads the paths.
 */
#ifndef SM_CGROUP_KEY_H
#define SM_CGROUP_KEY_H

#include "base/base.h"

#define SM_CGROUP_HIERARCHIES 16u
#define SM_CGROUP_NUMBERS     256u
#define SM_CGROUP_ID_BITS     56u

/* A setting of BPF programs.  n = 0: groups are not recorded, and all keys are 0. */
struct sm_cgroup_order {
	uint32_t n;
	/* Place, from 1, of the hierarchy whose number in /proc/PID/cgroup (cgroups(7)), modulo
	 * SM_CGROUP_NUMBERS, is the index; 0: unused. */
	uint8_t place[SM_CGROUP_NUMBERS];
	/* By place - 1: number of the hierarchy; number of the group that is shown as "/". */
	uint32_t hierarchy[SM_CGROUP_HIERARCHIES];
	uint64_t root[SM_CGROUP_HIERARCHIES];
};

/* Header of a record with the path of a group.  The names follow, each with a NUL: first the name of the
 * group, then the names of its ancestors, without the root. */
#define SM_CGROUP_RAW         UINT32_C(0x67726f75)
#define SM_CGROUP_NAMES_BYTES 4096u
#define SM_CGROUP_RENEW_NS    (60 * SM_NSEC_PER_SEC)

struct sm_cgroup_raw {
	uint32_t kind; /* SM_CGROUP_RAW; other records of the ring never have this value here */
	uint32_t bytes; /* of names */
	uint64_t key, time_ns;
};

#endif
