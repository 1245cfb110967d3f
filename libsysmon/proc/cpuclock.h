/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuclock: the CPU time of another process from its CPU clock, clock_getcpuclockid(3).
 *
 * The kernel returns the sum_exec_runtime of the whole thread group, including exited threads, in
 * nanoseconds (kernel/time/posix-cpu-timers.c).  This takes one system call, no file and no privileges.
 * The clock of a zombie can be read until it is reaped; a thread ID other than the leader's has no such
 * clock.  The time of a task that runs on another CPU is updated at its tick (at most 1000/HZ ms old).
 * PIDs belong to the *caller's* PID namespace.
 */
#ifndef SM_CPUCLOCK_H
#define SM_CPUCLOCK_H

#include <time.h>
#include "base/base.h"
#include "base/root.h"

#define SM_CPUCLOCK_SCHED 2 /* CPUCLOCK_SCHED of include/linux/posix-timers.h */

static inline clockid_t sm_cpuclock_id(pid_t pid)
{
	return (clockid_t)((~(unsigned int)pid << 3) | SM_CPUCLOCK_SCHED);
}

/* Reads the CPU time of a process, ns.  -ESRCH: no such process. */
int sm_cpuclock_ns(pid_t pid, uint64_t *out) SM_MUST;
/* True if these clocks work here, for the processes that root's /proc shows. */
bool sm_cpuclock_usable(const struct sm_root *root);

#endif
