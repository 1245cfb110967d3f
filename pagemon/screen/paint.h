/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint: a frame of the screen as a list of drawing commands for each line, so that only lines that differ
 * from those of the last frame are drawn.
 *
 * A frame is paint_begin(), commands in any order (a later one of a line is drawn over an earlier
 * one), and paint_end(), which compares each line with the last frame's and draws those that differ.  A
 * frame costs a few instructions a cell, and memory is bounded by the screen's size.
 */
#ifndef PAGEMON_SCREEN_PAINT_H
#define PAGEMON_SCREEN_PAINT_H

#include "base/buf.h"
#include "tui/tui.h"

struct paint_line {
	struct sm_buf now, drawn;  /* commands */
	bool forgotten;            /* draw it even if they are the same */
};

struct paint {
	struct sm_tui *tui;
	struct paint_line *lines;
	int n, cap, columns;
	bool all;                  /* draw all lines */
};

void paint_fini(struct paint *p);
/* Something else was drawn, or the size has changed: the next frame draws every line. */
void paint_forget(struct paint *p);
/* -ENOMEM. */
int paint_begin(struct paint *p, struct sm_tui *t) SM_MUST;
/* The tool's own text, or hostile bytes; as sm_tui_put() and sm_tui_text(). */
void paint_put(struct paint *p, int row, int column, int width, enum sm_tui_style style, const char *text,
	size_t n);
void paint_text(struct paint *p, int row, int column, int width, enum sm_tui_style style, const char *text,
	size_t n);
/* n letters, each in a style of its own (enum sm_tui_style). */
void paint_cells(struct paint *p, int row, int column, int n, const char *letters, const uint8_t *styles);
void paint_fill(struct paint *p, int row, int column, int width, enum sm_tui_style style);
void paint_printf(struct paint *p, int row, int column, enum sm_tui_style style, const char *fmt, ...)
	SM_PRINTF(5, 6);
/* True: sm_tui_show() has something to send. */
bool paint_end(struct paint *p);
/* Something else is drawn in this line. */
void paint_forget_line(struct paint *p, int row);

#endif
