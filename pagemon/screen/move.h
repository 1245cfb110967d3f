/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move: the cursor's ways over the map, and its zoom.
 *
 * The cursor is a page.  A step goes to the first page of another cell; past the end of a row it goes
 * on in the next one.  Zooming keeps the cursor's page, and leaves it in the same line of the screen if
 * that is possible.
 */
#ifndef PAGEMON_SCREEN_MOVE_H
#define PAGEMON_SCREEN_MOVE_H

#include "state.h"

/* After a change of sizes, mappings, zoom, folding: s->layout, s->top, s->rows. */
void move_arrange(struct screen *s);
/* Keys of the map; false: another key. */
bool move_key(struct screen *s, int key);
/* To the cell in that line and column of the map; nothing where there is none. */
void move_click(struct screen *s, int line, int column);
/* One step up (more pages in a cell) or down: 1 each up to 16, then a quarter. */
uint64_t move_next_zoom(uint64_t zoom, bool more);
bool move_zoom_key(struct screen *s, int key);

#endif
