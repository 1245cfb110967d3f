/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: the places of pages on the map.
 *
 * A cell represents `zoom` pages; a row has `width` cells.  In a flat layout, the pages of all mappings are
 * consecutive, and row r begins with ordinal r * width * zoom.  In a folded layout, each mapping begins with
 * a new row, and neighbouring rows without populated pages are merged, even across mappings:
 *
 *	flat, 8 cells            folded (a mapping of 20 pages, one of 2)
 *	PPPP....                 PPPP....
 *	........                 .... 12 pages empty
 *	....MM                   MM
 *
 * A folded layout has a part of 24 bytes for each mapping and each range of folded rows, and no data per
 * page.
 */
#ifndef PAGEMON_SCREEN_LAYOUT_H
#define PAGEMON_SCREEN_LAYOUT_H

#include "pages/space.h"

/* A range of ordinals or addresses [first, end). */
struct layout_range {
	uint64_t first, end;
};

struct layout_part {
	uint64_t first;           /* ordinal */
	uint64_t row;             /* number of its first row */
	bool empty;               /* folded: one row */
};

struct layout {
	const struct space *space;
	uint64_t zoom;            /* pages per cell */
	unsigned int width;       /* cells per row */
	uint64_t rows;            /* rows of all pages */
	uint64_t pages;
	bool folded;
	struct layout_part *parts; /* parts of a folded layout, and one after the last */
	size_t n, cap;
};

/* A row, or a part of one, as it is drawn and read. */
struct layout_row {
	struct layout_range pages; /* ordinals; empty: after the last page */
	bool empty;                /* folded */
};

void layout_fini(struct layout *l);
/* Makes a flat layout.  zoom and width are at least 1. */
void layout_flat(struct layout *l, const struct space *s, uint64_t zoom, unsigned int width);
/* Makes a folded layout.  there: n ranges of addresses with populated pages, in order.  -ENOMEM: it is
 * flat. */
int layout_fold(struct layout *l, const struct space *s, uint64_t zoom, unsigned int width,
	const struct layout_range *there, size_t n) SM_MUST;
/* Returns the zoom at which all pages fit in this number of rows. */
uint64_t layout_fitting(const struct space *s, unsigned int width, unsigned int rows);
/* Returns the zoom at which a folded layout fits or, with more mappings than rows, a flat layout. */
uint64_t layout_fitting_fold(struct layout *l, const struct space *s, unsigned int width, unsigned int rows,
	const struct layout_range *there, size_t n);

struct layout_row layout_row(const struct layout *l, uint64_t row);
/* Returns the number of cells of a row; 1 for a folded row. */
unsigned int layout_cells(const struct layout *l, const struct layout_row *r);
/* Returns the pages of cell number i of the row. */
struct layout_range layout_cell(const struct layout *l, const struct layout_row *r, unsigned int i);
/* Returns the row and column of a page; the last place if it is after the last page. */
uint64_t layout_row_of(const struct layout *l, uint64_t ordinal, unsigned int *column);

#endif
