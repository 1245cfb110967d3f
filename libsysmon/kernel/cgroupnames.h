/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroupnames: the paths of control groups by their key (cgroup_key.h), from records of BPF programs.
 *
 * A program writes the path of a group before the first record with its key, and repeats it every minute
 * while the group is in use; a group without a new record for two minutes is forgotten when there are
 * many.  Paths are as the cgroup namespace of this process shows them in /proc/PID/cgroup
 * (cgroup_namespaces(7)); a group outside it has none.  The bytes may be hostile, as those of cgroup.h.
 */
#ifndef SM_CGROUPNAMES_H
#define SM_CGROUPNAMES_H

#include "base/map.h"
#include "base/strpool.h"
#include "kernel/cgroup_key.h"

struct sm_cgroup_names {
	struct sm_map paths; /* key -> its path and the time of its record */
	struct sm_strpool *pool;
};

/* The strings are in a pool of the caller's. */
int sm_cgroup_names_init(struct sm_cgroup_names *n, struct sm_strpool *pool) SM_MUST;
/* Takes a record of the ring of len bytes; false: it is none with a path. */
bool sm_cgroup_names_add(struct sm_cgroup_names *n, const void *record, size_t len);
/* The path or NULL; not a new reference. */
struct sm_poolstr *sm_cgroup_names_get(const struct sm_cgroup_names *n, uint64_t key);
void sm_cgroup_names_fini(struct sm_cgroup_names *n);

#endif
