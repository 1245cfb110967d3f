// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens sums and sampler before the drop of privileges, and the screen after it. */
#include <errno.h>

#include "cli/app_report.h"
#include "cli/err.h"
#include "proc/cgroup.h"
#include "interactive.h"

/* Names beyond NAMES_BUDGET are short. */
#define NAMES_MAX_BYTES (64u << 20)
#define TOTALS_MAX	65536u /* tasks of a run with an entry of their own (-g) */
#define TOTALS_NOW	512u   /* entries allocated at startup */
#define MERGED_MAX	262144u

static int open_sums(struct run *r)
{
	int err = sm_strpool_new(&r->names, NAMES_MAX_BYTES);

	r->shown = r->total_opts = r->opts;
	r->total_opts.app.limit = 0;
	r->total_opts.threshold_mticks = 0;
	r->total_opts.threshold_centi_pct = 0;
	r->total_opts.subsamples = 0;
	if (!err)
		err = sm_ids_init(&r->users);
	if (!err)
		err = rows_init(&r->rows, &r->opts, &r->users, r->names);
	if (!err)
		err = rows_init(&r->total_rows, &r->total_opts, &r->users, r->names);
	r->rows.group.root = r->total_rows.group.root = &r->app.root;
	if (!err && r->opts.app.summary)
		err = totals_init(&r->total, r->names, TOTALS_MAX);
	if (!err && r->opts.app.summary)
		err = totals_reserve(&r->total, TOTALS_NOW);
	if (!err && r->opts.subsamples > 1)
		err = totals_init(&r->merged, r->names, MERGED_MAX);
	if (!err && r->opts.distribution)
		err = distribution_init(&r->dist);
	metrics_init(&r->metrics, r->opts.app.prom != NULL);
	return err ? sm_app_refuse("start", err) : 0;
}

static int open_sampler(struct run *r)
{
	pid_t missing;
	int err = sampler_open(&r->sampler, &r->app.root, &r->shown, r->names);

	if (err == -EOPNOTSUPP && r->opts.source == SOURCE_BPF) {
		sm_err("--source=bpf: cannot walk all processes (requires Linux 6.7, "
		       "root "
		       "or CAP_BPF and CAP_PERFMON, the initial PID namespace, no -p)");
		return SM_EXIT_FEATURE;
	}
	if (err == -EOPNOTSUPP) {
		sm_err("--source=clock: cannot read process CPU clocks (/proc belongs "
		       "to another machine or PID namespace, or a seccomp filter blocks "
		       "the call)");
		return SM_EXIT_FEATURE;
	}
	if (err)
		return sm_app_refuse("start", err);
	r->sampler.tree = r->app.child.pid;
	if (r->opts.system) {
		err = sysline_open(&r->system, &r->app.root);
		if (err)
			return sm_app_refuse("load average", err);
		r->view.system = &r->system;
	}
	missing = sampler_missing_pid(&r->sampler);
	if (!missing)
		return 0;
	sm_err("process %d does not exist or cannot be read", (int)missing);
	return SM_EXIT_RUNTIME;
}

int run_open(void *ctx)
{
	struct run *r = ctx;
	int code = 0;

	view_init(&r->view, &r->opts, &r->app.outputs);
	if (!sm_root_has_proc(&r->app.root))
		code = sm_app_refuse(r->opts.app.root ? "--root" : "/proc", -ENOENT);
	if (!code && r->opts.report)
		code = sm_app_report_open(&r->app, &r->report, report_want(&r->opts));
	if (!code)
		code = open_sums(r);
	return code ? code : open_sampler(r);
}

static void warn_cgroup(const struct run *r)
{
	if (r->opts.cgroup && !sm_cgroup_exists(&r->app.root, r->opts.cgroup))
		sm_err("--cgroup=%s: this cgroup does not exist at present",
			r->opts.cgroup);
}

static void warn_hidden(const struct run *r)
{
	struct sm_pidstat st;

	if (sm_procpid_read_stat(&r->app.root, 1, &st) < 0 &&
		sm_root_hidepid(&r->app.root))
		sm_err("/proc hides the processes of other users (hidepid); their CPU "
		       "time is shown without a name or as [unaccounted]");
}

static void take_exits(void *ctx, short revents)
{
	(void)revents;
	exited_names_take(ctx);
}

static int watch_exits(struct run *r)
{
	struct exited_names *e = &r->sampler.exited_names;
	int fd = exited_names_fd(e);

	return fd < 0 ? 0 : sm_loop_add(&r->app.loop, fd, POLLIN, take_exits, e);
}

int run_begin(void *ctx)
{
	struct run *r = ctx;
	char boot_id[SM_BOOT_ID_SIZE];
	int code = interactive_open(r), err = watch_exits(r);

	if (err < 0)
		return sm_app_refuse("start", err);
	if (code)
		return code;
	warn_cgroup(r);
	warn_hidden(r);
	sm_root_boot_id(&r->app.root, boot_id);
	view_start(&r->view, boot_id);
	run_sample(r, false);
	if (r->app.error)
		return sm_app_refuse(r->app.error_what, r->app.error);
	sm_app_go(&r->app, r->sampled_ns, run_step_ns(r));
	return 0;
}
