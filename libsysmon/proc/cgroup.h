/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup: CPU and memory limits of this process; cgroup paths by process or by inode number; the order of the
 * hierarchies for the keys that BPF programs record (cgroup_key.h).
 *
 * v2: cpu.max of the process's cgroup and of its ancestors (Documentation/admin-guide/cgroup-v2.rst);
 * v1: cpu.cfs_quota_us and cpu.cfs_period_us (Documentation/scheduler/sched-bwc.rst).  Paths are the bytes of
 * /proc/PID/cgroup (cgroups(7)) and may be hostile: any user with a cgroup can choose them.
 */
#ifndef SM_CGROUP_H
#define SM_CGROUP_H

#include "base/buf.h"
#include "base/root.h"
#include "bpf/cgroup_key.h"

/* Reads the CPU time that the cgroup of this process may use, in thousandths of a CPU (1500 = 1.5 CPUs);
 * -ENODATA: no limit. */
int sm_cgroup_limit_milli(const struct sm_root *root, uint64_t *out) SM_MUST;
/* Reads the memory that the cgroup of this process and its ancestors still permit: the least difference of
 * limit and use (memory.max, memory.current; v1: memory.limit_in_bytes, memory.usage_in_bytes); -ENODATA:
 * no limit. */
int sm_cgroup_memory_free(const struct sm_root *root, uint64_t *bytes) SM_MUST;
/*
 * Reads the number of processes that the kernel killed for lack of memory (oom_kill in a file of the
 * cgroup of this process).  v2: memory.events, which includes descendants; if the cgroup lacks the memory
 * controller, the file of its nearest ancestor that has it, which the memory is charged to
 * (Documentation/admin-guide/cgroup-v2.rst).  v1: memory.oom_control, without descendants
 * (Documentation/admin-guide/cgroup-v1/memory.rst; since Linux 4.13).  -ENODATA: the file, as in the root
 * of v2, or the count in it is missing.
 */
int sm_cgroup_oom_kills(const struct sm_root *root, uint64_t *kills) SM_MUST;
/* Reads the cgroup path of a process: the first path other than "/" in the unified hierarchy ("0::"), those
 * of the cpu and cpuacct controllers, name=systemd and the rest.  Returns its length, at most cap. */
ssize_t sm_cgroup_read(const struct sm_root *root, pid_t pid, char *buf, size_t cap) SM_MUST;
/* Lists the hierarchies for BPF programs, in the order of sm_cgroup_read().  In a cgroup namespace other
 * than the initial one, the root of a hierarchy is the directory that is mounted below /sys/fs/cgroup.
 * -ENOENT: no cgroups, or no /proc. */
int sm_cgroup_order(const struct sm_root *root, struct sm_cgroup_order *order) SM_MUST;
/* True if any mounted hierarchy has a cgroup with this path, or if no hierarchy is mounted. */
bool sm_cgroup_exists(const struct sm_root *root, const char *path);
/* Appends the path of the cgroup whose directory has this inode number in the hierarchy of the memory
 * controller (see pageflags.h).  In the worst case this reads all directories of the hierarchy.
 * -ENOENT: no such cgroup is mounted here. */
int sm_cgroup_by_inode(const struct sm_root *root, uint64_t inode, struct sm_buf *path) SM_MUST;
/* True if path equals prefix or is below it by whole components: /a/b is below /a, /ab is not.  Slashes
 * around prefix are ignored. */
bool sm_cgroup_below(const char *prefix, struct sm_str path);
/* Finds the path in the hierarchy of a v1 controller, or in the unified one (controller NULL), in the text of
 * /proc/PID/cgroup; false if there is no such line.  *path points into the text. */
bool sm_cgroup_find(const char *p, size_t n, const char *controller, struct sm_str *path);

#endif
