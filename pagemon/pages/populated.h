/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * populated: the ranges of addresses with populated pages, for a compact map.
 *
 * The ranges are addresses, not ordinals, so they remain valid when mappings are added or removed.
 *
 * Successive passes collect the ranges.  Their number is bounded: if there are more than POPULATED_MAX,
 * ranges with a small gap between them are joined, and the map shows that gap as empty cells.  16 TiB with
 * scattered pages need 64 KiB.
 */
#ifndef PAGEMON_POPULATED_H
#define PAGEMON_POPULATED_H

#include "space.h"

#define POPULATED_MAX 2048

struct populated {
	/* the last complete pass */
	struct space_range *ranges;    /* in order, with gaps between them; NULL: no pass is complete */
	size_t n;
	uint64_t generation;           /* counts the passes that found other ranges */
	/* the pass in progress */
	unsigned int at;               /* its ranges are store[at] */
	size_t next_n;
	uint64_t gap_bytes;            /* gaps up to this size are part of a range */
	bool sorted;
	struct space_range store[2][POPULATED_MAX];
};

/* Forgets all ranges, because of another process or program. */
void populated_reset(struct populated *t);

/* Begins to collect the ranges of a pass. */
void populated_begin(struct populated *t);
/* Adds addresses [first, end), in any order. */
void populated_add(struct populated *t, uint64_t first, uint64_t end);
/* Sorts and joins the added ranges. */
void populated_settle(struct populated *t);
/* Makes the ranges of the finished pass the current ones. */
void populated_finish(struct populated *t);

#endif
