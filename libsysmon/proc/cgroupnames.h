/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroupnames: the paths of cgroups by their key (cgroup_key.h), from records of BPF programs.
 *
 * A program writes the path of a group before the first record with its key, and repeats it every minute
 * while the group is in use.  When there are many groups, those without a new record for two minutes are
 * forgotten.  Paths are relative to the cgroup namespace of this process, as in /proc/PID/cgroup
 * (cgroup_namespaces(7)); a group outside this namespace lacks a path.  The bytes may be hostile (cgroup.h).
 */
#ifndef SM_CGROUPNAMES_H
#define SM_CGROUPNAMES_H

#include "base/map.h"
#include "base/strpool.h"
#include "bpf/cgroup_key.h"

struct sm_cgroup_names {
	struct sm_map paths; /* key -> path and time of the record */
	struct sm_strpool *pool;
};

/* Initialises the map; the strings are in a pool of the caller. */
int sm_cgroup_names_init(struct sm_cgroup_names *n, struct sm_strpool *pool) SM_MUST;
/* Takes a record of len bytes from the ring; false if it is not a record with a path. */
bool sm_cgroup_names_add(struct sm_cgroup_names *n, const void *record, size_t len);
/* Returns the path, not as a new reference, or NULL. */
struct sm_poolstr *sm_cgroup_names_get(const struct sm_cgroup_names *n, uint64_t key);
void sm_cgroup_names_fini(struct sm_cgroup_names *n);

#endif
