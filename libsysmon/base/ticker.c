// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/ticker.h"

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
