// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and opens the processes, before the drop of privileges. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/err.h"
#include "live/interactive.h"
#include "live/pick.h"
#include "run.h"

void run_explain(const struct target *t)
{
	struct sm_buf text = {0};

	target_explain(t, &text);
	sm_buf_chr(&text, '\0');
	sm_err("%s", sm_buf_error(&text) ? "out of memory" : text.p);
	sm_buf_fini(&text);
}

int run_attach(struct run *r, struct snapshot *s)
{
	return snapshot_attach(
		s, (enum pass_method)r->opts.method, r->self_pagemap_fd, r->dirty_known);
}

/* --- processes by name ----------------------------------------------------------- */

/* Returns the sanitised name, which is in the buffer. */
static const char *clean(struct sm_buf *text, const char *name)
{
	sm_text_human(text, name, strlen(name), SM_TEXT_UTF8);
	sm_buf_chr(text, '\0');
	return sm_buf_error(text) ? "" : text->p;
}

static int refuse_name(const struct run *r, const char *name, int err)
{
	struct sm_buf text = {0};

	if (err != -ESRCH && err != -ERANGE)
		return sm_app_refuse("/proc", err);
	sm_err("no such process: %s%s", clean(&text, name),
		sm_root_hidepid(&r->app.root)
			? "; /proc may hide it (hidepid): run pagemon as root"
			: "");
	sm_buf_fini(&text);
	return SM_EXIT_RUNTIME;
}

static void say_twins(const char *name, const struct found *found)
{
	struct sm_buf text = {0};

	sm_err("%zu processes are named %s; monitoring process %d", found->matches,
		clean(&text, name), (int)found->pid);
	sm_buf_fini(&text);
}

/* Returns the option that clears soft-dirty bits, or NULL. */
static const char *clears(const struct run *r)
{
	return r->opts.dirty ? "-D" : r->opts.ticks ? "-t" : NULL;
}

static unsigned int target_flags(const struct run *r)
{
	bool mem = r->opts.read_all || (!r->batch && !r->opts.no_hex);
	bool clear = r->opts.dirty || !r->batch;

	return (mem ? 0u : TARGET_NO_MEM) | (clear ? 0u : TARGET_NO_CLEAR) |
	       (r->opts.read_all ? TARGET_USE_MEM : 0u) |
	       (clears(r) ? TARGET_USE_CLEAR : 0u);
}

static enum sm_exit refuse_target(const struct target *t)
{
	run_explain(t);
	return t->state == TARGET_DENIED ? sm_err_exit(t->denied_err) : SM_EXIT_RUNTIME;
}

