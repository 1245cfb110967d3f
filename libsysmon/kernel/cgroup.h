/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup: the CPU and memory limits of this process, the cgroup path of any process, and that of an
 * inode number; the order of the hierarchies for the key that BPF programs note of a group (cgroup_key.h).
 *
 * v2: cpu.max of the own cgroup and of its ancestors (Documentation/admin-guide/cgroup-v2.rst);
 * v1: cpu.cfs_quota_us and cpu.cfs_period_us (Documentation/scheduler/sched-bwc.rst).  Paths are
 * the bytes of /proc/PID/cgroup (cgroups(7)) and may be hostile: any user with a cgroup can choose them.
 */
#ifndef SM_CGROUP_H
#define SM_CGROUP_H

#include "base/buf.h"
#include "kernel/cgroup_key.h"
#include "kernel/root.h"

/* CPU time that the cgroup of this process may use, in thousandths of a CPU (1500 = 1.5 CPUs);
 * -ENODATA: no limit. */
int sm_cgroup_limit_milli(const struct sm_root *root, uint64_t *out) SM_MUST;
/* What the cgroup of this process and those above it still permit: the least of limit less use (memory.max,
 * memory.current; v1: memory.limit_in_bytes, memory.usage_in_bytes); -ENODATA: no limit. */
int sm_cgroup_memory_free(const struct sm_root *root, uint64_t *bytes) SM_MUST;
/*
 * Number of processes that the kernel killed for lack of memory (oom_kill in a file of the cgroup of this
 * process).  v2: memory.events, with the groups below; without the memory controller in that cgroup, the file
 * of the nearest one above, which the memory is charged to (Documentation/admin-guide/cgroup-v2.rst).
 * v1: memory.oom_control, without the groups below (Documentation/admin-guide/cgroup-v1/memory.rst; since
 * Linux 4.13).  -ENODATA: no such file, as in the root of v2, or no count in it.
 */
int sm_cgroup_oom_kills(const struct sm_root *root, uint64_t *kills) SM_MUST;
/* The cgroup path of a process: the first that is not "/" of the unified hierarchy ("0::"), the cpu
 * and cpuacct controllers, name=systemd and the rest.  Bytes without newline, up to cap. */
ssize_t sm_cgroup_read(const struct sm_root *root, pid_t pid, char *buf, size_t cap) SM_MUST;
/* The hierarchies in the order in which sm_cgroup_read() takes them, for BPF programs.  In a cgroup
 * namespace other than the initial one the root of a hierarchy is the directory that is mounted below
 * /sys/fs/cgroup.  -ENOENT: no control groups, or no /proc. */
int sm_cgroup_order(const struct sm_root *root, struct sm_cgroup_order *order) SM_MUST;
/* Is there such a cgroup in any hierarchy that is mounted?  True where none is. */
bool sm_cgroup_exists(const struct sm_root *root, const char *path);
/* Appends the path of the cgroup whose directory has this inode number, in the hierarchy of the memory
 * controller (see pageflags.h).  Reads all directories of the hierarchy in the worst case.
 * -ENOENT: no such cgroup is mounted here. */
int sm_cgroup_by_inode(const struct sm_root *root, uint64_t inode, struct sm_buf *path) SM_MUST;
/* Is path prefix or below it, by whole components: /a is above /a/b, not above /ab?  Slashes around
 * prefix are ignored. */
bool sm_cgroup_below(const char *prefix, struct sm_str path);
/* In the text of /proc/PID/cgroup, the path in the hierarchy of a v1 controller, or in the
 * unified one (controller NULL); false when it has none.  *path points into the text. */
bool sm_cgroup_find(const char *p, size_t n, const char *controller, struct sm_str *path);

#endif
