/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_human: lines of the human table, and the lines of a terminal that they take.  For table.c.
 *
 * Each function appends whole lines to t->row.  t->shown[] is up to date.
 */
#ifndef SM_TABLE_HUMAN_H
#define SM_TABLE_HUMAN_H

#include "out/table.h"

/* Width of all columns shown. */
unsigned int sm_table_human_width(const struct sm_table *t);
/* Terminal lines of a line that is `width` display columns wide. */
unsigned int sm_table_human_lines(const struct sm_table *t, size_t width);
void sm_table_human_row(struct sm_table *t, const struct sm_value *vals);
void sm_table_human_heading(struct sm_table *t);
void sm_table_human_rule(struct sm_table *t);
/* Adds the lines of b to those since the heading. */
void sm_table_human_count(struct sm_table *t, const struct sm_buf *b);
/* Appends the lines of b, each truncated to the width of the terminal. */
void sm_table_human_cut(struct sm_table *t, const struct sm_buf *b);
/* Appends one value to b, without padding. */
void sm_table_human_text(struct sm_table *t, const struct sm_table_column *col,
	const struct sm_value *v, struct sm_buf *b);

#endif
