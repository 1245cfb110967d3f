/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticker: absolute deadlines at start + k * interval, without drift.
 *
 * After a late wakeup, the slots that have passed are skipped and counted; there is never a burst.
 */
#ifndef SM_TICKER_H
#define SM_TICKER_H

#include "base/base.h"

struct sm_ticker {
	uint64_t next_ns, interval_ns;
	uint64_t missed;
};

void sm_ticker_start(struct sm_ticker *t, uint64_t now_ns, uint64_t interval_ns);
/* Returns true at or after the deadline, which then advances to the next one in the future. */
bool sm_ticker_due(struct sm_ticker *t, uint64_t now_ns);

#endif
