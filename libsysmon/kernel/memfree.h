/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memfree: memory that this process may still use, and what happens when there is none
 * (/proc/meminfo, /proc/vmstat, Documentation/filesystems/proc.rst; control groups: cgroup.h).
 */
#ifndef SM_MEMFREE_H
#define SM_MEMFREE_H

#include "kernel/root.h"

/* Bytes: the least of MemAvailable and of what the control groups permit.  -ENODATA: not known;
 * -ENOMEM. */
int sm_memfree_read(const struct sm_root *root, uint64_t *bytes) SM_MUST;
/*
 * Number of processes that the kernel has killed for lack of memory: those in the control group of this
 * process (sm_cgroup_oom_kills()).  A kill anywhere else in the machine is not counted, so that a process of
 * this group that dies by SIGKILL at that time does not seem to be the victim.  Where the group has no count
 * (root of v2, no control groups), those in the machine: oom_kill of /proc/vmstat.  0: the kernel has neither
 * (before 4.13).
 */
uint64_t sm_memfree_kills(const struct sm_root *root);
/* This process is the first to be ended (oom_score_adj 1000); -errno: it is as likely as others. */
int sm_memfree_end_first(const struct sm_root *root);

#endif
