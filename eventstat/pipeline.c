// SPDX-License-Identifier: GPL-2.0-or-later
/* The path of a sample: counters -> filter -> groups -> order -> views. */
#include "cli/app_rows.h"
#include "report.h"
#include "run.h"
#include "rows/select.h"

/* Adds rows to the results that are written at the end; a summary shows all rows. */
static void add_up(struct run *r, struct event *rows, size_t n)
{
	const struct sample *s = run_now(r);
	struct tasks *t = &r->sampler.tasks;
	int err = r->report ? report_add(r->report, &r->opts, s, t, rows, n) : 0;

	if (err < 0)
		sm_app_fail(&r->app, r->opts.report, err);
	if (r->opts.app.summary)
		tasks_look(t, rows, n);
	if (r->opts.app.summary)
		err = totals_add(&r->totals, rows, n, s->dt_ns);
	if (err < 0)
		sm_app_fail(&r->app, "summary", err);
}

void run_rearrange(void *ctx)
{
	struct run *r = ctx;

	screen_arrange(r->screen);
	sm_screen_draw(&r->screen->base);
}

static void show_on_screen(struct run *r)
{
	if (!r->screen || !sm_screen_is_live(&r->screen->base))
		return;
	screen_sample(
		r->screen, &r->sampler.now, r->wakeups.sampler ? &r->wakeups.now : NULL);
	sm_screen_draw(&r->screen->base);
}

/* The metrics count the rows that pass the filters.  The totals of timers count these
 * rows or their groups; the totals of wakeups count all rows, which are filtered and
 * grouped at the end. */
static int show(struct run *r)
{
	struct sample *s = run_now(r);
	struct event *rows = s->events;
	size_t n = s->n;
	ssize_t shown;

	if (r->opts.wakeups)
		add_up(r, rows, n);
	n = select_rows(&r->opts, &r->sampler.tasks, rows, n);
	if (r->opts.app.prom)
		tasks_look(&r->sampler.tasks, rows, n);
	metrics_add(&r->metrics, s, rows, n);
	shown = rows_arrange(&r->rows, &rows, n, s->dt_ns);
	if (shown < 0)
		return (int)shown;
	if (!r->opts.wakeups)
		add_up(r, rows, r->rows.n);
	view_count(&r->view, s);
	if (!s->partial ||
		sm_app_rest_is_shown(&r->app, s->dt_ns, r->shown.app.interval_ns))
		return view_sample(&r->view, s, rows, &r->rows, (size_t)shown);
	return 0;
}

static int take(struct run *r, bool last)
{
	bool wakeups = r->wakeups.sampler;
	int err = wakeups ? wakeups_read(&r->wakeups) : 0;

	if (!err)
		err = sampler_take(&r->sampler);
	if (!err && wakeups)
		err = wakeups_take(&r->wakeups);
	r->sampler.now.partial = r->wakeups.now.partial =
		last && r->sampler.now.dt_ns < r->shown.app.interval_ns;
	return err;
}

void run_sample(struct run *r, bool last)
{
	int err = take(r, last);

	if (!err && r->sampler.now.dt_ns) {
		show_on_screen(r);
		err = show(r);
	}
	if (err < 0)
		sm_app_fail(&r->app, "timer counters", err);
	r->complete = r->opts.app.count && r->view.samples >= r->opts.app.count;
	sm_app_rows_count(&r->app, r->view.samples);
}
