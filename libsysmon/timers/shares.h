/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: the number of counters of a BPF map that each user has, so that no user takes the room of others.
 *
 * A user may have as many counters of single threads as counters are free, which is half of the counters that
 * no other user has; counters of processes up to twice the free number, which is two thirds of them; and then
 * only the few counters of the user as a whole.  The room shrinks with each further user, but never to 0.
 *
 * The payer of a counter is the real user of its task.  In a user namespace it is the user who created the
 * outermost namespace, because any number of user IDs is available inside.
 *
 * Programs count the counters that they create, and the reader counts those that it deletes; no variable is
 * written by both.
 */
#ifndef SM_SHARES_H
#define SM_SHARES_H

#include "base/base.h"

/* Users whose IDs have equal last 12 bits have a common share. */
#define SM_SHARES 4096u

#define SM_SHARES_PAYER_UNKNOWN UINT32_MAX

struct sm_share {
	uint32_t made, deleted;
};

struct sm_shares {
	uint32_t room; /* counters of the map; written by the reader before programs run */
	struct sm_share all;
	struct sm_share of[SM_SHARES];
};

/* Notes that the reader has deleted a counter of this payer. */
static inline void sm_shares_deleted(struct sm_shares *s, uint32_t payer)
{
	__atomic_fetch_add(&s->all.deleted, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&s->of[payer % SM_SHARES].deleted, 1, __ATOMIC_RELAXED);
}

#endif
