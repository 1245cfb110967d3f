/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows: where the windows stand: the page under the cursor (Tab), the memory of the process (v), its page
 * faults (p).
 *
 * On a screen of at least WINDOWS_BESIDE columns they are beside the map, which gets narrower; else
 * over it: the first on the left, the second on the right, the third below on the left.
 */
#ifndef PAGEMON_SCREEN_WINDOWS_H
#define PAGEMON_SCREEN_WINDOWS_H

#include "state.h"

#define WINDOWS_BESIDE 132
enum { WINDOWS = 3 };

struct windows_place {
	int row, column, width, lines; /* lines 0: closed, or no room */
};

/* open: WINDOW_...; lines: how many each of them has.  Returns the columns that are left for the map. */
int windows_place(int columns, int rows, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS]);
/* The columns left for the map. */
int windows_arrange(const struct screen *s);
void windows_draw(struct screen *s);
/* Does a window cover this place of the screen? */
bool windows_cover(const struct screen *s, int row, int column);

/* --- for the windows' contents ---------------------------------------------------------- */

struct pane {
	struct screen *s;
	struct windows_place place;
	int at;                        /* the next line */
	int label;                     /* columns of the labels */
};

/* Columns behind the labels. */
int pane_rest(const struct pane *p);
/* A line "LABEL TEXT"; behind the last line nothing is drawn. */
void pane_line(struct pane *p, const char *label, const char *fmt, ...) SM_PRINTF(3, 4);
/* The same with hostile bytes. */
void pane_text(struct pane *p, const char *label, struct sm_str text);
/* The lines that it has, if there is room for all. */
void pagewindow_draw(struct pane *p);
void vmwindow_draw(struct pane *p);
void perfwindow_draw(struct pane *p);

#define PAGEWINDOW_LINES 23
#define VMWINDOW_LINES   25
#define PERFWINDOW_LINES (FAULT_KEYS + 1)

#endif
