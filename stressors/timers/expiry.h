/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expiry: the expirations of a timer, compared with the clock.
 *
 * A timer with the period P that was armed at the time A has expired (T - A) / P times at the time T.  A is
 * between two readings of CLOCK_MONOTONIC, before and after the call that arms the timer, and T is between
 * the readings before and after the call that returns the expirations, which includes those that have
 * occurred since the signal was queued (timer_getoverrun(2)) or poll(2) has returned (timerfd_create(2)).  So
 * the number of expirations has an upper and a lower limit, which do not depend on the load of the machine.
 */
#ifndef STRESSORS_TIMERS_EXPIRY_H
#define STRESSORS_TIMERS_EXPIRY_H

#include "../run/stress.h"

#define EXPIRY_FREQ	  UINT64_C(1000000) /* per second */
#define EXPIRY_FREQ_MAX	  SM_NSEC_PER_SEC
#define EXPIRY_FREQ_SMALL UINT64_C(1000)
#define EXPIRY_FREQ_LARGE UINT64_C(10000000)

struct expiry {
	uint64_t before_ns, after_ns; /* CLOCK_MONOTONIC before and after the call that armed the timer */
	uint64_t period_ns;
	uint64_t n;                   /* expirations since then */
	/* The lower limit does not apply: the timer expires once, its clock is coarser than the period, or
	 * the kernel has counted as far as it can. */
	bool no_least;
};

/* Reads the clock before a periodic timer with this frequency is armed; *when is its setting. */
void expiry_begin(struct expiry *e, uint64_t freq, struct itimerspec *when);
/* Like expiry_begin(), for a timer that expires once, after a random time: the period plus or minus up to an
 * eighth of it. */
void expiry_begin_once(
	struct expiry *e, uint64_t freq, uint64_t *random, struct itimerspec *when);
/* Reads the clock after the timer was armed. */
void expiry_armed(struct expiry *e);
/* Adds n expirations that were returned by a call which began at begin_ns, and checks the sum.  Returns 0, or
 * the value of stress_fail(). */
int expiry_add(struct stress *s, struct expiry *e, uint64_t n, uint64_t begin_ns) SM_MUST;

#endif
