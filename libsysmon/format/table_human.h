/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_human: lines of the human table, and the number of terminal lines that they occupy.  Private to
 * table.c.
 *
 * Each function appends whole lines to t->row.  t->shown[] must be up to date.
 */
#ifndef SM_TABLE_HUMAN_H
#define SM_TABLE_HUMAN_H

#include "format/table.h"

/* Returns the width of all columns shown. */
unsigned int sm_table_human_width(const struct sm_table *t);
/* Returns the width of all columns shown after sm_table_human_grow(). */
unsigned int sm_table_human_widest(const struct sm_table *t);
/* Returns the number of terminal lines that a line of `width` display columns occupies. */
unsigned int sm_table_human_lines(const struct sm_table *t, size_t width);
/* Returns the width of the row. */
size_t sm_table_human_row(struct sm_table *t, const struct sm_value *vals);
/* Makes SM_COLUMN_GROW columns as wide as their widest values; returns whether any was narrower. */
bool sm_table_human_grow(struct sm_table *t);
void sm_table_human_heading(struct sm_table *t);
void sm_table_human_rule(struct sm_table *t);
/* Adds the lines of b to the count of lines since the header. */
void sm_table_human_count(struct sm_table *t, const struct sm_buf *b);
/* Appends the lines of b, each truncated to the width of the terminal. */
void sm_table_human_cut(struct sm_table *t, const struct sm_buf *b);
/* Appends the lines of `from`, split to `columns` (0: unlimited) as by sm_table_wrap(). */
void sm_table_human_wrap(unsigned int columns, const struct sm_buf *from, struct sm_buf *to);
/* Appends one value to b, without padding. */
void sm_table_human_text(struct sm_table *t, const struct sm_table_column *col,
	const struct sm_value *v, struct sm_buf *b);

#endif
