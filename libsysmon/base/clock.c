// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"

#define SANDWICH_TRIES 3

uint64_t sm_clock_ns(clockid_t id)
{
	struct timespec ts = {0, 0};

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * SM_NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* A preemption between two readings spoils them, so the narrowest of several tries is
 * used. */
static int64_t offset_to_mono(clockid_t id)
{
	uint64_t best_width = UINT64_MAX;
	int64_t best = 0;

	for (int i = 0; i < SANDWICH_TRIES; i++) {
		uint64_t before = sm_clock_mono_ns();
		uint64_t other = sm_clock_ns(id);
		uint64_t width = sm_clock_mono_ns() - before;

		if (width >= best_width)
			continue;
		best_width = width;
		best = (int64_t)(other - (before + width / 2));
	}
	return best;
}

int64_t sm_clock_wall_offset_ns(void)
{
	return offset_to_mono(CLOCK_REALTIME);
}

int64_t sm_clock_boot_offset_ns(void)
{
	return offset_to_mono(CLOCK_BOOTTIME);
}
