// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forkstat: process fork, exec and exit activity, as it happens.
 *
 *	kernel events (source) + arguments (capture) -> named events (track)
 *		-> selected events (filter) -> rows (view), statistics (summary, rates)
 */
#include <errno.h>

#include "cli/app_rows.h"
#include "cli/err.h"
#include "columns.h"
#include "metrics.h"
#include "run.h"

/* The batch of events and the histogram take 180 KiB, too much for the stack. */
static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;

	columns_set_up(t, format, sink, &r->opts, sm_procpid_max(&r->app.root));
}

static void warn_hidden(const struct run *r)
{
	struct sm_pidstat st;
	int err;

	if (r->opts.app.keep_privileges || !r->app.root.real_proc)
		return;
	err = sm_procpid_read_stat(&r->app.root, 1, &st);
	if (err == -ENOENT || err == -EACCES || err == -EPERM)
		sm_err("/proc hides other users' processes (hidepid): some names will be "
		       "missing; see --keep-privileges");
	else if (err < 0)
		sm_err_at("process 1", err);
}

static int begin(void *ctx)
{
	struct run *r = ctx;
	ssize_t n = 0;
	int code;

	warn_hidden(r);
	if (!r->track.stateless)
		n = sm_tasktable_seed(&r->procs);
	if (n < 0)
		return sm_app_refuse("/proc", (int)n);
	if (r->track.facts)
		facts_seed(&r->facts);
	/* Earlier events are not shown, because tasks that exited while the table was
	 * filled are missing from it. */
	r->start_ns = sm_clock_mono_ns();
	code = run_find_selected(r);
	if (code)
		return code;
	filter_mark_tree(&r->procs, &r->opts.ppids);
	if (summary_init(&r->summary, &r->opts, r->start_ns) < 0)
		return sm_app_refuse("statistics", -ENOMEM);
	r->summary.cpu = r->opts.app.summary ? &r->exitcpu : NULL;
	if (rates_start(&r->rates, &r->opts, &r->view, r->start_ns) < 0)
		return sm_app_refuse("rates", -ENOMEM);
	sm_app_rows_begin(&r->app);
	sm_app_go(&r->app, r->start_ns, 0);
	return 0;
}

static void resized(void *ctx)
{
	view_resized(&((struct run *)ctx)->view);
}

/* Waits for the CPU time records of processes that have just exited. */
static void await_cpu_times(struct run *r, uint64_t now_ns)
{
	static const struct timespec nap = {.tv_nsec = SM_NSEC_PER_MSEC};

	while (exitcpu_outstanding(
		&r->exitcpu, now_ns + (uint64_t)r->procs.boot_offset_ns)) {
		nanosleep(&nap, NULL);
		exitcpu_read(&r->exitcpu);
		exitcpu_settle(&r->exitcpu);
		now_ns = sm_clock_mono_ns();
	}
}

static void summary(void *ctx)
{
	struct run *r = ctx;
	uint64_t now = sm_clock_mono_ns();

	await_cpu_times(r, now);
	summary_show(&r->summary, &r->view, now);
}

static void metrics(void *ctx, struct sm_prom *p)
{
	metrics_write(&((const struct run *)ctx)->summary, p);
}

static int loss_verdict(const struct run *r)
{
	struct sm_buf b = {0};

	if (!summary_lost_total(&r->summary))
		return SM_EXIT_OK;
	summary_put_lost(&r->summary, &b);
	sm_buf_chr(&b, '\0');
	sm_err("%llu events received; %s", (unsigned long long)r->summary.received,
		sm_buf_error(&b) ? "some lost" : b.p);
	sm_buf_fini(&b);
	return SM_EXIT_LOST;
}

static int verdict(void *ctx)
{
	const struct run *r = ctx;
	int code = loss_verdict(r);

	if (r->deaf) {
		sm_err("no process events for at least a minute; another program may "
		       "have "
		       "disabled them (PROC_CN_MCAST_IGNORE, possible before Linux 6.6)");
		return SM_EXIT_FEATURE;
	}
	if (r->exitcpu.err == -ENOMEM)
		return sm_app_refuse("CPU time of programs", -ENOMEM);
	return code;
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	rates_fini(&r->rates);
	exitcpu_close(&r->exitcpu);
	summary_fini(&r->summary);
	facts_fini(&r->facts);
	view_fini(&r->view);
	sm_cnring_close(&r->source.ring);
	sm_cnproc_close(&r->source.cn);
	if (r->have_capture)
		capture_close(&r->capture);
	if (r->source.failed)
		execfail_close(&r->failed);
	if (r->source.exits)
		exitbpf_close(&r->exits);
	sm_tasktable_fini(&r->procs);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.table = table,
	.open = run_open,
	.begin = begin,
	.next = run_next,
	.iterate = run_iterate,
	.child_ended = run_child_ended,
	.resized = resized,
	.rows_lost = run_rows_lost,
	.last = run_last,
	.summary = summary,
	.metrics = metrics,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	run.source.cn = (struct sm_cnproc)SM_CNPROC_INIT;
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
