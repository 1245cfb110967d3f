/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints snapshots as table, CSV and JSON lines.
 */
#ifndef PAGEMON_VIEW_H
#define PAGEMON_VIEW_H

#include "cli/app.h"
#include "../opts.h"
#include "../snapshot.h"

struct view {
	const struct opts *opts;
	struct sm_app *app;
	uint64_t shown;        /* rows of the snapshot within --limit */
	uint64_t matched;      /* all rows of the snapshot */
	struct sm_buf text;    /* scratch */
};

/* Data about a snapshot of all processes. */
struct view_sample {
	uint64_t number;       /* from 1 */
	uint64_t t_ns;         /* CLOCK_MONOTONIC time of its end */
	uint64_t cpu_ns;       /* CPU time used by the snapshot */
	uint64_t processes;
	uint64_t left_out;     /* descendants of COMMAND that are not monitored */
	uint64_t missed;       /* snapshots missed since the start */
	uint64_t names_cut;    /* truncated names of mappings */
};

/* Returns the number of rows of a complete snapshot of a process: one, or with -m one for each mapping. */
size_t view_rows(const struct snapshot *s);
void view_row(struct view *v, const struct snapshot *s, size_t i);
void view_run(struct view *v, const struct snapshot *s, const struct page_run *run);
/* Prints the JSON record that follows the rows of all processes. */
void view_sample(struct view *v, const struct view_sample *s);
/* Reports that a process is no longer monitored or executed another program: "exited", "lost", "exec". */
void view_event(struct view *v, const struct snapshot *s, const char *event);
/* Reports the exit of COMMAND and its largest resident memory; in CSV as a row. */
void view_command_exited(struct view *v, const struct snapshot *s, uint64_t peak_kb);
/* Prints the last JSON record and, with --summary, a line of text. */
void view_summary(struct view *v, const struct view_sample *last);

#endif
