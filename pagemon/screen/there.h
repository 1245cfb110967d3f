/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * there: the ranges of addresses with populated pages, for a compact map.
 *
 * The ranges are addresses, not ordinals, so they remain valid when mappings are added or removed.
 *
 * Successive passes collect the ranges.  Their number is bounded: if there are more than THERE_MAX, ranges
 * with a small gap between them are joined, and the map shows that gap as empty cells.  16 TiB with scattered
 * pages need at most 64 KiB.
 */
#ifndef PAGEMON_SCREEN_THERE_H
#define PAGEMON_SCREEN_THERE_H

#include "pages/pass.h"
#include "layout.h"

#define THERE_MAX 2048

struct there {
	/* the last complete pass */
	struct layout_range *ranges;   /* in order, with gaps between them; NULL: no pass is complete */
	size_t n;
	uint64_t generation;           /* counts the passes that found other ranges */
	/* the pass in progress */
	struct pass *pass;
	const struct space *space;
	bool begun;
	uint64_t pass_generation;      /* generation of its mappings */
	struct layout_range next[THERE_MAX];
	size_t next_n;
	uint64_t gap_bytes;            /* gaps up to this size are part of a range */
	bool sorted;
};

int there_init(struct there *t) SM_MUST;
void there_fini(struct there *t);
/* Forgets all ranges, because of another process or program. */
void there_reset(struct there *t);
/* Collects ranges for about budget_ns; begins a pass if necessary or if the mappings have changed.
 * Returns 1 if there is more, 0 if a pass is complete, or -errno of pass_step(). */
int there_step(struct there *t, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;

/* Adds addresses [first, end), in any order. */
void there_add(struct there *t, uint64_t first, uint64_t end);
/* Sorts and joins the added ranges. */
void there_settle(struct there *t);

#endif
