/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuclock: the CPU time of another process by its clock, clock_getcpuclockid(3).
 *
 * The kernel gives the sum_exec_runtime of the whole thread group, dead threads included, in
 * nanoseconds: one system call, no file, no privilege (kernel/time/posix-cpu-timers.c).  A
 * zombie answers until it is reaped; a thread id that leads no group does not.  A task that
 * runs on another CPU is brought up to date by its tick (at most 1000/HZ ms old).
 * The clock is that of the *caller's* pid namespace.
 */
#ifndef SM_CPUCLOCK_H
#define SM_CPUCLOCK_H

#include <time.h>
#include "base/base.h"
#include "kernel/root.h"

#define SM_CPUCLOCK_SCHED 2 /* CPUCLOCK_SCHED of include/linux/posix-timers.h */

static inline clockid_t sm_cpuclock_id(pid_t pid)
{
	return (clockid_t)((~(unsigned int)pid << 3) | SM_CPUCLOCK_SCHED);
}

/* -ESRCH: no such process. */
int sm_cpuclock_ns(pid_t pid, uint64_t *out) SM_MUST;
/* Do these clocks work here, and do they count the processes that root's /proc shows? */
bool sm_cpuclock_usable(const struct sm_root *root);

#endif
