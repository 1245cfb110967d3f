/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memfree: memory that this process may still use, kills for lack of memory, and the OOM score of this
 * process (/proc/meminfo, /proc/vmstat, Documentation/filesystems/proc.rst; cgroups: cgroup.h).
 */
#ifndef SM_MEMFREE_H
#define SM_MEMFREE_H

#include "base/root.h"

/* Reads the free memory in bytes: the lesser of MemAvailable and of the memory that the cgroups still permit.
 * -ENODATA: unknown; -ENOMEM. */
int sm_memfree_read(const struct sm_root *root, uint64_t *bytes) SM_MUST;
/*
 * Returns the number of processes that the kernel has killed for lack of memory in the cgroup of this process
 * (sm_cgroup_oom_kills()).  Kills elsewhere in the machine are not counted, so that a process of this cgroup
 * that is killed by another SIGKILL at that time does not seem to be the victim.  If the cgroup lacks a count
 * (root of v2, no cgroups), returns the number in the machine: oom_kill of /proc/vmstat.  0: the kernel has
 * neither count (before Linux 4.13).
 */
uint64_t sm_memfree_kills(const struct sm_root *root);
/* Makes this process the first victim (oom_score_adj 1000); -errno: it is as likely a victim as others. */
int sm_memfree_end_first(const struct sm_root *root);

#endif
