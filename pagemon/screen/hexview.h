/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hexview: the bytes of the target's pages, in aligned rows.
 *
 * Rows are numbered through all pages, in the order of their ordinals.  The screen shows only rows of the
 * cursor's mapping, because one range of addresses is read.  A page that is not present is not read; its
 * rows show the reason.
 */
#ifndef PAGEMON_SCREEN_HEXVIEW_H
#define PAGEMON_SCREEN_HEXVIEW_H

#include "state.h"

/* Returns the bytes per row for this number of columns: 64, 32 or 16, and 8 or 4 for few columns. */
unsigned int hexview_row_bytes(int columns, uint64_t address);
/* Sets the first visible row, s->hex_top, and the bytes to be read, in s->want. */
void hexview_arrange(struct screen *s, int columns);
/* Handles a key.  Returns false if the view does not use it. */
bool hexview_key(struct screen *s, int key);
void hexview_draw(struct screen *s);

#endif
