/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows: places the windows: the page under the cursor (Tab), the memory of the process (v) and its page
 * faults (p).
 *
 * On a screen of at least WINDOWS_BESIDE columns, the windows are next to the map, which gets narrower.
 * Otherwise they are over the map: the first on the left, the second on the right (without room, below the
 * first), the third below the first.
 */
#ifndef PAGEMON_SCREEN_WINDOWS_H
#define PAGEMON_SCREEN_WINDOWS_H

#include "pane.h"

#define WINDOWS_BESIDE 132
enum { WINDOWS = 3 };

/* Places windows.  open: WINDOW_...; lines: lines of each window.  Returns the columns left for the map. */
int windows_place(int columns, int rows, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS]);
/* Returns the columns left for the map. */
int windows_arrange(const struct screen *s);
void windows_draw(struct screen *s);
/* Returns whether a window covers this place of the screen. */
bool windows_cover(const struct screen *s, int row, int column);

#endif
