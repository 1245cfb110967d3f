/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells: the visible part of the page view, as the sign of each cell (sign.h).
 *
 * A cell represents `zoom` pages of its row; the last cell of a row represents the remaining pages.
 * Memory is proportional to the number of cells, whatever the zoom.  Passes determine the signs in
 * bounded steps.  A cell that has never been walked is CELL_UNKNOWN; later it keeps its sign until it is
 * walked again.
 */
#ifndef PAGEMON_CELLS_H
#define PAGEMON_CELLS_H

#include "pass.h"

#define CELL_UNKNOWN '?'  /* not walked yet */
#define CELL_NONE    '~'  /* after the last page of the row */

/* A row of pages [first, end), at most width * zoom pages. */
struct cells_row {
	uint64_t first, end;   /* ordinals */
};

struct cells;

int cells_new(struct cells **out) SM_MUST;
void cells_free(struct cells *c);
/*
 * Sets the visible rows, in order of ordinals, including rows without pages (first == end); no page is in
 * two rows.  If nothing differs from the last call, this does nothing; otherwise all cells become unknown
 * and changed.  width and zoom are at least 1.  -ENOMEM: nothing is visible.
 */
int cells_view(struct cells *c, const struct cells_row *rows, size_t nrows, unsigned int width, uint64_t zoom)
	SM_MUST;
/*
 * Walks the rows for about budget_ns, with at least one call.  Continues where the last step ended, or
 * starts a new walk if that one is complete.  If the mappings have changed, the walk restarts with the
 * cells that have not been walked yet.  Returns 1 if there is more, 0 if all cells have been walked, or
 * -errno (-ESRCH: the memory no longer exists).
 */
int cells_step(struct cells *c, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;
/* Returns the fraction of its pages that the walk in progress has done; otherwise 1, or 0 before the first
 * walk of a view. */
double cells_progress(const struct cells *c);

/* Returns the `width` signs of a row. */
const char *cells_signs(const struct cells *c, size_t row);
/* Returns whether a sign has changed since cells_seen(). */
bool cells_any_changed(const struct cells *c);
void cells_seen(struct cells *c);

#endif
