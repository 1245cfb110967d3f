// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * eventstat: reports which tasks arm timers, and what wakes the CPUs.
 *
 *	counters of timers (source) -> their growth (counters)
 *	-> rows with names (tasks, sampler; with --wakeups also wakeups/)
 *	-> selected and sorted rows (pipeline) -> table, CSV, JSON (view)
 */
#include <errno.h>

#include "cli/app_report.h"
#include "cli/app_rows.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "columns.h"
#include "interactive.h"
#include "proc/procpid.h"
#include "report.h"

#define NAMES_MAX_BYTES (16u << 20)

static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;

	columns_set_up(t, format, sink, &r->opts);
	sm_app_rows_set_up(&r->app, t, C_TIME);
	columns_fit(t);
	if (format == SM_FORMAT_TABLE && r->opts.tui)
		t->no_header = true;
}

/* Prints what, the name of the method in use or "", and why others are not used. */
static void tell(const struct run *r, const char *what, const char *name)
{
	const struct source *s = &r->sampler.source;
	struct sm_buf why = {0};

	source_reasons(s, &why);
	sm_buf_chr(&why, '\0');
	sm_err("%s%s%s%s", what, name, *name && why.len > 1 ? "; " : "",
		sm_buf_error(&why) ? "" : why.p);
	sm_buf_fini(&why);
	if (r->opts.verbose && s->log.text[0])
		sm_err_at(s->log.text, s->refused[METHOD_BPF]);
}

static int refuse(const struct run *r, int err)
{
	if (r->sampler.source.method != METHOD_AUTO)
		return sm_app_refuse("start", err);
	tell(r, r->opts.wakeups ? "cannot count wakeups: " : "cannot count timers: ", "");
	return source_exit(&r->sampler.source);
}

static bool has_records(const struct run *r)
{
	for (unsigned int i = 0; i < r->app.outputs.n; i++)
		if (r->app.outputs.out[i].format != SM_FORMAT_TABLE)
			return true;
	return false;
}

/* Selects the data of tasks that the outputs and filters use. */
static void choose_data(struct run *r)
{
	const struct opts *o = &r->opts;
	struct tasks *t = &r->sampler.tasks;
	bool all = o->tui || has_records(r);

	r->rows.tasks = r->view.table.tasks = t;
	t->want_cmd = all || o->full_command || o->short_name || o->name_glob;
	t->want_uid = all || o->app.prom || o->uids.n || o->app.summary;
	t->want_cgroup = o->tui || o->group == GROUP_CGROUP;
	t->want_use = all || o->sort == SORT_CPU || !(o->brief || o->wakeups);
}

static int open_source(struct run *r)
{
	struct source *s = &r->sampler.source;
	int err = sampler_open(&r->sampler, &r->app.root, &r->opts, r->names);

	if (err)
		return refuse(r, err);
	choose_data(r);
	r->app.source = source_name(s->method);
	if (r->opts.verbose)
		tell(r, "timers are counted with ", r->app.source);
	err = source_watch(s, &r->app.loop);
	return err ? sm_app_refuse("start", err) : 0;
}

/* Reports that the names of kernel functions are unknown.  Returns an exit code if an
 * option needs them. */
static int check_symbols(struct run *r)
{
	const struct sm_timertick *t = &r->sampler.tick;
	bool file = r->sampler.ksyms.fd >= 0;
	const char *why =
		file ? "the kernel hides function addresses (needs CAP_SYSLOG and "
		       "kernel.kptr_restrict below 2)"
		     : "the list of kernel functions (/proc/kallsyms) cannot be read";

	if (sm_ksyms_shown(&r->sampler.ksyms))
		return 0;
	if (r->opts.func_glob || r->opts.group == GROUP_FUNCTION) {
		sm_err("--func and --group=function need function names: %s", why);
		return file ? SM_EXIT_PERMISSION : SM_EXIT_FEATURE;
	}
	sm_err("%s: functions are shown as addresses%s%s", why,
		t->tick ? "" : ", the tick is shown as a timer of tasks",
		t->hrtimer_wakeup && t->process_timeout
			? ""
			: ", and timers of tasks that were asleep at the start have no "
			  "owner");
	return 0;
}

/* Reports that the PIDs of this /proc are not those that the kernel counts.  Returns an
 * exit code if an option needs data from /proc. */
static int check_pids(struct run *r)
{
	bool perf = r->sampler.source.method == METHOD_PERF;

	if (!r->sampler.tasks.foreign)
		return 0;
	if (r->opts.uids.n) {
		sm_err("--uid: the users of tasks are unknown in a separate PID "
		       "namespace; use the host's PID namespace, or --root with the "
		       "host's /proc");
		return SM_EXIT_FEATURE;
	}
	sm_err("in a separate PID namespace, PIDs are those of the host, and %susers, "
	       "CPU times, command lines and cgroups of tasks are unknown; use the "
	       "host's PID namespace, or --root with the host's /proc",
		perf ? "names, processes, " : "");
	return 0;
}

static bool exists(const struct run *r, uint32_t tid)
{
	char comm[SM_TASK_COMM_LEN];

	return sm_procpid_read_comm(&r->app.root, (pid_t)tid, comm, sizeof(comm)) !=
	       -ENOENT;
}

/* The processes and threads of -p must exist at the start. */
static int check_existence(const struct run *r)
{
	const struct sm_opt_list *pids = &r->opts.pids;

	for (size_t i = 0; i < pids->n && !r->sampler.tasks.foreign; i++)
		if (!exists(r, pids->v[i])) {
			sm_err("no process or thread %u", pids->v[i]);
			return SM_EXIT_RUNTIME;
		}
	return 0;
}

