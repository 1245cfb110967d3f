/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * duty: how long a task must run, and how long it must sleep, to use a given share of one CPU.
 *
 * A closed loop: the task's own CPU time (CLOCK_THREAD_CPUTIME_ID) is compared with the share of the
 * time that has passed (CLOCK_MONOTONIC).  Time is divided into periods that begin at absolute times,
 * from + k * period.  In each period the task runs until it has used the share of all time up to the
 * *end* of that period, and then sleeps until the next one begins:
 *
 *	share 25 %, period 10 ms, in the third period (20 to 30 ms): it runs until it has used 7.5 ms
 *	since `from`.
 *
 * So what it used too much is deducted from the next periods, and what it did not get, because others
 * had the CPU, is made up for.  A debt above the limit is written off and reported in shed_ns, so
 * that a task that did not get the CPU for a minute does not run for a minute without a pause.
 * Pure arithmetic: no clock is read here.  Times in nanoseconds; a share in parts per million.
 */
#ifndef SM_DUTY_H
#define SM_DUTY_H

#include "base/base.h"

#define SM_DUTY_FULL       1000000u             /* 100 % */
#define SM_DUTY_PERIOD_NS  (10 * SM_NSEC_PER_MSEC) /* the period that is used unless one is given */
#define SM_DUTY_DEBT_NS    (500 * SM_NSEC_PER_MSEC)
#define SM_DUTY_NEVER      UINT64_MAX           /* sleeps until the share is changed */

struct sm_duty {
	uint64_t from_ns;     /* the first period begins: CLOCK_MONOTONIC */
	uint64_t cpu_from_ns; /* CPU time then; grows by what is written off */
	uint64_t period_ns;
	uint64_t debt_ns;     /* the limit */
	uint64_t shed_ns;     /* CPU time that was asked for and written off */
	uint32_t ppm;
};

/* The share of a time, rounded down; exact for any time, never overflows for ppm <= SM_DUTY_FULL. */
uint64_t sm_duty_share_ns(uint64_t elapsed_ns, uint32_t ppm);
/* period_ns 0: the default.  ppm above SM_DUTY_FULL is SM_DUTY_FULL. */
void sm_duty_start(struct sm_duty *d, uint32_t ppm, uint64_t period_ns, uint64_t from_ns,
	uint64_t cpu_ns);
/*
 * At now_ns, when the task has used cpu_ns: the CPU time that it has to run before the period's end,
 * or 0, and *until_ns when it must look again (SM_DUTY_NEVER if the share is 0).  Before from_ns it
 * sleeps until then.
 */
uint64_t sm_duty_next(struct sm_duty *d, uint64_t now_ns, uint64_t cpu_ns, uint64_t *until_ns);

#endif
