/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells: the visible part of the page view, as the sign of each cell (sign.h).
 *
 * The cells belong to spans of pages.  A cell represents `zoom` pages of its span; the last cell of a span
 * represents the remaining pages.  Memory is proportional to the number of cells, whatever the zoom.  Passes
 * determine the signs in bounded steps.  A cell that has never been walked is CELL_UNKNOWN; later it keeps
 * its sign until it is walked again.
 */
#ifndef PAGEMON_CELLS_H
#define PAGEMON_CELLS_H

#include "pass.h"

#define CELL_UNKNOWN '?'  /* not walked yet */
#define CELL_NONE    '~'  /* outside all spans */

struct cells_span {
	uint64_t first, end;   /* ordinals */
	size_t cell;           /* number of its first cell */
};

struct cells {
	/* the view */
	struct cells_span *spans;
	size_t nspans, spans_cap;
	uint64_t zoom;
	size_t n;                      /* number of cells */
	unsigned char *signs;          /* signs (sign.h) of all cells */
	size_t signs_cap;
	uint64_t views;                /* how often cells_view() has made all cells unknown */
	bool any_changed;              /* a sign has changed; the caller sets it to false */
	/* private: a walk, which consists of passes over groups of neighbouring spans */
	struct cell *cell;             /* pages of each cell found so far */
	size_t cell_cap;
	struct pass *pass;
	const struct space *space;
	bool walking, fresh;           /* a walk is in progress; the view has not been walked */
	uint64_t hidden;               /* categories of hidden pages in this walk */
	uint64_t generation;           /* generation of the space at the start of the walk */
	size_t from, to;               /* spans [from, to) of the current pass */
	size_t start;                  /* first span of the walk, which wraps around */
	size_t left;                   /* spans that no pass has reached yet */
	uint64_t pages, done_pages;
};

int cells_init(struct cells *c) SM_MUST;
void cells_fini(struct cells *c);
/*
 * Sets the visible spans, in order of ordinals, and the number n of cells; no page is in two spans.  If
 * nothing differs from the last call, this does nothing; otherwise all cells become unknown and changed.
 * zoom is at least 1.  -ENOMEM: nothing is visible.
 */
int cells_view(struct cells *c, const struct cells_span *spans, size_t nspans, size_t n, uint64_t zoom)
	SM_MUST;
/*
 * Walks the spans for about budget_ns, with at least one call.  Continues where the last step ended, or
 * starts a new walk if that one is complete.  If the mappings have changed, the walk restarts with the
 * cells that have not been walked yet.  Returns 1 if there is more, 0 if all cells have been walked, or
 * -errno (-ESRCH: the memory no longer exists).
 */
int cells_step(struct cells *c, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;
/* Returns the fraction of its pages that the walk in progress has done; otherwise 1, or 0 before the first
 * walk of a view. */
double cells_progress(const struct cells *c);

#endif
