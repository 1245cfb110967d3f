/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map: draws the page view, with an address and cells in each line.
 *
 * A cell whose pages all have the state is the state's letter.  For other cells, a block shows the share of
 * the pages, and the colour shows the state.  Without colour, the state's letter in lower case replaces the
 * first of several such blocks of one state in a row.
 *
 * hexview draws the bytes of the target's pages, in aligned rows.  Rows are numbered through all pages, in
 * the order of their ordinals.  The screen shows only rows of the cursor's mapping, because one range of
 * addresses is read.  A page that is not present is not read; its rows show the reason.
 */
#ifndef PAGEMON_SCREEN_MAP_H
#define PAGEMON_SCREEN_MAP_H

#include "state.h"

void map_draw(struct screen *s);
/* Appends the lines of the map as text. */
void map_text(const struct screen *s, struct sm_buf *b);
/* Returns the glyph of a step from 1 to SIGN_FULL - 1, and of a gap. */
const char *map_step(const struct screen *s, unsigned int step);
const char *map_gap(const struct screen *s);

/* Returns the bytes per row for this number of columns: 64, 32 or 16, and 8 or 4 for few columns. */
unsigned int hexview_row_bytes(int columns, uint64_t address);
/* Sets the first visible row, s->hex_top, and the bytes to be read, in s->want. */
void hexview_arrange(struct screen *s, int columns);
/* Handles a key.  Returns false if the view does not use it. */
bool hexview_key(struct screen *s, int key);
void hexview_draw(struct screen *s);

#endif