static bool have_exited(const struct run *r)
{
	const struct sm_opt_list *pids = &r->opts.pids;

	for (size_t i = 0; i < pids->n; i++)
		if (exists(r, pids->v[i]))
			return false;
	return pids->n && !r->sampler.tasks.foreign && !r->app.command;
}

/* Not every kernel that counts timers can also count wakeups; the screen works without
 * them. */
static int open_wakeups(struct run *r)
{
	int err = wakeups_open(&r->wakeups, &r->sampler, &r->opts);

	if (err && !r->opts.wakeups)
		wakeups_close(&r->wakeups);
	if (!err || !r->opts.wakeups)
		return 0;
	if (r->opts.verbose && r->wakeups.log.text[0])
		sm_err_at(r->wakeups.log.text, err);
	sm_err_at("cannot count wakeups", err);
	if (err == -EPERM || err == -EACCES)
		return SM_EXIT_PERMISSION;
	return err == -ENOMEM ? SM_EXIT_RUNTIME : SM_EXIT_FEATURE;
}

static int prepare(void *ctx)
{
	struct run *r = ctx;

	r->app.screen = r->opts.tui;
	return 0;
}

static int open_run(void *ctx)
{
	struct run *r = ctx;
	int code;
	int err = sm_strpool_new(&r->names, NAMES_MAX_BYTES);

	r->shown = r->opts;
	if (!err)
		err = view_init(&r->view, &r->opts, &r->app);
	if (!err)
		err = sm_ids_init(&r->users);
	if (!err)
		err = rows_init(&r->rows, &r->opts);
	if (!err)
		err = totals_init(&r->totals, r->names);
	if (err)
		return sm_app_refuse("start", err);
	if (r->opts.report) {
		code = sm_app_report_open(&r->app, &r->report, report_want(&r->opts));
		if (code)
			return code;
	}
	code = open_source(r);
	if (!code)
		code = check_symbols(r);
	if (!code)
		code = check_pids(r);
	if (!code)
		code = check_existence(r);
	if (!code && (r->opts.wakeups || r->opts.tui))
		code = open_wakeups(r);
	if (code)
		return code;
	err = metrics_init(&r->metrics, r->opts.wakeups ? r->wakeups.cause.cpus : 0);
	return err ? sm_app_refuse("start", err) : 0;
}

static unsigned int drop_flags(void *ctx)
{
	const struct run *r = ctx;

	return source_drop_flags(&r->sampler.source) |
	       (r->sampler.ksyms.program.prog_fd >= 0 ? SM_DROP_RUN_PROGRAMS : 0) |
	       (sm_root_hidepid(&r->app.root) ? SM_DROP_KEEP_PTRACE : 0);
}

static int begin(void *ctx)
{
	struct run *r = ctx;
	int code = interactive_open(r);

	if (code)
		return code;
	sm_app_rows_begin(&r->app);
	run_sample(r, false);
	if (r->app.error)
		return sm_app_refuse(r->app.error_what, r->app.error);
	sm_app_go(&r->app, r->sampler.now.t_ns, r->opts.app.interval_ns);
	return 0;
}

static void sample(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;
	bool exited = have_exited(r);

	(void)now_ns;
	run_sample(r, false);
	if (exited)
		r->app.stop = true;
}

static void last(void *ctx)
{
	struct run *r = ctx;

	interactive_end(r);
	if (!r->complete && sm_app_rest_counts(&r->app, r->sampler.now.t_ns))
		run_sample(r, true);
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct run *r = ctx;

	metrics_write(&r->metrics, p, sm_outputs_dropped(&r->app.outputs));
}

static int lost(uint64_t n, const char *what)
{
	if (!n)
		return SM_EXIT_OK;
	sm_err("%llu %s", (unsigned long long)n, what);
	return SM_EXIT_LOST;
}

static int lost_cpus(const struct source *s)
{
	const struct sm_cpuwatch *cpus = source_cpus(s);
	struct sm_buf text = {0};

	if (!cpus || !cpus->n)
		return SM_EXIT_OK;
	sm_cpuwatch_put(cpus, &text);
	sm_buf_chr(&text, '\0');
	sm_err("%u CPU%s that came online after the start %s not counted: %s", cpus->n,
		cpus->n > 1 ? "s" : "", cpus->n > 1 ? "were" : "was",
		sm_buf_error(&text) ? "?" : text.p);
	sm_buf_fini(&text);
	return SM_EXIT_LOST;
}

static int verdict(void *ctx)
{
	const struct run *r = ctx;
	const struct sm_timer_losses *l = &r->sampler.now.lost;
	int events = lost(l->events, "timer events were lost");
	int owners = lost(
		l->owners, "timers were counted without their task, for lack of room");
	int wakeups = lost(r->metrics.no_room,
		"wakeups were counted without their task, for lack of room");
	int cpus = lost_cpus(&r->sampler.source);

	return events || owners || wakeups || cpus ? SM_EXIT_LOST : SM_EXIT_OK;
}

static bool writes_later(void *ctx)
{
	const struct run *r = ctx;

	return r->opts.report;
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	wakeups_close(&r->wakeups);
	sm_widecsv_close(r->report);
	totals_fini(&r->totals);
	screen_close(r->screen);
	sm_ids_fini(&r->users);
	sampler_close(&r->sampler);
	rows_fini(&r->rows);
	metrics_fini(&r->metrics);
	view_fini(&r->view);
	sm_strpool_free(r->names);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.table = table,
	.prepare = prepare,
	.open = open_run,
	.drop_flags = drop_flags,
	.begin = begin,
	.iterate = interactive_keys,
	.resized = interactive_resized,
	.sample = sample,
	.last = last,
	.metrics = metrics,
	.summary = run_summary,
	.files = run_files,
	.writes_later = writes_later,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
