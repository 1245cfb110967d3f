/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid: a text table whose columns are as wide as their contents.
 *
 * The rows are made twice: they are first measured, then written.  A column without a value is left out; so
 * are, on a narrow terminal, the columns of low priority.
 */
#ifndef STRESSORS_RESULT_GRID_H
#define STRESSORS_RESULT_GRID_H

#include "format/table.h"

#define GRID_COLUMNS 64

struct grid {
	/* set by the caller */
	const struct sm_column *column;
	unsigned int n;              /* at most GRID_COLUMNS */
	uint64_t hidden;             /* a bit for each column that is not shown */
	unsigned int columns;        /* width of the terminal; 0: no limit */
	unsigned int text_flags;     /* SM_TEXT_UTF8 */
	bool no_header;
	void (*rows)(struct grid *g, const void *ctx); /* calls grid_row() for each */
	const void *ctx;
	/* private */
	struct sm_table table;
	struct sm_buf cell;
	bool measuring;
	unsigned int width[GRID_COLUMNS]; /* 0: no value yet */
	size_t n_rows;
};

/* Appends header and rows to b; nothing without rows. */
void grid_put(struct grid *g, struct sm_buf *b);
void grid_row(struct grid *g, const struct sm_value *v);

#endif
