/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: how many counters of a BPF map each user has, so that no user can take the room of all others.
 *
 * A user may have as many counters of single threads as are free, that is half of those that no other user
 * has; counters of processes until twice as many as are free, two thirds of them; then only counters of the
 * user as a whole, of which there are few.  So the room shrinks for each further user, but does not end.
 *
 * A counter is paid for by the real user of its task; in a user namespace by the user who made the
 * outermost one, because inside any number of uids is to be had.
 *
 * Programs count the counters that they make, the reader those that it deletes; nothing is written by
 * both.
 */
#ifndef SM_SHARES_H
#define SM_SHARES_H

#include "base/base.h"

/* Users whose numbers have the last 12 bits in common share what they have. */
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

/* The reader has deleted a counter of this payer. */
static inline void sm_shares_deleted(struct sm_shares *s, uint32_t payer)
{
	__atomic_fetch_add(&s->all.deleted, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&s->of[payer % SM_SHARES].deleted, 1, __ATOMIC_RELAXED);
}

#endif
