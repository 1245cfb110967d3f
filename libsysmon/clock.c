// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"

#define SANDWICH_TRIES 3

uint64_t sm_clock_ns(clockid_t id)
{
	struct timespec ts = {0, 0};

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * SM_NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Being scheduled away between two readings spoils them: the narrowest try wins. */
static int64_t offset_to_mono(clockid_t id)
{
	uint64_t best_width = UINT64_MAX;
	int64_t best = 0;

	for (int i = 0; i < SANDWICH_TRIES; i++) {
		uint64_t before = sm_mono_ns();
		uint64_t other = sm_clock_ns(id);
		uint64_t width = sm_mono_ns() - before;

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
	int64_t ns = offset_to_mono(CLOCK_BOOTTIME);

	return ns > 0 ? ns : 0; /* never suspended: half of the sandwich's width */
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void sm_ticker_start(struct sm_ticker *t, uint64_t now_ns, uint64_t interval_ns)
{
	t->interval_ns = interval_ns;
	t->next_ns = add_saturating(now_ns, interval_ns);
	t->missed = 0;
}

bool sm_ticker_due(struct sm_ticker *t, uint64_t now_ns)
{
	uint64_t late;

	if (now_ns < t->next_ns)
		return false;
	if (t->interval_ns == 0) {
		t->next_ns = now_ns;
		return true;
	}
	late = (now_ns - t->next_ns) / t->interval_ns;
	t->missed += late;
	t->next_ns += late * t->interval_ns; /* <= now_ns: cannot overflow */
	t->next_ns = add_saturating(t->next_ns, t->interval_ns);
	return true;
}
