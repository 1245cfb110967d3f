// SPDX-License-Identifier: GPL-2.0-or-later
/* The results at the end of a run. */
#include "base/clock.h"
#include "cli/app_report.h"
#include "cli/err.h"
#include "run.h"
#include "rows/select.h"

/* Writes the last JSON record. */
static void show_summary_record(struct run *r)
{
	struct sm_json j;

	sm_buf_reset(&r->text);
	sm_json_open(&j, &r->text, "summary");
	sm_json_time(
		&j, "time", sm_clock_mono_ns() + (uint64_t)sm_clock_wall_offset_ns());
	sm_json_u64(&j, "samples", r->intervals);
	sm_json_seconds(&j, "span_s", r->span_ns);
	if (r->counted) {
		sm_json_u64(&j, "processes_created", r->created);
		sm_json_u64(&j, "processes_exited", r->exited);
	}
	sm_json_u64(&j, "missed_samples", r->app.ticker.missed);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&r->app.outputs));
	sm_json_u64(&j, "lost_names", r->sampler.names_lost);
	sm_json_u64(&j, "lost_exit_names", exited_names_lost(&r->sampler.exited_names));
	sm_json_close(&j);
	view_json(&r->view, &r->text);
}

static void show_total(struct run *r)
{
	struct row *rows;
	size_t n = totals_rows(&r->total, &rows);
	size_t m = select_rows(&r->total_opts, rows, n);

	n = rows_arrange(&r->total_rows, &rows, m, n, r->total.span_ns);
	view_grand_total(&r->view, r->total.samples, r->total.span_ns, rows, n,
		&r->total_rows.total);
}

void run_summary(void *ctx)
{
	struct run *r = ctx;

	if (r->opts.app.summary)
		show_total(r);
	if (r->opts.distribution) {
		sm_buf_reset(&r->text);
		distribution_print(&r->dist, &r->text);
		view_text(&r->view, &r->text);
		sm_buf_reset(&r->text);
		distribution_json(&r->dist, &r->text);
		view_json(&r->view, &r->text);
	}
	show_summary_record(r);
}

void run_files(void *ctx)
{
	struct run *r = ctx;

	if (r->report)
		sm_app_report_finish(&r->app, r->report, r->opts.report);
}

int run_verdict(void *ctx)
{
	const struct run *r = ctx;
	uint64_t exited = exited_names_lost(&r->sampler.exited_names);
	uint64_t names = r->sampler.names_lost;

	if (names)
		sm_err("%llu %s lost: out of memory", (unsigned long long)names,
			names == 1 ? "command line or cgroup was"
				   : "command lines or cgroups were");
	if (exited)
		sm_err("%llu %s lost; %s CPU time is still counted",
			(unsigned long long)exited,
			exited == 1 ? "name of an exited process was"
				    : "names of exited processes were",
			exited == 1 ? "its" : "their");
	return names || exited ? SM_EXIT_LOST : SM_EXIT_OK;
}
