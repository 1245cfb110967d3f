/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app_rows: what most tools do with their table and rows, as the shared options say.  cli layer.
 */
#ifndef SM_APP_ROWS_H
#define SM_APP_ROWS_H

#include "cli/app.h"

/* After sm_table_init(): time style, heading, and on a terminal its size and character set.
 * time: the number of the column with the row's time. */
void sm_app_rows_set_up(const struct sm_app *a, struct sm_table *t, unsigned int time);
/* The terminal has another size (SIGWINCH). */
void sm_app_rows_resized(struct sm_app *a);
/* The first record or heading of each output. */
void sm_app_rows_begin(struct sm_app *a);
/* One row to each output; with --quiet not to the table. */
void sm_app_rows_put(struct sm_app *a, const struct sm_value *vals);
/* What comes at the end where a tool has no summary of its own: JSON's record, and with --summary a
 * line of text, with the rows shown and the rows lost. */
void sm_app_rows_summary(struct sm_app *a);
/* The time of now_ns (CLOCK_MONOTONIC) by the wall clock, in ns since the epoch. */
uint64_t sm_app_rows_wall_ns(uint64_t now_ns);
/* Ends the run when --count samples (or events) have been shown. */
void sm_app_rows_count(struct sm_app *a, uint64_t shown);

#endif
