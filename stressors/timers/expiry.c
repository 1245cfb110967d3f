// SPDX-License-Identifier: GPL-2.0-or-later
#include "expiry.h"

#define JITTER_PART 8 /* of the period */

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(ns % SM_NSEC_PER_SEC),
	};
}

/* Returns true if timers expire only with the tick, because the kernel lacks
 * high-resolution timers. */
static bool is_coarse(uint64_t period_ns)
{
	struct timespec ts;

	return clock_getres(CLOCK_MONOTONIC, &ts) < 0 || ts.tv_sec ||
	       (uint64_t)ts.tv_nsec > period_ns;
}

static void begin(struct expiry *e, uint64_t period_ns, struct itimerspec *when)
{
	e->period_ns = period_ns;
	e->n = 0;
	*when = (struct itimerspec){.it_value = to_timespec(period_ns)};
	e->before_ns = sm_clock_mono_ns();
}

void expiry_begin(struct expiry *e, uint64_t freq, struct itimerspec *when)
{
	uint64_t period_ns = SM_NSEC_PER_SEC / freq;

	e->no_least = is_coarse(period_ns);
	begin(e, period_ns, when);
	when->it_interval = when->it_value;
}

void expiry_begin_once(
	struct expiry *e, uint64_t freq, uint64_t *random, struct itimerspec *when)
{
	uint64_t period_ns = SM_NSEC_PER_SEC / freq, jitter_ns = period_ns / JITTER_PART;

	e->no_least = true;
	begin(e, period_ns - jitter_ns + stress_random(random) % (2 * jitter_ns + 1),
		when);
}

void expiry_armed(struct expiry *e)
{
	e->after_ns = sm_clock_mono_ns();
}

int expiry_add(struct stress *s, struct expiry *e, uint64_t n, uint64_t begin_ns)
{
	uint64_t now_ns = sm_clock_mono_ns(), most = 0, least = 0;

	e->n += n;
	if (now_ns > e->before_ns)
		most = (now_ns - e->before_ns) / e->period_ns;
	if (begin_ns > e->after_ns && !e->no_least)
		least = (begin_ns - e->after_ns) / e->period_ns;
	if (e->n >= least && e->n <= most)
		return 0;
	return stress_fail(s,
		"%llu expirations of a timer with a period of %llu ns instead of %llu to "
		"%llu",
		(unsigned long long)e->n, (unsigned long long)e->period_ns,
		(unsigned long long)least, (unsigned long long)most);
}
