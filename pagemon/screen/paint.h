/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint: a frame of the screen as a list of drawing commands for each line, so that only lines that differ
 * from the last frame are drawn.
 *
 * A frame consists of paint_begin(), commands in any order (later commands draw over earlier ones) and
 * paint_end(), which draws the lines that differ from the last frame.  A frame costs a few instructions per
 * cell, and memory is bounded by the size of the screen.
 */
#ifndef PAGEMON_SCREEN_PAINT_H
#define PAGEMON_SCREEN_PAINT_H

#include "base/buf.h"
#include "tui/tui.h"

struct paint_line {
	struct sm_buf now, drawn;  /* commands */
	bool forgotten;            /* draw the line even if it is unchanged */
};

struct paint {
	struct sm_tui *tui;
	struct paint_line *lines;
	int n, cap, columns;
	bool all;                  /* draw all lines */
};

void paint_fini(struct paint *p);
/* Makes the next frame draw every line, because something else was drawn or the size has changed. */
void paint_forget(struct paint *p);
/* Begins a frame.  -ENOMEM. */
int paint_begin(struct paint *p, struct sm_tui *t) SM_MUST;
/* Draw the tool's own text, or hostile bytes, like sm_tui_put() and sm_tui_text(). */
void paint_put(struct paint *p, int row, int column, int width, enum sm_tui_style style, const char *text,
	size_t n);
void paint_text(struct paint *p, int row, int column, int width, enum sm_tui_style style, const char *text,
	size_t n);
void paint_fill(struct paint *p, int row, int column, int width, enum sm_tui_style style);
void paint_printf(struct paint *p, int row, int column, enum sm_tui_style style, const char *fmt, ...)
	SM_PRINTF(5, 6);
/* Draws the lines that have changed.  Returns whether sm_tui_show() has anything to send. */
bool paint_end(struct paint *p);
/* Makes the next frame draw this line, because something else is drawn in it. */
void paint_forget_line(struct paint *p, int row);

#endif
