/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples as table, CSV and JSON lines.
 *
 * The table has the layout of the original: a heading, the rows, a line with the totals of all tasks,
 * filtered or not, and an empty line; with --wakeups what wakeups/wakeview.h appends.  -q suppresses it;
 * JSON and CSV keep their rows.
 */
#ifndef EVENTSTAT_VIEW_H
#define EVENTSTAT_VIEW_H

#include "cli/app.h"
#include "event.h"
#include "opts.h"
#include "values.h"

struct view {
	const struct opts *opts;
	struct sm_app *app;
	uint64_t samples;
	uint64_t start_ns;      /* of the first sample's interval */
	struct counts all;      /* of all samples */
	uint64_t wakeups, no_room; /* of all samples */
	struct sm_buf text;     /* scratch */
};

void view_init(struct view *v, const struct opts *o, struct sm_app *app);
void view_fini(struct view *v);
/* A sample whose n rows pass the filters; the first `shown` of them, which are in order, are printed. */
void view_sample(
	struct view *v, const struct sample *s, const struct event *rows, size_t n, size_t shown);
/* The last sample of the screen, which stays on the terminal as a table: as many of its n rows as its lines
 * have room for above the text. */
void view_of_screen(struct view *v, const struct sample *s, const struct event *rows, size_t n,
	size_t lines);
/* The totals of the run, over the span of all samples. */
void view_totals(struct view *v, const struct span *span, const struct event *totals, size_t n);
/* The last record of JSON. */
void view_summary(struct view *v, const struct sample *last);

/* Parts of the text below the rows, appended to v->text: a rate, and the end with lost events and the line
 * of -w. */
void view_put_rate(struct view *v, const char *before, uint64_t n, uint64_t dt_ns);
void view_put_end(struct view *v, const struct sample *s);

#endif
