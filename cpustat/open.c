// SPDX-License-Identifier: GPL-2.0-or-later
/* The start: what needs privilege or the user's rights is opened here, then privileges
 * go. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "cpuclock.h"
#include "err.h"
#include "priv.h"
#include "rt.h"
#include "run.h"
#include "tool.h"

#define NAMES_MAX_BYTES (16u << 20)
#define TOTALS_MAX	65536u /* tasks of a run that are told apart (-g) */
#define TOTALS_NOW	512u   /* have their memory from the start */
#define MERGED_MAX	262144u

static int fail(const char *what, int err)
{
	sm_err_at(what, err);
	return SM_EXIT_RUNTIME;
}

static int open_root(struct run *r)
{
	int code = sm_tool_root(&r->root, r->opts.root);

	if (!code && r->root.proc_fd < 0)
		code = fail(r->opts.root ? "--root" : "/proc", -ENOENT);
	return code;
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Until a FIFO has a reader its opening waits: a ^C ends that. */
static bool may_wait(const struct cs_opts *o)
{
	return is_fifo(o->output) || is_fifo(o->json.file) || is_fifo(o->csv.file) ||
	       is_fifo(o->wide_csv);
}

static int open_files(struct run *r)
{
	const char *what;
	int err = view_open(&r->view, &r->opts, sm_pid_max(&r->root), &what);

	if (err)
		return fail(what, err);
	err = r->opts.wide_csv ? wide_open(&r->wide, &r->opts) : 0;
	return err ? fail(r->opts.wide_csv, err) : 0;
}

static int open_outputs(struct run *r, unsigned int closed)
{
	int code = open_root(r);

	if (!code && !r->opts.output)
		code = sm_tool_stdout(closed);
	if (code)
		return code;
	if (may_wait(&r->opts))
		sm_loop_release(&r->loop);
	code = open_files(r);
	sm_loop_catch(&r->loop);
	return code;
}

static int open_sums(struct run *r)
{
	int err = sm_intern_new(&r->names, NAMES_MAX_BYTES);

	r->total_opts = r->opts;
	r->total_opts.limit = 0;
	r->total_opts.threshold_mticks = 0;
	r->total_opts.threshold_centi_pct = 0;
	r->total_opts.subsamples = 0;
	if (!err)
		err = sm_user_init(&r->users);
	if (!err)
		err = rows_init(&r->rows, &r->opts, &r->users, r->names);
	if (!err)
		err = rows_init(&r->total_rows, &r->total_opts, &r->users, r->names);
	if (!err && r->opts.summary)
		err = accum_init(&r->total, r->names, TOTALS_MAX);
	if (!err && r->opts.summary)
		err = accum_reserve(&r->total, TOTALS_NOW);
	if (!err && r->opts.subsamples > 1)
		err = accum_init(&r->merged[0], r->names, MERGED_MAX);
	if (!err && r->opts.subsamples > 1)
		err = accum_init(&r->merged[1], r->names, MERGED_MAX);
	if (!err && r->opts.distribution)
		err = dist_init(&r->dist);
	metrics_init(&r->metrics, r->opts.prom);
	return err ? fail("start", err) : 0;
}

/* First of all: from here on a ^C ends the run in order. */
static int take_signals(struct run *r)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1,
		SIGUSR2, SIGCHLD, SIGWINCH, 0};
	int err = sm_loop_init(&r->loop);

	if (!err)
		err = sm_loop_signals(&r->loop, signals);
	return err ? fail("signals", err) : 0;
}

