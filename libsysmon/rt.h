/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt: real-time scheduling that cannot hang a machine.  cli layer.
 *
 * SCHED_FIFO at a modest priority, SCHED_RESET_ON_FORK, and a guard: RLIMIT_RTTIME (the
 * CPU time that a real-time task may use without a blocking call) sends SIGXCPU, whose
 * handler puts the process back to SCHED_OTHER.
 */
#ifndef SM_RT_H
#define SM_RT_H

#include "base.h"

#define SM_RT_PRIORITY 10
#define SM_RT_GUARD_US 200000u

/* -EPERM without CAP_SYS_NICE or RLIMIT_RTPRIO. */
int sm_rt_enter(int priority) SM_MUST;
/* Has the guard put us back to SCHED_OTHER? */
bool sm_rt_tripped(void);

#endif
