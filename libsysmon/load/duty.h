/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * duty: computes how long a task must run and sleep in order to use a given share of one CPU.
 *
 * It is a closed loop: the task's own CPU time (CLOCK_THREAD_CPUTIME_ID) is compared with the share of
 * the elapsed time (CLOCK_MONOTONIC).  Time is divided into periods that begin at absolute times, from
 * + k * period.  In each period the task runs until it has used the share of all time up to the *end*
 * of that period, and then sleeps until the next one begins:
 *
 *	share 25 %, period 10 ms, in the third period (20 to 30 ms): it runs until it has used 7.5 ms
 *	since `from`.
 *
 * CPU time used in excess is therefore deducted from the next periods, and CPU time that was missed,
 * because other tasks had the CPU, is made up for.  A debt above the limit is written off and reported
 * in shed_ns, so that a task that did not get the CPU for a minute does not run for a minute without a
 * pause.  The functions are pure arithmetic and read no clock.  Times are in nanoseconds; a share is in
 * parts per million.
 */
#ifndef SM_DUTY_H
#define SM_DUTY_H

#include "base/base.h"

#define SM_DUTY_FULL       1000000u             /* 100 % */
#define SM_DUTY_PERIOD_NS  (10 * SM_NSEC_PER_MSEC) /* the default period */
#define SM_DUTY_DEBT_NS    (500 * SM_NSEC_PER_MSEC)
#define SM_DUTY_NEVER      UINT64_MAX           /* sleep until the share is changed */

struct sm_duty {
	uint64_t from_ns;     /* start of the first period: CLOCK_MONOTONIC */
	uint64_t cpu_from_ns; /* CPU time at from_ns, minus the debt written off since */
	uint64_t period_ns;
	uint64_t debt_ns;     /* limit of the debt */
	uint64_t shed_ns;     /* requested CPU time that was written off */
	uint32_t ppm;
};

/* Returns the share of a time, rounded down; exact for any time, never overflows for ppm <=
 * SM_DUTY_FULL. */
uint64_t sm_duty_share_ns(uint64_t elapsed_ns, uint32_t ppm);
/* period_ns 0: the default.  A ppm above SM_DUTY_FULL counts as SM_DUTY_FULL. */
void sm_duty_start(struct sm_duty *d, uint32_t ppm, uint64_t period_ns, uint64_t from_ns,
	uint64_t cpu_ns);
/* Returns the CPU time that the task, which has used cpu_ns at now_ns, must still run before the period
 * ends; or 0, and in *until_ns the time of the next call (SM_DUTY_NEVER if the share is 0).  Before
 * from_ns the task sleeps until then. */
uint64_t sm_duty_next(struct sm_duty *d, uint64_t now_ns, uint64_t cpu_ns, uint64_t *until_ns);

#endif
