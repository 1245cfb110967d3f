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

#include "state.h"

#define WINDOWS_BESIDE 132

/* Places windows.  lines: height of each window; 0: closed.  Returns the columns left for the map. */
int windows_place(int columns, int rows, const int lines[WINDOWS], struct windows_place place[WINDOWS]);
/* Sets s->place.  Returns the columns left for the map. */
int windows_arrange(struct screen *s);
void windows_draw(struct screen *s);
/* Returns whether a window covers this place of the screen. */
bool windows_cover(const struct screen *s, int row, int column);

/* --- the contents of a window (pane), in lines of a label and a text ------------------- */

struct pane {
	struct screen *s;
	const struct windows_place *place;
	int at;                        /* the next line */
	int label;                     /* columns of the labels */
};

/* Returns the columns after the labels. */
int pane_rest(const struct pane *p);
/* Draws a line "LABEL TEXT"; nothing is drawn after the last line.  A text that is wider than the window
 * loses whole words, so that numbers stay whole. */
void pane_line(struct pane *p, const char *label, const char *fmt, ...) SM_PRINTF(3, 4);
/* Draws a line with a label and hostile bytes. */
void pane_text(struct pane *p, const char *label, struct sm_str text);

void pagewindow_draw(struct pane *p);
void vmwindow_draw(struct pane *p);
void perfwindow_draw(struct pane *p);

#endif
