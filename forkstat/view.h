/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: the rows of an event in each format.
 *
 * A fork is two rows of the table (parent, child) and one record of JSON or CSV.
 */
#ifndef FORKSTAT_VIEW_H
#define FORKSTAT_VIEW_H

#include "cli/outputs.h"
#include "opts.h"
#include "track.h"
#include "cli/ids.h"

struct view {
	const struct opts *opts;
	struct sm_ids users;
	struct sm_outputs *outputs;
	const struct sm_tasktable *procs; /* table that has the names of parents */
	bool color, glyphs_utf8;
	int64_t wall_offset_ns;  /* CLOCK_REALTIME - CLOCK_MONOTONIC */
	uint64_t offset_read_ns; /* time when wall_offset_ns was read */
	uint64_t rows;           /* events shown (a fork is one event) */
};

/* The outputs must be open.  Returns 0 or -errno. */
int view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs) SM_MUST;
void view_row(struct view *v, const struct row *row);
uint64_t view_wall_ns(struct view *v, uint64_t mono_ns);
/* Appends the name of a task as displayed with -c, -s, -d and -Q, sanitised. */
void view_name(const struct opts *o, const struct sm_task *p, struct sm_buf *b);
/* Appends the name of the task's program, without directory and arguments, sanitised. */
void view_program(const struct opts *o, const struct sm_task *p, struct sm_buf *b);
/* Adapts the tables to the new size of the terminal. */
void view_resized(struct view *v);
void view_fini(struct view *v);

#endif
