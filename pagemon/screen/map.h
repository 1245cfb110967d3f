/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map: draws the page view, with an address and cells in each line.
 *
 * A cell whose pages all have the state is the state's letter.  For other cells, a block shows the share of
 * the pages, and the colour shows the state.  Without colour, the state's letter in lower case replaces the
 * first of several such blocks of one state in a row.
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

#endif
