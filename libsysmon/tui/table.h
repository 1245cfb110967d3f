/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: draws a format/table table on a screen: header, rows, the column by which they are sorted, the
 * selected row, and which part of the rows is shown.  cli layer.
 *
 * sm_table_terminal() selects the columns that have room.  Each cell stays in its column: a number that
 * is too wide gets fewer decimals, a text is truncated with an ellipsis before its suffix.  A missing
 * value is empty. row() is called for rows when they are drawn.
 *
 * A table of samples shows some of the columns that a tool has for all formats, in an order of its own, and a
 * column of sparklines.
 */
#ifndef SM_TUI_TABLE_H
#define SM_TUI_TABLE_H

#include "format/table.h"
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

#define SM_TUI_COLUMNS_MAX 16   /* of a table of samples */
#define SM_TUI_ROWS_MAX    4096 /* rows that a table of samples shows; all rows are counted */

/* A column of a table of samples. */
struct sm_tui_place {
	uint8_t column; /* number of a column of the tool; the number after the last one: sparklines */
	uint8_t width;
	int8_t order;   /* or -1 */
};

struct sm_tui_table {
	struct sm_table table;   /* without a sink */
	struct sm_list list;     /* list of its rows */
	size_t matched;          /* number of rows, including those that are not in the list */
	int order;               /* number of the order of the rows */
	int sorted;              /* the first column of that order, or -1 */
	int8_t *orders;          /* number of the order by each column, or -1 */
	int history;             /* column of sparklines, or -1 */
	struct sm_history values; /* values of that column, by the rows' keys */
	double history_max;      /* value of full height */
	int history_columns;     /* a table of samples: minimum width of a screen with that column */
	const char *none;        /* text shown if there are no rows */
	unsigned int rest;       /* width of the last column, set before row() is called */
	/* Prepares the table for a screen of this width before it is drawn; NULL: nothing to do. */
	void (*prepare)(void *ctx, int columns);
	/* Sets the values of row i; all are missing before the call.  For a table of samples, v has all
	 * columns of the tool. */
	void (*row)(void *ctx, size_t i, struct sm_value *v);
	/* A table of samples: returns the key of row i, and its value for the history; below 0: no value. */
	uint64_t (*key)(void *ctx, size_t i, double *value);
	/* Returns the style of a cell, unless its row is selected; col: as for the values. */
	enum sm_tui_style (*style)(void *ctx, size_t i, unsigned int col);
	/* Appends the name of row i, for the line of its history; see tui/screen. */
	void (*name)(void *ctx, size_t i, struct sm_buf *out);
	void *ctx;
	struct sm_buf selected_name; /* kept because the history is drawn even if a sample lacks the row */
	struct sm_column columns[SM_TUI_COLUMNS_MAX]; /* of a table of samples */
	uint64_t seed;           /* for hashes in keys */
	/* private */
	const struct sm_tui_place *places; /* NULL: not a table of samples */
	uint64_t *keys;
	int line, lines;         /* lines of the screen that the table fills; the first has the header */
	struct sm_value *v;
	unsigned int nvalues;
	struct sm_buf text;
};

/* The caller sets the other members before sm_tui_table_draw(). */
int sm_tui_table_init(struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols)
	SM_MUST;
/* Initialises a table of samples; cols: the tool's columns. */
int sm_tui_table_init_samples(struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols,
	const struct sm_tui_place *places, unsigned int n) SM_MUST;
void sm_tui_table_fini(struct sm_tui_table *w);
/* Shows the rows of a sample, n of `matched`, after sm_history_begin(), and adds them to the history. */
void sm_tui_table_take(struct sm_tui_table *w, size_t n, size_t matched);
/* Fills `lines` lines; a single line shows a row, not the header. */
void sm_tui_table_draw(struct sm_tui_table *w, struct sm_tui *t, int line, int lines);
/* Handles SM_KEY_CLICK: selects the row there.  SM_TUI_HIT_HEAD: *order is the order of the column. */
enum sm_tui_hit sm_tui_table_click(struct sm_tui_table *w, struct sm_tui *t, int *order);

#endif
