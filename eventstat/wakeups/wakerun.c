// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

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

int wakerun_show(struct wakerun *w, struct view *v)
{
	const struct wake_sample *s = &w->wakeups.now;
	struct wakeup *rows;
	size_t shown;
	ssize_t n = wakeups_rows(&w->wakeups, v->opts, &rows, &shown);

	if (n < 0)
		return (int)n;
	wakemetrics_add(&w->metrics, s, rows, (size_t)n);
	wakeview_sample(v, s, rows, (size_t)n, shown);
	return 0;
}

int wakerun_take(struct wakerun *w, const struct opts *o, bool last)
{
	struct wake_sample *s = &w->wakeups.now;
	int err = wakeups_take(&w->wakeups);

	s->partial = last;
	w->total += s->all.sum.wakeups;
	return !err && s->dt_ns && o->app.summary ? waketotals_add(&w->totals, s) : err;
}

/* A function's name may have moved since its sample. */
static void name_functions(const struct wakerun *w, struct wakeup *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].who.func)
			rows[i].who.func_name = sm_ksyms_name(
				&w->wakeups.sampler->ksyms, rows[i].who.func);
}

static void show_totals(struct wakerun *w, struct view *v)
{
	const struct waketotals *t = &w->totals;
	size_t n, shown;
	struct wakeup *rows = waketotals_rows(t, &n);

	if (!rows) {
		sm_app_fail(v->app, "summary", -ENOMEM);
		return;
	}
	name_functions(w, rows, n);
	(void)wakeups_arrange(v->opts, t->map.seed, rows, n, t->span_ns, &shown);
	wakeview_totals(v, &w->wakeups.now, rows, shown, t->span_ns, t->all);
	free(rows);
}

void wakerun_end(struct wakerun *w, struct view *v)
{
	if (v->opts->app.summary)
		show_totals(w, v);
	if (v->opts->histogram)
		wakeview_sleeps(v, &w->wakeups.now);
	wakeview_summary(v, &w->wakeups.now, w->total);
}
