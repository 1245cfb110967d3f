// SPDX-License-Identifier: GPL-2.0-or-later
/* The path of a sample: counters -> filter -> groups -> order -> views. */
#include "cli/app_rows.h"
#include "report.h"
#include "run.h"
#include "select.h"

/* Adds to the results that are written at the end. */
static void add_up(struct run *r, const struct event *rows, size_t n)
{
	int err =
		r->report ? report_add(r->report, &r->opts, &r->sampler.now, rows, n) : 0;

	if (err < 0)
		sm_app_fail(&r->app, r->opts.report, err);
	if (r->opts.app.summary)
		err = totals_add(&r->totals, rows, n, r->sampler.now.dt_ns);
	if (err < 0)
		sm_app_fail(&r->app, "summary", err);
}

/* Groups, orders and shows the n rows that were selected. */
static int arrange(struct run *r, size_t n)
{
	struct sample *s = &r->sampler.now;
	struct event *rows = s->events;
	ssize_t shown = rows_arrange(&r->rows, &rows, n, s->dt_ns);

	if (shown < 0)
		return (int)shown;
	add_up(r, rows, r->rows.n);
	view_sample(&r->view, s, rows, r->rows.matched, (size_t)shown);
	return 0;
}

void run_rearrange(struct run *r)
{
	screen_arrange(r->screen);
	screen_draw(r->screen);
}

static void show_on_screen(struct run *r)
{
	if (!r->screen || (r->screen->base.paused && !r->asked))
		return;
	screen_sample(r->screen, &r->sampler.now,
		r->wake.is_open ? &r->wake.wakeups.now : NULL);
	screen_draw(r->screen);
}

static int show_timers(struct run *r)
{
	struct sample *s = &r->sampler.now;
	size_t n = select_rows(&r->opts, s->events, s->n);

	metrics_add(&r->metrics, s, s->events, n);
	return arrange(r, n);
}

static int show(struct run *r)
{
	show_on_screen(r);
	return r->opts.wakeups ? wakerun_show(&r->wake, &r->view, &r->rows)
			       : show_timers(r);
}

void run_sample(struct run *r, bool last)
{
	struct sample *s = &r->sampler.now;
	int err = r->wake.is_open ? wakeups_read(&r->wake.wakeups) : 0;

	if (!err)
		err = sampler_take(&r->sampler);
	s->partial = last;
	if (!err && r->wake.is_open)
		err = wakerun_take(&r->wake, &r->opts, last);
	if (!err && s->dt_ns)
		err = show(r);
	if (err < 0)
		sm_app_fail(&r->app, "timer counters", err);
	r->complete = r->opts.app.count && r->view.samples >= r->opts.app.count;
	sm_app_rows_count(&r->app, r->view.samples);
}
