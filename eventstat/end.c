// SPDX-License-Identifier: GPL-2.0-or-later
/* The results at the end of a run. */
#include "cli/app_report.h"
#include "cli/app_rows.h"
#include "run.h"
#include "rows/select.h"
#include "wakeups/wakeview.h"

static int show_timer_totals(struct run *r)
{
	struct totals *t = &r->totals;
	uint64_t t_ns = sm_clock_mono_ns();
	const struct span span = {t_ns, sm_app_rows_wall_ns(t_ns), t->span_ns, 0};

	select_sort(&r->opts, t->event, t->n, t->n);
	return view_totals(&r->view, &span, t->event, t->n, t->n);
}

static int show_wakeup_totals(struct run *r)
{
	struct totals *t = &r->totals;
	const struct sample *last = &r->wakeups.now;
	const struct span span = {last->t_ns, last->wall_ns, t->span_ns, t->all};
	struct event *rows = t->event;
	size_t n = select_rows(&r->opts, NULL, rows, t->n);
	ssize_t shown = rows_arrange(&r->rows, &rows, n, t->span_ns);

	if (shown < 0)
		return (int)shown;
	return view_totals(&r->view, &span, rows, r->rows.n, (size_t)shown);
}

static void show_totals(struct run *r)
{
	int err = r->opts.wakeups ? show_wakeup_totals(r) : show_timer_totals(r);

	if (err < 0)
		sm_app_fail(&r->app, "summary", err);
}

void run_summary(void *ctx)
{
	struct run *r = ctx;

	if (r->opts.app.summary)
		show_totals(r);
	if (r->opts.histogram)
		wakeview_sleeps(&r->view, &r->wakeups.now);
	view_summary(&r->view, run_now(r));
}

void run_files(void *ctx)
{
	struct run *r = ctx;

	if (r->report)
		sm_app_report_finish(&r->app, r->report, r->opts.report);
}
