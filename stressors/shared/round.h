/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * round: the size of the next round of a stressor that first makes some objects and then checks each of them.
 *
 * The first round has one, the next one twice as many, and so on, so that the first op is complete soon even
 * on a slow machine.
 */
#ifndef STRESSORS_SHARED_ROUND_H
#define STRESSORS_SHARED_ROUND_H

#include "run/stress.h"

/* Returns the size of the next round.  *last: the size of the last round without the limit of ops; at first
 * 0. */
static inline unsigned int round_next(
	const struct stress *s, unsigned int *last, unsigned int most)
{
	uint64_t left =
		s->ops_max - atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	*last = *last ? 2 * *last : 1;
	if (*last > most)
		*last = most;
	return left < *last ? (unsigned int)left : *last;
}

#endif
