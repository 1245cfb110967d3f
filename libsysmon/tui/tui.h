/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui: the screen, for tools that have one.  cli layer; ncursesw is loaded when the screen is opened.
 *
 * It opens only on a terminal whose TERM is known; otherwise it returns -errno and a message.  The
 * terminal is restored at every exit: sm_tui_close(), exit(), fatal signals (SEGV, ABRT, BUS, FPE, ILL,
 * and TERM and HUP if the tool does not handle them), and while the tool is stopped (^Z).  The tool's
 * loop calls sm_tui_resized() on SIGWINCH and sm_tui_key() when key_fd is readable; no function blocks
 * (except up to 50 ms after a lone ESC).  Text of other processes must be sanitised, for example with
 * sm_tui_text().  Drawing changes an off-screen copy; sm_tui_show() sends only the differences, with
 * one write.  A terminal that can reports the mouse; selecting text in it then requires Shift.
 */
#ifndef SM_TUI_H
#define SM_TUI_H

#include "base/base.h"
#include "base/buf.h"

enum sm_tui_style {
	SM_TUI_NORMAL,
	SM_TUI_DIM,
	SM_TUI_BOLD,
	SM_TUI_HEAD,      /* header: reverse */
	SM_TUI_SELECTED,
	SM_TUI_LOW, SM_TUI_MIDDLE, SM_TUI_HIGH, /* load: green, yellow, red */
	SM_TUI_ACCENT,    /* cyan */
	SM_TUI_WARN,
	/* Kinds of cells of a map, distinguishable without red and green: as background of a whole
	 * cell, as letter of a partial one.  Yellow, cyan, red, magenta, white. */
	SM_TUI_MAP_1, SM_TUI_MAP_2, SM_TUI_MAP_3, SM_TUI_MAP_4, SM_TUI_MAP_5,
	SM_TUI_MAP_1_PART, SM_TUI_MAP_2_PART, SM_TUI_MAP_3_PART, SM_TUI_MAP_4_PART, SM_TUI_MAP_5_PART,
	SM_TUI_NSTYLES,
	/* added to a style: */
	SM_TUI_STRONG = 64,   /* bold */
	SM_TUI_REVERSED = 128,
};

/* Keys other than Unicode code points (1 .. 0x10ffff). */
enum sm_tui_key {
	SM_KEY_NONE = 0,  /* no key */
	SM_KEY_UP = 0x110000, SM_KEY_DOWN, SM_KEY_LEFT, SM_KEY_RIGHT, SM_KEY_PGUP, SM_KEY_PGDN,
	SM_KEY_HOME, SM_KEY_END, SM_KEY_ENTER, SM_KEY_ESC, SM_KEY_BACKSPACE, SM_KEY_DELETE,
	SM_KEY_TAB, SM_KEY_F1, SM_KEY_F12 = SM_KEY_F1 + 11,
#define SM_KEY_F(n) (SM_KEY_F1 + (n) - 1)
	SM_KEY_OTHER, /* an unknown key, or a report of the terminal: to be ignored */
	/* the left button at mouse_row, mouse_column; the wheel */
	SM_KEY_CLICK, SM_KEY_WHEEL_UP, SM_KEY_WHEEL_DOWN,
	SM_KEY_GONE /* the terminal was hung up: no further keys will arrive */
};

struct sm_tui {
	int columns, rows;
	bool color, utf8;
	bool blocks;  /* the font has blocks of eighths; the fonts of the Linux console lack them */
	int key_fd;       /* poll it for POLLIN */
	int mouse_row, mouse_column; /* of the last SM_KEY_CLICK */
	bool open;
	struct sm_buf text; /* scratch */
};

/* color: enum sm_color; auto honours NO_COLOR and the terminal's capabilities.  Standard input and
 * output must be one terminal.  Sets the locale's LC_CTYPE.  -ENOTTY, -EOPNOTSUPP (TERM), -EBUSY
 * (a process has one screen), -ELIBACC (no libncursesw, or a build without ncurses: tui_none.c);
 * *why is a message without the program's name. */
int sm_tui_open(struct sm_tui *t, int color, const char **why) SM_MUST;
void sm_tui_close(struct sm_tui *t);
/* Applies the new size; the next sm_tui_show() redraws the whole screen.  SIGWINCH is also raised
 * after a stop (^Z, fg). */
void sm_tui_resized(struct sm_tui *t);
/* Returns one key, or SM_KEY_NONE; never blocks. */
int sm_tui_key(struct sm_tui *t);

void sm_tui_clear(struct sm_tui *t);
/* Draws UTF-8 text of the tool, or sanitised text, in at most `width` columns; returns the columns
 * used.  Nothing is drawn outside the screen. */
int sm_tui_put(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style,
	const char *text, size_t n);
int sm_tui_printf(struct sm_tui *t, int row, int column, enum sm_tui_style style,
	const char *fmt, ...) SM_PRINTF(5, 6);
/* Draws hostile bytes: sanitised, and truncated with an ellipsis if they do not fit. */
int sm_tui_text(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style,
	const char *p, size_t n);
/* Fills the rest of a row with the style. */
void sm_tui_fill(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style);
/* Draws a bar of `width` columns filled to fraction 0 .. 1, with eighth blocks in UTF-8, otherwise with
 * #. */
void sm_tui_bar(struct sm_tui *t, int row, int column, int width, double fraction,
	enum sm_tui_style style);
/* Draws the last values of v (oldest first) as a sparkline of at most `width` columns. */
void sm_tui_spark(struct sm_tui *t, int row, int column, int width, const double *v, size_t n,
	double max, enum sm_tui_style style);
/* Sends the changes to the terminal. */
void sm_tui_show(struct sm_tui *t);
/* Returns the style for a load in percent of its capacity: low below 50, middle below 80. */
enum sm_tui_style sm_tui_load_style(double percent);

#endif
