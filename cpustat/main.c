// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpustat: reports which tasks use the CPU, exactly and at low cost.
 *
 *	clocks, stat of processes that ran, exited children, residual (sampler)
 *	-> selected, grouped and sorted rows (select, rows, totals)
 *	-> table, CSV, JSON (view), screen, sums (totals, distribution, metrics)
 */
#include "cli/priv.h"
#include "columns.h"
#include "interactive.h"
#include "run.h"

static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;

	columns_set_up(t, format, sink, &r->opts, sm_procpid_max(&r->app.root));
}

static int prepare(void *ctx)
{
	struct run *r = ctx;

	r->app.screen = r->opts.tui;
	return r->app.command && r->opts.pids.n
		       ? sm_app_usage(
				 &r->app, "-p and -- COMMAND cannot be used together")
		       : 0;
}

static unsigned int drop_flags(void *ctx)
{
	const struct run *r = ctx;

	return (sm_root_hidepid(&r->app.root) ? SM_DROP_KEEP_PTRACE : 0) |
	       (r->sampler.walks ? SM_DROP_RUN_PROGRAMS : 0);
}

static bool writes_later(void *ctx)
{
	const struct run *r = ctx;

	return r->opts.report;
}

/* --- the loop --------------------------------------------------------------------- */

static void sample(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	(void)now_ns;
	run_sample(r, false);
	/* All processes that -p names have exited. */
	if (r->sampler.pids.fixed && r->sampler.pids.n == 0)
		r->app.stop = true;
}

/* --- the end ---------------------------------------------------------------------- */

/* Samples the rest of the interval, so that the totals include it. */
static void last(void *ctx)
{
	struct run *r = ctx;

	screen_close(r->screen);
	r->screen = NULL;
	r->sampler.exited_names.last = r->app.child.ended;
	if (!r->complete && sm_app_rest_counts(&r->app, r->sampled_ns))
		run_sample(r, true);
	metrics_end(&r->metrics);
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	screen_close(r->screen);
	sm_widecsv_close(r->report);
	metrics_fini(&r->metrics);
	view_fini(&r->view);
	if (r->opts.system)
		sysline_close(&r->system);
	sampler_close(&r->sampler);
	rows_fini(&r->rows);
	rows_fini(&r->total_rows);
	totals_fini(&r->total);
	totals_fini(&r->merged);
	distribution_fini(&r->dist);
	sm_procstat_fini(&r->merge.before);
	sm_ids_fini(&r->users);
	sm_strpool_free(r->names);
	sm_buf_fini(&r->text);
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct run *r = ctx;

	metrics_write(&r->metrics, p,
		&(struct metrics_lost){.rows = sm_outputs_dropped(&r->app.outputs),
			.names = r->sampler.names_lost,
			.exit_names = exited_names_lost(&r->sampler.exited_names)});
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.keeps_command = true,
	.table = table,
	.prepare = prepare,
	.open = run_open,
	.drop_flags = drop_flags,
	.writes_later = writes_later,
	.begin = run_begin,
	.iterate = interactive_keys,
	.sample = sample,
	.resized = interactive_resized,
	.last = last,
	.summary = run_summary,
	.metrics = metrics,
	.files = run_files,
	.verdict = run_verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
