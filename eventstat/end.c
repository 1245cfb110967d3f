// SPDX-License-Identifier: GPL-2.0-or-later
/* The results at the end of a run. */
#include "cli/app_report.h"
#include "cli/app_rows.h"
#include "run.h"
#include "select.h"

static void show_totals(struct run *r)
{
	struct totals *t = &r->totals;
	uint64_t t_ns = sm_clock_mono_ns();
	const struct span span = {t_ns, sm_app_rows_wall_ns(t_ns), t->span_ns, 0};

	select_sort(&r->opts, t->event, t->n, t->n);
	view_totals(&r->view, &span, t->event, t->n);
}

void run_summary(void *ctx)
{
	struct run *r = ctx;

	if (r->opts.wakeups) {
		wakerun_end(&r->wake, &r->view, &r->rows);
		return;
	}
	if (r->opts.app.summary)
		show_totals(r);
	view_summary(&r->view, &r->sampler.now);
}

void run_files(void *ctx)
{
	struct run *r = ctx;

	if (r->report)
		sm_app_report_finish(&r->app, r->report, r->opts.report);
}
