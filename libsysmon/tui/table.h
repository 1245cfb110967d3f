/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: draws an out/table table on a screen: heading, rows, the column sorted by, the selected
 * row, which part of the rows is shown.  cli layer.
 *
 * The columns that have room are those of sm_table_terminal().  Each cell stays in its column:
 * a number that is too wide has fewer decimals, a text is cut with an ellipsis before its
 * suffix.  A missing value is blank.  Rows are asked for when they are drawn.
 */
#ifndef SM_TUI_TABLE_H
#define SM_TUI_TABLE_H

#include "out/table.h"
#include "tui/history.h"
#include "tui/list.h"
#include "tui/tui.h"

struct sm_tui_table {
	struct sm_table table;   /* without a sink */
	struct sm_list list;     /* of its rows */
	size_t matched;          /* rows that there are, with those that are not in the list */
	int sorted;              /* column; -1: none */
	int history;             /* column of sparklines; -1: none */
	const struct sm_history *values;  /* of that column, by the rows' keys */
	double history_max;      /* of full height */
	const char *none;        /* stands where there are no rows */
	unsigned int rest;       /* columns that the last one of them has, when row() is called */
	/* The values of a row, all missing before. */
	void (*row)(void *ctx, size_t i, struct sm_value *v);
	/* Of a cell, unless its row is selected. */
	enum sm_tui_style (*style)(void *ctx, size_t i, unsigned int col);
	void *ctx;
	/* own */
	struct sm_value *v;
	struct sm_buf text;
};

/* The other members are the caller's, before sm_tui_table_draw(). */
int sm_tui_table_init(struct sm_tui_table *w, const struct sm_column *cols, unsigned int ncols)
	SM_MUST;
void sm_tui_table_fini(struct sm_tui_table *w);
/* Fills so many lines; a single one is for a row, not for the heading. */
void sm_tui_table_draw(struct sm_tui_table *w, struct sm_tui *t, int line, int lines);

#endif