static int prepare_command(struct run *r, char **command)
{
	int err;

	if (!command)
		return 0;
	/* Orphans of COMMAND come to us, and stay of its tree. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	err = sm_command_prepare(&r->command, command, &r->loop);
	return err ? fail("fork", err) : 0;
}

static int check_pids(const struct run *r)
{
	struct sm_pidstat st;

	for (unsigned int i = 0; i < r->opts.pids.n; i++) {
		pid_t pid = (pid_t)r->opts.pids.v[i];
		uint64_t ns;

		if (sm_pidstat_read(&r->root, pid, &st) < 0 ||
			(r->sampler.clocks && sm_cpuclock_ns(pid, &ns) < 0)) {
			sm_err("no process %d", (int)pid);
			return SM_EXIT_RUNTIME;
		}
	}
	return 0;
}

static int open_sampler(struct run *r)
{
	int err = sampler_open(&r->sampler, &r->root, &r->opts, r->names);

	if (err == -EOPNOTSUPP) {
		sm_err("--source clock: the clocks of processes cannot be read here (a "
		       "foreign /proc, or a filter of system calls)");
		return SM_EXIT_FEATURE;
	}
	if (err)
		return fail("start", err);
	r->sampler.tree = r->command.pid;
	if (r->opts.system) {
		err = system_open(&r->system, &r->root);
		if (err)
			return fail("load average", err);
		r->view.system = &r->system;
	}
	return check_pids(r);
}

static int open_screen(struct run *r)
{
	const char *why = "cannot open";
	int err;

	if (!r->opts.tui)
		return 0;
	err = screen_open(&r->screen, &r->opts, &r->users, &why);
	if (!err)
		return 0;
	sm_err("--tui: %s", why);
	return SM_EXIT_RUNTIME;
}

static int open_outlet(struct run *r)
{
	int err;

	sm_outlet_init(&r->outlet, &r->loop);
	err = sm_faces_outlet(&r->view.faces, &r->outlet);
	return err ? fail("output", err) : 0;
}

static void warn_hidden(struct run *r)
{
	struct sm_pidstat st;

	if (sm_pidstat_read(&r->root, 1, &st) < 0)
		sm_err("/proc hides other users' processes (hidepid): only their CPU "
		       "time can be seen, as unaccounted or without a name");
}

static int drop(struct run *r)
{
	bool hidepid = sm_root_hidepid(&r->root);
	int code = 0;

	if (r->opts.realtime)
		sm_tool_realtime(SM_RT_PRIORITY);
	if (!r->opts.keep_privileges)
		code = sm_tool_drop(hidepid ? SM_DROP_KEEP_PTRACE : 0,
			r->opts.prom || r->opts.wide_csv);
	if (!code && hidepid)
		warn_hidden(r);
	return code;
}

/* A file that cannot be written is found out now, and with the rights of later. */
static int first_metrics(struct run *r)
{
	int err = metrics_commit(&r->metrics, 0, true);

	return err ? fail(r->opts.prom, err) : 0;
}

int run_open(struct run *r, char **command)
{
	char boot_id[SM_BOOT_ID_SIZE];
	unsigned int closed = sm_priv_fds();
	int code = take_signals(r);

	if (!code)
		code = open_outputs(r, closed);
	if (!code)
		code = open_sums(r);
	if (!code)
		code = prepare_command(r, command);
	if (!code)
		code = open_sampler(r);
	if (!code)
		code = open_outlet(r);
	if (!code)
		code = drop(r);
	if (!code)
		code = open_screen(r);
	if (!code)
		code = first_metrics(r);
	if (code)
		return code;
	sm_root_boot_id(&r->root, boot_id);
	view_start(&r->view, boot_id);
	return 0;
}

void run_close(struct run *r)
{
	if (r->screen)
		screen_close(r->screen);
	sm_command_abandon(&r->command);
	wide_close(r->wide);
	metrics_fini(&r->metrics);
	view_close(&r->view);
	if (r->opts.system)
		system_close(&r->system);
	sampler_close(&r->sampler);
	rows_fini(&r->rows);
	rows_fini(&r->total_rows);
	accum_fini(&r->total);
	accum_fini(&r->merged[0]);
	accum_fini(&r->merged[1]);
	dist_fini(&r->dist);
	sm_procstat_fini(&r->merge.before);
	sm_user_fini(&r->users);
	if (r->names)
		sm_intern_free(r->names);
	sm_buf_fini(&r->text);
	sm_loop_fini(&r->loop);
	sm_root_close(&r->root);
}
