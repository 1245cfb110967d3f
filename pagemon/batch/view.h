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
	uint64_t shown;        /* rows of the snapshot, for --limit */
	uint64_t matched;      /* the same without it */
	struct sm_buf text;    /* scratch */
};

/* What a snapshot of all processes came to. */
struct view_sample {
	uint64_t number;       /* from 1 */
	uint64_t t_ns;         /* CLOCK_MONOTONIC, of its end */
	uint64_t cpu_ns;       /* CPU time that it took */
	uint64_t processes;
	uint64_t missed;       /* since the start: snapshots that were due while another was taken */
	uint64_t names_cut;    /* names of mappings that are not whole */
};

void view_init(struct view *v, const struct opts *o, struct sm_app *app);
void view_fini(struct view *v);
/* A new snapshot begins. */
void view_begin(struct view *v);
/* The complete snapshot of a process: with -m its mappings. */
void view_process(struct view *v, const struct snapshot *s);
void view_run(struct view *v, const struct snapshot *s, const struct page_run *run);
/* After the rows of all processes: a record of JSON. */
void view_sample(struct view *v, const struct view_sample *s);
/* The process is watched no more, or executes another program: "exited", "lost", "exec". */
void view_event(struct view *v, const struct snapshot *s, const char *event);
/* The last record of JSON; with --summary a line of text. */
void view_summary(struct view *v, const struct view_sample *last);

#endif
