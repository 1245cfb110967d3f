/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples as table, CSV and JSON lines.
 *
 * The table has the layout of the original: a header, the rows, a line with the totals of all tasks, which
 * filters do not change, and an empty line; with --wakeups, wakeups/wakeview.h prints the totals.  -q
 * suppresses the table; JSON and CSV keep their rows.
 */
#ifndef EVENTSTAT_VIEW_H
#define EVENTSTAT_VIEW_H

#include "cli/app.h"
#include "rows/event.h"
#include "opts.h"
#include "rows/rows.h"
#include "values.h"

struct view {
	const struct opts *opts;
	struct sm_app *app;
	uint64_t samples;
	uint64_t start_ns;      /* start of the first interval */
	struct counts all;      /* sums over all samples */
	uint64_t wakeups, no_room; /* sums over all samples */
	struct rows table;      /* rows of the table that is being printed */
	struct sm_buf text;     /* scratch */
};

int view_init(struct view *v, const struct opts *o, struct sm_app *app) SM_MUST;
void view_fini(struct view *v);
/* Adds a sample to the totals of the run; view_sample() may follow. */
void view_count(struct view *v, const struct sample *s);
/* Prints a sample: records of the first `shown` rows, which r has arranged, and a table of the r->n rows, in
 * which rows that look alike are added up.  This function and the next two return 0 or -ENOMEM. */
int view_sample(struct view *v, const struct sample *s, struct event *rows, const struct rows *r,
	size_t shown) SM_MUST;
/* Prints the last sample of the screen as a table, which stays on the terminal: as many of the n rows as fit
 * into `lines` with the text below them. */
int view_of_screen(struct view *v, const struct sample *s, const struct event *rows, size_t n,
	size_t lines) SM_MUST;
/* Prints the n totals of the run, over the span of all samples: records of the first `shown`, and a table in
 * which totals that look alike are added up before the limit is applied. */
int view_totals(struct view *v, const struct span *span, const struct event *totals, size_t n,
	size_t shown) SM_MUST;
/* Writes the last record of JSON. */
void view_summary(struct view *v, const struct sample *last);

/* Append parts of the text below the rows to v->text: a rate; the end with lost events and the line of
 * -w. */
void view_put_rate(struct view *v, const char *before, uint64_t n, uint64_t dt_ns);
void view_put_end(struct view *v, const struct sample *s);

#endif
