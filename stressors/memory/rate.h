/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate: bytes per second, kept by an absolute schedule.
 *
 * Byte n is due at t0 + n / rate, so that neither late wakeups nor the time of the work add up.  A process
 * that could not run for long may catch up RATE_SLACK_NS at once and the rest at RATE_HURRY times the rate:
 * in any 0.1 s less than 1.15 times the requested amount.
 */
#ifndef STRESSORS_MEMORY_RATE_H
#define STRESSORS_MEMORY_RATE_H

#include "base/base.h"

#define RATE_SLACK_NS (5 * SM_NSEC_PER_MSEC)
#define RATE_HURRY    1.08

struct rate {
	double ns_per_byte;   /* 0: no limit */
	uint64_t t0;          /* CLOCK_MONOTONIC ns */
	uint64_t bytes;       /* bytes since then */
	uint64_t due, target; /* times of the next byte: by the schedule, and at the earliest */
};

/* mbs: 2^20 bytes per second; 0: no limit. */
void rate_init(struct rate *r, uint64_t mbs);
/* Begins a new schedule. */
void rate_begin(struct rate *r, uint64_t now);
/* Sleeps until the next byte may come. */
void rate_wait(struct rate *r);
void rate_done(struct rate *r, uint64_t bytes);
/* Returns the size of a chunk that takes ns, in whole units: one unit at least, `most` bytes at most. */
uint64_t rate_chunk(const struct rate *r, uint64_t ns, uint64_t unit, uint64_t most);

#endif
