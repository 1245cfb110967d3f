// SPDX-License-Identifier: GPL-2.0-or-later
/* The path of a sample: counters -> sums -> filter -> order -> views. */
#include "cli/app_rows.h"
#include "report.h"
#include "run.h"
#include "select.h"

/* Every event of the machine is in one of the sums: the tool's own, the tick, all others.
 */
static void add_sums(struct sums *sums, const struct event *e)
{
	if (e->flags & EVENT_SELF) {
		sums->self += e->now.starts;
		return;
	}
	if (e->flags & EVENT_TICK) {
		counts_add(&sums->tick, &e->now);
		return;
	}
	counts_add(&sums->all, &e->now);
	if (e->flags & EVENT_KTHREAD)
		counts_add(&sums->kernel, &e->now);
}

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
static int arrange(struct run *r, struct sums *sums, size_t n)
{
	struct event *rows = r->sampler.now.events;
	ssize_t shown = rows_arrange(&r->rows, &rows, n, r->sampler.now.dt_ns);

	if (shown < 0)
		return (int)shown;
	sums->matched = r->rows.matched;
	sums->shown = (size_t)shown;
	add_up(r, rows, r->rows.n);
	view_sample(&r->view, &r->sampler.now, rows, sums);
	return 0;
}

void run_rearrange(struct run *r)
{
	screen_arrange(r->screen);
	screen_draw(r->screen);
}

static void show_on_screen(struct run *r, const struct sums *sums)
{
	if (!r->screen || (r->screen->base.paused && !r->asked))
		return;
	screen_sample(r->screen, &r->sampler.now, sums,
		r->wake.is_open ? &r->wake.wakeups.now : NULL);
	screen_draw(r->screen);
}

static int show_timers(struct run *r, struct sums *sums)
{
	struct sample *s = &r->sampler.now;
	size_t n = select_rows(&r->opts, s->events, s->n);

	metrics_add(&r->metrics, s, sums, s->events, n);
	return arrange(r, sums, n);
}

static int show(struct run *r)
{
	const struct sample *s = &r->sampler.now;
	struct sums sums = {0};

	for (size_t i = 0; i < s->n; i++)
		add_sums(&sums, &s->events[i]);
	show_on_screen(r, &sums);
	return r->opts.wakeups ? wakerun_show(&r->wake, &r->view) : show_timers(r, &sums);
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
