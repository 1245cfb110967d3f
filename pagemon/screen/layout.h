/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: which pages stand where on the map.
 *
 * A cell is `zoom` pages, a row `width` cells.  Flat, the pages of all mappings are laid end to end: row r
 * begins with ordinal r * width * zoom.  Folded, each mapping begins a row of its own, and neighbouring rows
 * in which no page is there become one, also those of several mappings:
 *
 *	flat, 8 cells            folded (a mapping of 20 pages, one of 2)
 *	PPPP....                 PPPP....
 *	........                 .... 12 pages empty
 *	....MM                   MM
 *
 * A folded layout has a part for each mapping and each range of folded rows, 24 bytes each, and nothing per
 * page.
 */
#ifndef PAGEMON_SCREEN_LAYOUT_H
#define PAGEMON_SCREEN_LAYOUT_H

#include "pages/space.h"

/* Ordinals or addresses [first, end). */
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
	uint64_t zoom;            /* pages a cell */
	unsigned int width;       /* cells a row */
	uint64_t rows;            /* of all pages */
	uint64_t pages;
	bool folded;
	struct layout_part *parts; /* of a folded layout, and one behind the last */
	size_t n, cap;
};

/* A row, or a part of one, as it is drawn and read. */
struct layout_row {
	struct layout_range pages; /* ordinals; none: behind the last page */
	bool empty;                /* folded */
};

void layout_fini(struct layout *l);
/* zoom and width at least 1. */
void layout_flat(struct layout *l, const struct space *s, uint64_t zoom, unsigned int width);
/* there: addresses of the pages that are there, in order; what is between them is empty.  -ENOMEM: it
 * is flat. */
int layout_fold(struct layout *l, const struct space *s, uint64_t zoom, unsigned int width,
	const struct layout_range *there, size_t n) SM_MUST;
/* The zoom at which all pages fill so many rows. */
uint64_t layout_fitting(const struct space *s, unsigned int width, unsigned int rows);
/* The same, folded; if the mappings alone are more than the rows, that of a flat layout. */
uint64_t layout_fitting_fold(struct layout *l, const struct space *s, unsigned int width, unsigned int rows,
	const struct layout_range *there, size_t n);

struct layout_row layout_row(const struct layout *l, uint64_t row);
/* Cells of a row; 1 of a folded one. */
unsigned int layout_cells(const struct layout *l, const struct layout_row *r);
/* Pages of its cell number i. */
struct layout_range layout_cell(const struct layout *l, const struct layout_row *r, unsigned int i);
/* Where a page stands; the last place if it is behind the last page. */
uint64_t layout_row_of(const struct layout *l, uint64_t ordinal, unsigned int *column);

#endif
