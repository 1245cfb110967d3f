/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane: a window over the screen, in lines of a label and a text.  A text that is wider than the window loses
 * whole words, so that numbers stay whole.
 */
#ifndef PAGEMON_SCREEN_PANE_H
#define PAGEMON_SCREEN_PANE_H

#include "state.h"

struct windows_place {
	int row, column, width, lines; /* lines 0: closed, or no room */
};

struct pane {
	struct screen *s;
	struct windows_place place;
	int at;                        /* the next line */
	int label;                     /* columns of the labels */
};

/* Returns the columns after the labels. */
int pane_rest(const struct pane *p);
/* Draws a line "LABEL TEXT"; nothing is drawn after the last line. */
void pane_line(struct pane *p, const char *label, const char *fmt, ...) SM_PRINTF(3, 4);
/* Draws a line with a label and hostile bytes. */
void pane_text(struct pane *p, const char *label, struct sm_str text);

#endif
