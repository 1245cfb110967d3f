/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app_rows: the table and the rows of a tool, as the shared options define them.  cli layer.
 */
#ifndef SM_APP_ROWS_H
#define SM_APP_ROWS_H

#include "cli/app.h"

/* The first columns of a tool with one row per sample, which sm_app_rows_sample() fills. */
enum { SM_APP_TIME, SM_APP_MONO, SM_APP_DT, SM_APP_NCOLUMNS };
#define SM_APP_COLUMNS                                                                    \
	{.key = "time", .head = "Time", .width = 8, .align = SM_ALIGN_LEFT,                \
		.help = "end of the sample", .json = "time"},                              \
		{.key = "mono_ns", .help = "end of the sample, CLOCK_MONOTONIC, ns",        \
			.json = "int"},                                                    \
	{                                                                                  \
		.key = "dt_s", .help = "seconds that the sample covers", .json = "num"     \
	}

/* Sets, after sm_table_init(), the time style, the header and, on a terminal, its size and character
 * set. time: the number of the column that contains the row's time. */
void sm_app_rows_set_up(const struct sm_app *a, struct sm_table *t, unsigned int time);
/* Fits the tables to the new size of the terminal (SIGWINCH). */
void sm_app_rows_resized(struct sm_app *a);
/* Writes the first record or the header of each output. */
void sm_app_rows_begin(struct sm_app *a);
/* Writes one row to each output; with --quiet not to the table. */
void sm_app_rows_put(struct sm_app *a, const struct sm_value *vals);
/* Fills the columns of SM_APP_COLUMNS of the only row of a sample, writes it, and counts it for --count. */
void sm_app_rows_sample(struct sm_app *a, struct sm_value *vals, uint64_t now_ns);
/* Writes the end of the output for a tool without a summary of its own: the summary record of JSON and,
 * with --summary, a line of text with the numbers of rows shown and rows lost. */
void sm_app_rows_summary(struct sm_app *a);
/* Converts now_ns (CLOCK_MONOTONIC) to wall-clock time, in ns since the epoch. */
uint64_t sm_app_rows_wall_ns(uint64_t now_ns);
/* Ends the run when --count samples (or events) have been shown. */
void sm_app_rows_count(struct sm_app *a, uint64_t shown);

#endif
