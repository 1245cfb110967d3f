/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: draws an out/table table on a screen: header, rows, the column by which they are sorted, the
 * selected row, and which part of the rows is shown.  cli layer.
 *
 * sm_table_terminal() selects the columns that have room.  Each cell stays in its column: a number that
 * is too wide gets fewer decimals, a text is truncated with an ellipsis before its suffix.  A missing
 * value is empty. row() is called for rows when they are drawn.
 */
#ifndef SM_TUI_TABLE_H
#define SM_TUI_TABLE_H

#include "out/table.h"
#include "tui/history.h"
#include "tui/list.h"
#include "tui/tui.h"

/* The place of a click. */
enum sm_tui_hit {
	SM_TUI_HIT_NOTHING,
	SM_TUI_HIT_ROW,      /* the row is selected now */
	SM_TUI_HIT_SELECTED, /* the row was selected before */
	SM_TUI_HIT_HEAD,     /* the header of a column that has an order */
};

struct sm_tui_table {
	struct sm_table table;   /* without a sink */
	struct sm_list list;     /* list of its rows */
	size_t matched;          /* number of rows, including those that are not in the list */
	int sorted;              /* column, or -1 */
	int8_t *orders;          /* number of the order by each column, or -1 */
	int history;             /* column of sparklines, or -1 */
	const struct sm_history *values;  /* values of that column, by the rows' keys */
	double history_max;      /* value of full height */
	const char *none;        /* text shown if there are no rows */
	unsigned int rest;       /* width of the last column, set before row() is called */
	/* Sets the values of row i; all are missing before the call. */
	void (*row)(void *ctx, size_t i, struct sm_value *v);
	/* Returns the style of a cell, unless its row is selected. */
	enum sm_tui_style (*style)(void *ctx, size_t i, unsigned int col);
	/* Appends the name of row i, for the line of its history; see tui/screen. */
	void (*name)(void *ctx, size_t i, struct sm_buf *out);
	void *ctx;
	struct sm_buf selected_name; /* kept because the history is drawn even if a sample lacks the row */
	/* private */
	int line, lines;         /* lines of the screen that the table fills; the first has the header */
	struct sm_value *v;
	struct sm_buf text;
};

/* The head of a column of sparklines. */
extern const struct sm_column sm_tui_table_history;

/* The caller sets the other members before sm_tui_table_draw(). */
int sm_tui_table_init(struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols)
	SM_MUST;
void sm_tui_table_fini(struct sm_tui_table *w);
/* Fills `lines` lines; a single line shows a row, not the header. */
void sm_tui_table_draw(struct sm_tui_table *w, struct sm_tui *t, int line, int lines);
/* Marks the first column of this order, if there is one. */
void sm_tui_table_mark_order(struct sm_tui_table *w, int order);
/* Shows the column of sparklines or not.  Until it has all its samples, other columns get the room. */
void sm_tui_table_show_history(struct sm_tui_table *w, bool on);
/* Handles SM_KEY_CLICK: selects the row there.  SM_TUI_HIT_HEAD: *order is the order of the column. */
enum sm_tui_hit sm_tui_table_click(struct sm_tui_table *w, struct sm_tui *t, int *order);

#endif
