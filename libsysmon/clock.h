/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: nanoseconds since ..., and absolute deadlines without drift.
 */
#ifndef SM_CLOCK_H
#define SM_CLOCK_H

#include <time.h>
#include "base.h"

uint64_t sm_clock_ns(clockid_t id);
static inline uint64_t sm_mono_ns(void)
{
	return sm_clock_ns(CLOCK_MONOTONIC);
}
/* CLOCK_REALTIME - CLOCK_MONOTONIC, read as a tight sandwich; add it to an event's
 * monotonic stamp for the wall clock. */
int64_t sm_clock_wall_offset_ns(void);
/* CLOCK_BOOTTIME - CLOCK_MONOTONIC: the time spent suspended. */
int64_t sm_clock_boot_offset_ns(void);

/* Deadlines at start + k * interval.  Late wake-ups skip slots and count them, never burst. */
struct sm_ticker {
	uint64_t next_ns, interval_ns;
	uint64_t missed;
};

void sm_ticker_start(struct sm_ticker *t, uint64_t now_ns, uint64_t interval_ns);
/* True when the deadline has come; moves on to the next one in the future. */
bool sm_ticker_due(struct sm_ticker *t, uint64_t now_ns);

#endif