/* Returns the first file that is needed by an option but not open, or TARGET_FILES. */
static enum target_file missing_file(
	const struct run *r, const struct target *t, const char **option)
{
	const struct {
		bool given;
		enum target_file file;
		const char *name;
	} need[] = {{clears(r) != NULL, TARGET_CLEAR_REFS, clears(r)},
		{r->opts.read_all, TARGET_MEM, "-r"},
		{r->opts.smaps, TARGET_SMAPS, "--smaps"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(need); i++) {
		*option = need[i].name;
		if (need[i].given && t->fd[need[i].file] < 0)
			return need[i].file;
	}
	return TARGET_FILES;
}

static int need_files(const struct run *r, const struct target *t)
{
	const char *option;
	enum target_file f = missing_file(r, t, &option);
	struct sm_buf why = {0};

	if (f == TARGET_FILES)
		return 0;
	target_explain_file(t, f, &why);
	sm_buf_chr(&why, '\0');
	sm_err("%s: %s", option, sm_buf_error(&why) ? "out of memory" : why.p);
	sm_buf_fini(&why);
	return sm_err_exit(t->err[f]);
}

static int open_target(struct run *r, struct snapshot *s, pid_t pid)
{
	int err = target_open(&s->target, &r->app.root, pid, target_flags(r));

	if (err)
		return sm_app_refuse("process", err);
	if (target_over(s->target.state))
		return refuse_target(&s->target);
	return need_files(r, &s->target);
}

static enum snapshot_detail detail(const struct opts *o)
{
	return o->runs	     ? SNAPSHOT_RUNS
	       : o->mappings ? SNAPSHOT_MAPPINGS
			     : SNAPSHOT_TOTALS;
}

static int attach_first(struct run *r, struct snapshot *s)
{
	int err = run_attach(r, s);

	r->app.source = s->reader.method == PASS_SCAN ? "scan" : "read";
	if (err != -ENOTTY)
		return err ? sm_app_refuse("pagemap", err) : 0;
	sm_err("--method=scan: this kernel has no PAGEMAP_SCAN (since Linux 6.7)");
	return SM_EXIT_FEATURE;
}

/* Appends the process to r->procs. */
static int add_process(struct run *r, pid_t pid)
{
	struct snapshot *s = &r->procs[r->nprocs];
	int err = snapshot_init(s, detail(&r->opts));
	int code = err ? sm_app_refuse("start", err) : open_target(r, s, pid);

	s->smaps = r->opts.smaps;
	if (!code)
		code = attach_first(r, s);
	/* The privileges of the start find the names of all deleted files. */
	if (!code && s->smaps)
		(void)!snapshot_begin(s, NULL, NULL);
	if (code)
		snapshot_fini(s);
	else
		r->nprocs++;
	return code;
}

static int add_named(struct run *r, const char *name)
{
	struct found found;
	int err = find_target(&r->app.root, name, &found);

	if (err)
		return refuse_name(r, name, err);
	if (found.matches > 1 && r->batch)
		say_twins(name, &found);
	r->twins = (unsigned int)found.matches;
	return add_process(r, found.pid);
}

int run_attach_child(struct run *r, struct snapshot *s)
{
	const char *option;
	int err = missing_file(r, &s->target, &option) == TARGET_FILES ? run_attach(r, s)
								       : -EACCES;

	if (err)
		s->target.state = TARGET_DENIED;
	return err;
}

void run_open_child(struct run *r, struct snapshot *s, pid_t pid)
{
	int err = snapshot_init(s, detail(&r->opts));

	s->smaps = r->opts.smaps;
	if (!err)
		err = target_open_child(
			&s->target, &r->app.root, pid, target_flags(r), &r->opener);
	if (err)
		s->target.state = TARGET_DENIED;
	else if (s->target.state == TARGET_EXECED)
		r->series.alive += run_attach_child(r, s) == 0;
}

/* Reports each process that cannot be monitored.  All must exist, so that a mistake is
 * not overlooked among many; those that may not be read do not prevent monitoring the
 * others. */
static int add_all(struct run *r)
{
	int first = 0, missing = 0;

	for (unsigned int i = 0; i < r->opts.ntargets; i++) {
		int code = add_named(r, r->opts.targets[i]);

		if (!first)
			first = code;
		if (code != SM_EXIT_PERMISSION && !missing)
			missing = code;
	}
	if (missing)
		return missing;
	if (r->app.child.pid) {
		int code = add_process(r, r->app.child.pid);

		r->series.starting = !code;
		if (code)
			return code;
		r->command = &r->procs[r->nprocs - 1];
	}
	return r->nprocs ? 0 : first;
}

static int add_picked(struct run *r)
{
	pid_t pid;
	int code = pick_process(r, &pid);

	return code ? code : add_process(r, pid);
}

/* --- the machine's features ------------------------------------------------------ */

static int look_at_kernel(struct run *r)
{
	int fd = sm_pagemap_open_self(&r->app.root);

	r->self_pagemap_fd = fd < 0 ? -1 : fd;
	r->dirty_known = fd >= 0 && sm_pagemap_tracks_dirty(fd) == 1;
	if (!clears(r) || r->dirty_known)
		return 0;
	sm_err("%s: this kernel does not keep soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)",
		clears(r));
	return SM_EXIT_FEATURE;
}

/* Starts the process that keeps the privileges, to open programs executed later.  It
 * opens them also if this process keeps its privileges, because opening can take long. */
static int start_opener(struct run *r)
{
	struct target **targets;
	int err;

	targets = calloc(r->nprocs + 1, sizeof(struct target *));
	if (!targets)
		return sm_app_refuse("start", -ENOMEM);
	for (size_t i = 0; i < r->nprocs; i++)
		targets[i] = &r->procs[i].target;
	/* It leaves its parent, and the tool adopts only descendants of COMMAND. */
	if (r->command)
		prctl(PR_SET_CHILD_SUBREAPER, 0);
	err = opener_start(
		&r->opener, &r->app.root, targets, r->nprocs, r->app.child.pid);
	if (r->command)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	free(targets);
	return err ? sm_app_refuse("fork", err) : 0;
}

int run_watch_opener(struct run *r, sm_loop_fn fn)
{
	if (r->opener.fd < 0)
		return 0;
	r->opener_source = sm_loop_add(&r->app.loop, r->opener.fd, POLLIN, fn, r);
	return r->opener_source < 0 ? r->opener_source : 0;
}

bool run_hear_opener(struct run *r)
{
	if (opener_receive(&r->opener) == 0)
		return true;
	sm_loop_events(&r->app.loop, r->opener_source, -1);
	return false;
}

/* --- the whole start ------------------------------------------------------------- */

int run_prepare(void *ctx)
{
	struct run *r = ctx;
	const char *option = opts_of_screen(&r->opts);
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	unsigned int n = r->opts.ntargets + (r->app.command != NULL);
	char text[64];

	r->batch = opts_want_batch(&r->opts) || !terminal;
	r->app.screen = !r->batch;
	if (r->batch && !n)
		return sm_app_usage(&r->app, "no process is given; add a PID, a NAME or "
					     "-- COMMAND");
	if (r->batch && option) {
		snprintf(text, sizeof(text),
			"%s applies only to the screen, but this is not a terminal",
			option);
		return sm_app_usage(&r->app, text);
	}
	if (!r->batch && n > 1)
		return sm_app_usage(&r->app, "the screen shows only one process; use -b "
					     "to print rows for several");
	return 0;
}

int run_open(void *ctx)
{
	struct run *r = ctx;
	int code;

	if (!sm_root_has_proc(&r->app.root))
		return sm_app_refuse(r->opts.app.root ? "--root" : "/proc", -ENOENT);
	r->procs = calloc(r->opts.ntargets + OPTS_CHILDREN_MAX + 1, sizeof(*r->procs));
	if (!r->procs)
		return sm_app_refuse("start", -ENOMEM);
	series_init(r);
	pagefacts_open(&r->source, &r->app.root);
	peek_init(&r->peek, &r->source.vmas);
	code = look_at_kernel(r);
	if (!code)
		code = r->opts.ntargets || r->app.command ? add_all(r) : add_picked(r);
	if (!code)
		code = start_opener(r);
	return code ? code : series_open(r);
}
