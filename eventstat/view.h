/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples as table, CSV and JSON lines.
 *
 * The table has the layout of the original: a heading, the rows, a line with the totals of all tasks,
 * filtered or not, and an empty line.  -q suppresses it; JSON and CSV keep their rows.
 */
#ifndef EVENTSTAT_VIEW_H
#define EVENTSTAT_VIEW_H

#include "cli/app.h"
#include "event.h"
#include "opts.h"

struct view {
	const struct opts *opts;
	struct sm_app *app;
	uint64_t samples;
	uint64_t start_ns;      /* of the first sample's interval */
	struct counts all;      /* of all samples */
	struct sm_buf text;     /* scratch */
};

void view_init(struct view *v, const struct opts *o, struct sm_app *app);
void view_fini(struct view *v);
/* A sample whose n rows pass the filters; the first `shown` of them, which are in order, are printed. */
void view_sample(
	struct view *v, const struct sample *s, const struct event *rows, size_t n, size_t shown);
/* What the screen showed last: it stays on the terminal as a table. */
void view_of_screen(struct view *v, const struct sample *s, const struct event *rows, size_t shown);
/* -w: appends its line to v->text. */
void view_stamp(struct view *v, uint64_t t_ns, uint64_t wall_ns);
/* The totals of the run, which took span_ns. */
void view_totals(struct view *v, const struct event *totals, size_t n, uint64_t span_ns);
/* The last record of JSON. */
void view_summary(struct view *v, const struct sample *last);

#endif
