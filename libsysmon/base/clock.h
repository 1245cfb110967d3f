/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the clocks of clock_gettime(2) in nanoseconds, and the offsets between them.
 */
#ifndef SM_CLOCK_H
#define SM_CLOCK_H

#include <time.h>
#include "base/base.h"

uint64_t sm_clock_ns(clockid_t id);
static inline uint64_t sm_clock_mono_ns(void)
{
	return sm_clock_ns(CLOCK_MONOTONIC);
}
/* Returns CLOCK_REALTIME - CLOCK_MONOTONIC.  One clock is read between two readings of the other; of
 * several attempts the closest is used.  Added to the monotonic time of an event, it gives the
 * wall-clock time. */
int64_t sm_clock_wall_offset_ns(void);
/* Returns CLOCK_BOOTTIME - CLOCK_MONOTONIC: the time spent suspended, plus the difference of the
 * offsets of a time namespace. */
int64_t sm_clock_boot_offset_ns(void);

#endif
