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

struct cells;

int cells_new(struct cells **out) SM_MUST;
void cells_free(struct cells *c);
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

/* Returns the signs (sign.h) of all cells. */
const unsigned char *cells_signs(const struct cells *c);
/* Returns how often cells_view() has made all cells unknown. */
uint64_t cells_views(const struct cells *c);
/* Returns whether a sign has changed since cells_seen(). */
bool cells_any_changed(const struct cells *c);
void cells_seen(struct cells *c);

#endif
