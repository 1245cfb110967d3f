/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_key: the number that a BPF program notes for the control group of a task.
 *
 * A task is in one group of each hierarchy: of the unified one (version 2) and of each that is mounted
 * with version 1.  The key stands for the group that is shown of the task: the first one of the order that
 * is not the root of its hierarchy, otherwise the root of the first hierarchy.  It has the place of the
 * hierarchy in the order, counted from 1, in its upper 8 bits, and the number of the group (struct
 * kernfs_node.id, the inode number of its directory) in the others.  A key of 0 means that the group is
 * not known.
 *
 * cgroup_bpf.h computes it in the kernel, cgroup_note_bpf.h writes the paths of groups; cgroupnames.h
 * fills the order and reads the paths.
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

/* A record with the path of a group: bytes of names follow, a NUL after each: that of the group, of the
 * group above it and so on; without that of the root. */
#define SM_CGROUP_RAW         UINT32_C(0x67726f75)
#define SM_CGROUP_NAMES_BYTES 4096u
#define SM_CGROUP_RENEW_NS    (60 * SM_NSEC_PER_SEC)

struct sm_cgroup_raw {
	uint32_t kind; /* SM_CGROUP_RAW, which no other record of the ring has here */
	uint32_t bytes;
	uint64_t key, time_ns;
};

#endif
