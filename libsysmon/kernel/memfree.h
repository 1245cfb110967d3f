/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memfree: memory that this process may still use, and what happens when there is none
 * (/proc/meminfo, /proc/vmstat, Documentation/filesystems/proc.rst; control groups: cgroup.h).
 */
#ifndef SM_MEMFREE_H
#define SM_MEMFREE_H

#include "kernel/root.h"

/* Bytes: the least of MemAvailable and of what the control groups permit.  -ENODATA: not known. */
int sm_memfree_read(const struct sm_root *root, uint64_t *bytes) SM_MUST;
/* Processes that the kernel has ended for lack of memory in the machine, control groups included; if it
 * does not say (before 4.13), in the control group of this one. */
uint64_t sm_memfree_kills(const struct sm_root *root);
/* This process is the first to be ended (oom_score_adj 1000); -errno: it is as likely as others. */
int sm_memfree_end_first(const struct sm_root *root);

#endif
