/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * move: moves the cursor over the map and to names and addresses, and changes the zoom.
 *
 * The cursor is a page.  A step goes to the first page of another cell; after the end of a row it continues
 * in the next row.  Zooming keeps the cursor's page, if possible in the same line of the screen.
 *
 * An address that is searched for is hexadecimal, with or without 0x; a text that could also be a name is an
 * address only if a mapping contains it.  Names match in upper and lower case.
 */
#ifndef PAGEMON_SCREEN_MOVE_H
#define PAGEMON_SCREEN_MOVE_H

#include "state.h"

/* Updates s->layout, s->top and s->spans after a change of sizes, mappings, zoom or folding. */
void move_arrange(struct screen *s);
/* Handles a key of the map.  Returns false if the map does not use it. */
bool move_key(struct screen *s, int key);
/* Moves the cursor to the cell in this line and column of the map, if there is one. */
void move_click(struct screen *s, int line, int column);
bool move_zoom_key(struct screen *s, int key);
/* Returns the first visible row of the rows [first, end), so that `row` is visible and lines are empty only
 * after the last row: top if possible. */
uint64_t move_top(uint64_t top, uint64_t row, uint64_t lines, uint64_t first, uint64_t end);
/* Returns the number `from` moved by `by`, at least 0 and at most `last`. */
uint64_t move_by(uint64_t from, int64_t by, uint64_t last);

/* search.c: parses the whole text as a hexadecimal number. */
bool search_address(const char *text, uint64_t *out);
/* Goes to the next (or the previous) mapping whose name contains s->find, and wraps around at the end.  Shows
 * a message if there is none, or if the search wrapped around. */
void search_next(struct screen *s, bool forward);
/* Handle a text typed after / and after g, which is not empty: move the cursor, or show a message. */
void search_find(struct screen *s, const char *text);
void search_goto(struct screen *s, const char *text);

#endif
