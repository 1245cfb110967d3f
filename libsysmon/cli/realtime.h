/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * realtime: real-time scheduling that cannot hang a machine.  cli layer.
 *
 * SCHED_FIFO at a modest priority, SCHED_RESET_ON_FORK, and a guard: RLIMIT_RTTIME (the
 * CPU time that a real-time task may use without a blocking call) sends SIGXCPU; its
 * handler returns the process to SCHED_OTHER.
 */
#ifndef SM_REALTIME_H
#define SM_REALTIME_H

#include "base/base.h"

#define SM_REALTIME_PRIORITY 10
#define SM_REALTIME_GUARD_US 200000u

/* -EPERM without CAP_SYS_NICE or RLIMIT_RTPRIO. */
int sm_realtime_enter(int priority) SM_MUST;
/* Has the guard returned the process to SCHED_OTHER? */
bool sm_realtime_tripped(void);

#endif
