/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout: the places of pages on the map.
 *
 * The map consists of cells, `width` to a row; a cell represents `zoom` pages.  A flat map contains the pages
 * of all mappings, one after another.  A compact map contains only the cells with populated pages, and
 * between them gaps: ranges of more than one cell that are unpopulated or not mapped.  A gap takes one cell;
 * the largest gaps take the rest of their row, so that the memory after them begins a new row:
 *
 *	flat, 8 cells            compact
 *	PPPP....                 PPPP|P.P
 *	.......P                 ---2M---
 *	.P......  (2 MiB)        PPPP
 *	PPPP
 *
 * Cells of a compact map begin at multiples of their size, so that they do not move while memory grows.
 * A layout has a part of 24 bytes for each populated range and each gap, and no data per page.
 */
#ifndef PAGEMON_SCREEN_LAYOUT_H
#define PAGEMON_SCREEN_LAYOUT_H

#include "pages/populated.h"

#define LAYOUT_ZOOM_MAX (UINT64_C(1) << 40)

struct layout_part {
	uint64_t first;            /* ordinal */
	uint64_t cell;             /* number of its first cell */
	bool gap;
};

struct layout {
	const struct space *space;
	uint64_t zoom;             /* pages per cell */
	unsigned int width;        /* cells per row */
	uint64_t cells, rows;
	struct layout_part *parts; /* n parts, and one after the last */
	size_t n, cap;
};

/* A cell, or all cells of a gap. */
struct layout_cell {
	struct space_range pages; /* ordinals; empty: no page of the gap is mapped */
	uint64_t cell, n;          /* number of the first cell, and number of cells */
	bool gap;
};

void layout_fini(struct layout *l);
/* Makes a compact layout; ranges NULL: a flat one.  zoom and width are at least 1.  -ENOMEM: it is empty. */
int layout_make(struct layout *l, const struct space *s, uint64_t zoom, unsigned int width,
	const struct populated *ranges) SM_MUST;
/* Returns the smallest zoom at which the layout fits in this number of rows; for a compact layout, the
 * smallest step of layout_next_zoom(), so that it rarely changes.  Overwrites the layout. */
uint64_t layout_fitting(struct layout *l, const struct space *s, unsigned int width, unsigned int rows,
	const struct populated *ranges);
/* Increases (more pages per cell) or decreases the zoom: by 1 up to 16, then by a quarter. */
uint64_t layout_next_zoom(uint64_t zoom, bool more);

/* Returns the part that contains the cell; cell < l->cells. */
const struct layout_part *layout_part(const struct layout *l, uint64_t cell);
struct layout_cell layout_cell(const struct layout *l, uint64_t cell);
/* Returns the number of the cell with this page; of the last cell if it is after the last page. */
uint64_t layout_cell_of(const struct layout *l, uint64_t ordinal);
/* Returns the address of the first cell of a row. */
uint64_t layout_address(const struct layout *l, uint64_t row);
/* Returns the addresses of a gap, from the end of the page before it to the start of the page after it. */
struct space_range layout_gap(const struct layout *l, const struct layout_part *gap);

#endif
