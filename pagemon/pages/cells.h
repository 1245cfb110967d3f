/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells: the visible part of the page view, as the sign of each cell (sign.h).
 *
 * A cell stands for `zoom` pages of its row, the last one of a row for those that are left.
 * Memory is proportional to the cells, whatever they stand for.  The signs are filled in by
 * passes in bounded steps; a cell that has never been walked is CELL_UNKNOWN, and one that has
 * been keeps its sign until it is walked again.
 *
 * At zoom 1 the entries of all rows are read first: if they are those of before, no page can have changed
 * but for being mapped by a PMD, which entries do not tell; so every CELLS_RECHECK-th time a pass walks
 * them all the same, or each time while huge pages are in sight.
 */
#ifndef PAGEMON_CELLS_H
#define PAGEMON_CELLS_H

#include "pass.h"

#define CELL_UNKNOWN '?'  /* not walked yet */
#define CELL_NONE    '~'  /* behind the last page of the row */

enum { CELLS_RECHECK = 10 };

/* Pages [first, end), at most width * zoom of them. */
struct cells_row {
	uint64_t first, end;   /* ordinals */
};

struct cells;

int cells_new(struct cells **out) SM_MUST;
void cells_free(struct cells *c);
/*
 * What is visible: rows in order of ordinals, also those without pages (first == end), and no
 * page in two of them. If it is what it was, nothing happens; else all cells are unknown, and
 * changed.  width, zoom: at least 1. -ENOMEM: nothing is visible.
 */
int cells_view(struct cells *c, const struct cells_row *rows, size_t nrows, unsigned int width, uint64_t zoom)
	SM_MUST;
/*
 * Walks the rows, for about so much time, at least one call: from the beginning if they have been
 * walked, else on from where the last step ended.  When the mappings have changed the walk begins
 * anew, with the cells not walked yet.  1: there is more, 0: all cells have been walked, or
 * -errno (-ESRCH: the memory is no more).
 */
int cells_step(struct cells *c, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;
/* The part of its pages that the walk has done, 0 .. 1. */
double cells_progress(const struct cells *c);

/* Signs, row by row, width of each. */
const char *cells_signs(const struct cells *c, size_t row);
/* Has a sign changed since cells_seen()? */
bool cells_any_changed(const struct cells *c);
void cells_seen(struct cells *c);

#endif
