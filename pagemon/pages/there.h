/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * there: the ranges of addresses with populated pages, for a compact map.
 *
 * The ranges are addresses, not ordinals, so they remain valid when mappings are added or removed.
 *
 * Successive passes collect the ranges.  Their number is bounded: if there are more than THERE_MAX, ranges
 * with a small gap between them are joined, and the map shows that gap as empty cells.  16 TiB with scattered
 * pages need 64 KiB.
 */
#ifndef PAGEMON_THERE_H
#define PAGEMON_THERE_H

#include "space.h"

#define THERE_MAX 2048

struct there {
	/* the last complete pass */
	struct space_range *ranges;    /* in order, with gaps between them; NULL: no pass is complete */
	size_t n;
	uint64_t generation;           /* counts the passes that found other ranges */
	/* the pass in progress */
	unsigned int at;               /* its ranges are store[at] */
	size_t next_n;
	uint64_t gap_bytes;            /* gaps up to this size are part of a range */
	bool sorted;
	struct space_range store[2][THERE_MAX];
};

/* Forgets all ranges, because of another process or program. */
void there_reset(struct there *t);

/* Begins to collect the ranges of a pass. */
void there_begin(struct there *t);
/* Adds addresses [first, end), in any order. */
void there_add(struct there *t, uint64_t first, uint64_t end);
/* Sorts and joins the added ranges. */
void there_settle(struct there *t);
/* Makes the ranges of the finished pass the current ones. */
void there_finish(struct there *t);

#endif
