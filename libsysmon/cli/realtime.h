/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * realtime: real-time scheduling that cannot hang the machine.  cli layer.
 *
 * It uses SCHED_FIFO at a low priority and SCHED_RESET_ON_FORK.  A guard limits RLIMIT_RTTIME, the CPU
 * time that a real-time task may use without a blocking call: beyond it the kernel sends SIGXCPU, whose
 * handler returns the process to SCHED_OTHER.
 */
#ifndef SM_REALTIME_H
#define SM_REALTIME_H

#include "base/base.h"

#define SM_REALTIME_PRIORITY 10
#define SM_REALTIME_GUARD_US 200000u

/* -EPERM without CAP_SYS_NICE or RLIMIT_RTPRIO. */
int sm_realtime_enter(int priority) SM_MUST;
/* Returns true if the guard has returned the process to SCHED_OTHER. */
bool sm_realtime_tripped(void);

#endif
