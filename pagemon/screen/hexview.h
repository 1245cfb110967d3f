/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hexview: the bytes of the target's pages, in aligned rows.
 *
 * Rows are numbered through all pages, in the order of their ordinals.  The screen shows those of the
 * cursor's mapping only, because what is read for it is one range of addresses.  A page that is not in
 * RAM is not read: its rows say why they have no bytes.
 */
#ifndef PAGEMON_SCREEN_HEXVIEW_H
#define PAGEMON_SCREEN_HEXVIEW_H

#include "state.h"

/* Bytes a row on so many columns: 64, 32, 16, and 8 or 4 on narrow ones. */
unsigned int hexview_row_bytes(int columns);
/* Which rows are on the screen, in s->hex_top, and the bytes that are wanted. */
void hexview_arrange(struct screen *s, int columns);
/* False: another key. */
bool hexview_key(struct screen *s, int key);
void hexview_draw(struct screen *s);

#endif
