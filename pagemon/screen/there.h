/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * there: the ranges of addresses whose pages are not empty, for a folded map.
 *
 * They are addresses, not ordinals: they stay right when mappings come and go.
 *
 * One pass after another collects them.  Their number is bounded: when there are more than THERE_MAX,
 * ranges with a small gap between them become one, which then is not folded.  16 TiB with scattered
 * pages cost no more than 64 KiB.
 */
#ifndef PAGEMON_SCREEN_THERE_H
#define PAGEMON_SCREEN_THERE_H

#include "pages/pass.h"
#include "layout.h"

#define THERE_MAX 2048

struct there {
	/* of the last complete pass */
	struct layout_range *ranges;   /* in order, with gaps between them; NULL: none is complete */
	size_t n;
	uint64_t generation;           /* counts the passes that found other ranges */
	/* of the pass in progress */
	struct pass *pass;
	const struct space *space;
	bool begun;
	uint64_t pass_generation;      /* of its mappings */
	struct layout_range next[THERE_MAX];
	size_t next_n;
	uint64_t gap_bytes;            /* up to so many of empty pages are part of a range */
	bool sorted;
};

int there_init(struct there *t) SM_MUST;
void there_fini(struct there *t);
/* Another process, or another program: nothing is known. */
void there_reset(struct there *t);
/* Goes on for about so much time; begins a pass if none is in progress, or the mappings have
 * changed.  1: there is more, 0: a pass is complete, or -errno of pass_step(). */
int there_step(struct there *t, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;

/* Adds addresses [first, end), in any order. */
void there_add(struct there *t, uint64_t first, uint64_t end);
/* Sorts and joins what was added. */
void there_settle(struct there *t);

#endif
