// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "base/clock.h"
#include "rate.h"

#define MB ((double)(1u << 20))

void rate_init(struct rate *r, uint64_t mbs)
{
	*r = (struct rate){
		.ns_per_byte = mbs ? (double)SM_NSEC_PER_SEC / ((double)mbs * MB) : 0};
}

void rate_begin(struct rate *r, uint64_t now)
{
	r->t0 = r->due = r->target = now;
	r->bytes = 0;
}

void rate_wait(struct rate *r)
{
	uint64_t now;
	struct timespec t;

	if (r->ns_per_byte == 0)
		return;
	now = sm_clock_mono_ns();
	if (now > r->target + RATE_SLACK_NS)
		r->target = now - RATE_SLACK_NS;
	if (now >= r->target)
		return;
	t.tv_sec = (time_t)(r->target / SM_NSEC_PER_SEC);
	t.tv_nsec = (long)(r->target % SM_NSEC_PER_SEC);
	/* A signal ends it early: the next chunk is then a little early, not the
	 * schedule. */
	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

void rate_done(struct rate *r, uint64_t bytes)
{
	double ns = (double)bytes * r->ns_per_byte;
	uint64_t hurried = r->target + (uint64_t)(ns / RATE_HURRY);

	r->bytes += bytes;
	r->due = r->t0 + (uint64_t)((double)r->bytes * r->ns_per_byte);
	r->target = r->due > hurried ? r->due : hurried;
}

uint64_t rate_chunk(const struct rate *r, uint64_t ns, uint64_t unit, uint64_t most)
{
	uint64_t bytes;

	if (r->ns_per_byte == 0)
		return most;
	bytes = (uint64_t)((double)ns / r->ns_per_byte) / unit * unit;
	return bytes < unit ? unit : bytes > most ? most : bytes;
}
