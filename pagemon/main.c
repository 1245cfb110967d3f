// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pagemon: shows the memory of a process, page by page, without changing it.
 *
 *	mappings (space) and runs of equal pages (pass) of a process (target)
 *	-> in batch: counts of each process, mapping or run (snapshot, series)
 *	   -> table, CSV, JSON (view)
 *	-> on a terminal: counts of each cell (cells) -> the screen (interactive, screen/)
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/app_rows.h"
#include "cli/err.h"
#include "columns.h"
#include "live/interactive.h"
#include "batch/metrics.h"
#include "run.h"

static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;

	columns_set_up(t, format, sink, &r->opts, r->app.command);
	sm_app_rows_set_up(&r->app, t, C_TIME);
}

static int begin(void *ctx)
{
	struct run *r = ctx;

	if (!r->batch)
		return interactive_begin(r);
	series_begin(r);
	return 0;
}

static uint64_t next(void *ctx)
{
	const struct run *r = ctx;

	return r->batch ? series_next(r) : interactive_next(r);
}

static void iterate(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	if (r->batch)
		series_iterate(r);
	else
		interactive_iterate(r, now_ns);
}

static void sample(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	(void)now_ns;
	series_sample(r);
}

static void resized(void *ctx)
{
	struct run *r = ctx;

	sm_app_rows_resized(&r->app);
	if (!r->batch)
		interactive_resized(r);
}

static void last(void *ctx)
{
	struct run *r = ctx;

	if (r->batch)
		series_last(r);
	else
		interactive_end(r);
}

static void summary(void *ctx)
{
	struct run *r = ctx;

	if (r->batch)
		view_summary(&r->series.view, &r->series.sample);
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct run *r = ctx;
	struct metrics_of_run m = {r->series.sample.number, r->series.sample.missed,
		sm_outputs_dropped(&r->app.outputs), r->command, r->app.child.peak_kb};

	metrics_write(p, r->procs, r->nprocs, &m);
}

static int verdict(void *ctx)
{
	const struct run *r = ctx;

	return r->batch ? series_verdict(r) : SM_EXIT_OK;
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	series_close(r);
	interactive_close(r);
	opener_end(&r->opener);
	for (size_t i = 0; i < r->nprocs; i++)
		snapshot_fini(&r->procs[i]);
	free(r->procs);
	peek_fini(&r->peek);
	pagefacts_close(&r->source);
	if (r->self_pagemap_fd >= 0)
		close(r->self_pagemap_fd);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.keeps_command = true,
	.table = table,
	.prepare = run_prepare,
	.open = run_open,
	.begin = begin,
	.next = next,
	.iterate = iterate,
	.resized = resized,
	.sample = sample,
	.last = last,
	.metrics = metrics,
	.summary = summary,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	run.self_pagemap_fd = -1;
	run.opener = (struct opener)OPENER_INIT;
	run.series.exits_fd = -1;
	run.source = (struct pagefacts_source){.frames = SM_PAGEFLAGS_INIT};
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
