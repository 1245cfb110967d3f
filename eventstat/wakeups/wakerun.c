// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "select.h"
#include "wakerun.h"
#include "wakeview.h"

int wakerun_open(struct wakerun *w, struct sampler *s, const struct opts *o,
	struct sm_strpool *names)
{
	int err = wakeups_open(&w->wakeups, s);

	s->no_rows = !o->tui;
	w->wakeups.want_totals = o->cumulative || o->tui;
	if (!err)
		err = wakemetrics_init(&w->metrics, &w->wakeups);
	if (!err)
		err = waketotals_init(&w->totals, names);
	w->is_open = !err;
	return err;
}

void wakerun_close(struct wakerun *w)
{
	if (!w->wakeups.sampler)
		return;
	waketotals_fini(&w->totals);
	wakemetrics_fini(&w->metrics);
	wakeups_close(&w->wakeups);
	*w = (struct wakerun){0};
}

/* The rows in order of which the first are shown; their number, or -ENOMEM. */
static ssize_t arrange(
	struct rows *arrange, struct event **rows, size_t n, uint64_t dt_ns)
{
	return rows_arrange(arrange, rows, select_rows(arrange->opts, *rows, n), dt_ns);
}

int wakerun_show(struct wakerun *w, struct view *v, struct rows *order)
{
	struct sample *s = &w->wakeups.now;
	struct event *rows = s->events;
	ssize_t shown = arrange(order, &rows, s->n, s->dt_ns);

	if (shown < 0)
		return (int)shown;
	wakemetrics_add(&w->metrics, s, rows, order->matched);
	view_sample(v, s, rows, order->matched, (size_t)shown);
	return 0;
}

int wakerun_take(struct wakerun *w, const struct opts *o, bool last)
{
	struct sample *s = &w->wakeups.now;
	int err = wakeups_take(&w->wakeups);

	s->partial = last;
	return !err && s->dt_ns && o->app.summary ? waketotals_add(&w->totals, s) : err;
}

/* A function's name may have moved since its sample. */
static void name_functions(const struct wakerun *w, struct event *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].func)
			rows[i].func_name =
				sm_ksyms_name(&w->wakeups.sampler->ksyms, rows[i].func);
}

static void show_totals(struct wakerun *w, struct view *v, struct rows *order)
{
	const struct waketotals *t = &w->totals;
	const struct sample *last = &w->wakeups.now;
	const struct span span = {last->t_ns, last->wall_ns, t->span_ns, t->all};
	size_t n;
	struct event *all = waketotals_rows(t, &n), *rows = all;
	ssize_t shown = -ENOMEM;

	if (all) {
		name_functions(w, rows, n);
		shown = arrange(order, &rows, n, t->span_ns);
	}
	if (shown < 0)
		sm_app_fail(v->app, "summary", (int)shown);
	else
		view_totals(v, &span, rows, (size_t)shown);
	free(all);
}

void wakerun_end(struct wakerun *w, struct view *v, struct rows *order)
{
	if (v->opts->app.summary)
		show_totals(w, v, order);
	if (v->opts->histogram)
		wakeview_sleeps(v, &w->wakeups.now);
	view_summary(v, &w->wakeups.now);
}
