// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * powerstat: measures the power that the machine draws.
 *
 *	energy counters, fuel gauges and meters (source) + CPU, processes, temperatures,
 *		frequencies (collect) -> samples (pipeline) -> rows (view), stats, summary
 */
#include <unistd.h>

#include "cli/err.h"
#include "cli/tty.h"
#include "power/source_open.h"
#include "power/source_help.h"
#include "power/source_reason.h"
#include "columns.h"
#include "run.h"

static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	const struct run *r = ctx;

	columns_set_up(t, format, sink, &r->opts);
}

static void resized(void *ctx)
{
	struct run *r = ctx;

	view_resized(&r->view);
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct run *r = ctx;

	metrics_write(&r->metrics, p, r->missed, r->skipped,
		sm_outputs_dropped(&r->app.outputs));
}

static int refuse_no_figure(const struct run *r)
{
	struct sm_buf text = {0};

	sm_buf_str(&text, "no sample has a power value: ");
	sm_source_reason(&r->power, &text);
	sm_buf_chr(&text, '\n');
	sm_source_help_still(&r->power, sm_tty_help_columns(STDERR_FILENO), &text);
	sm_err_text(&text);
	return SM_EXIT_FEATURE;
}

static int verdict(void *ctx)
{
	const struct run *r = ctx;

	if (r->code)
		return r->code;
	if (r->power.lost) {
		sm_err("%s", r->power.lost_why);
		return SM_EXIT_FEATURE;
	}
	if (r->no_figure && !r->opts.no_power)
		return refuse_no_figure(r);
	return r->stats.events_lost || events_log_missing(r->events) ? SM_EXIT_LOST
								     : SM_EXIT_OK;
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	metrics_fini(&r->metrics);
	stats_fini(&r->stats);
	view_fini(&r->view);
	collect_close(&r->collect);
	events_close(r->events);
	sm_source_close(&r->power);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.table = table,
	.prepare = run_prepare,
	.open = run_open,
	.begin = run_begin,
	.next = run_next,
	.iterate = run_iterate,
	.sample = run_sample,
	.child_ended = run_child_ended,
	.resized = resized,
	.last = run_last,
	.summary = run_summary,
	.metrics = metrics,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	run.collect.stat_file.file = (struct sm_file)SM_FILE_INIT;
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
