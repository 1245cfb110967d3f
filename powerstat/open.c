// SPDX-License-Identifier: GPL-2.0-or-later
/* The start: what needs privilege or the user's rights is opened here, then privileges
 * go. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "kmod.h"
#include "opt_value.h"
#include "priv.h"
#include "rt.h"
#include "run.h"
#include "tool.h"
#include "text.h"

#define DEFAULT_MODULES	  "intel_rapl_msr,msr"
#define RAPL_INTERVAL_NS  SM_NSEC_PER_SEC
#define OTHER_INTERVAL_NS (10 * SM_NSEC_PER_SEC)
#define RAPL_RUN_NS	  (60 * SM_NSEC_PER_SEC)
#define OTHER_RUN_NS	  (480 * SM_NSEC_PER_SEC)
#define BATTERY_DELAY_NS  (180 * SM_NSEC_PER_SEC)
#define FEW_SAMPLES	  10

/* Ours, or sanitised already; ends with a newline. */
static void say(struct sm_buf *b)
{
	if (b->len && b->p[b->len - 1] == '\n')
		b->len--;
	sm_buf_chr(b, '\0');
	if (b->p)
		sm_err("%s", b->p);
	sm_buf_fini(b);
}

static int one_module(void *ctx, struct sm_str s, struct sm_buf *why)
{
	struct sm_buf name = {0};
	int err;

	(void)ctx;
	(void)why;
	sm_text_human(&name, s.p, s.n, SM_TEXT_UTF8);
	sm_buf_chr(&name, '\0');
	if (!name.p)
		return -ENOMEM;
	err = sm_kmod_load(name.p);
	if (err == -ELIBACC)
		sm_err("--load-modules: libkmod is not installed");
	else if (err < 0)
		sm_err("--load-modules: %s: %s", name.p,
			err == -ENOENT ? "no such module" : strerror(-err));
	sm_buf_fini(&name);
	return 0; /* what cannot be loaded may not be needed: the sources will tell */
}

static void load_modules(const struct ps_opts *o)
{
	struct sm_buf why = {0};

	if (o->load_modules)
		(void)!sm_opt_each(*o->load_modules ? o->load_modules : DEFAULT_MODULES,
			one_module, NULL, &why);
	sm_buf_fini(&why);
}

static int list(struct run *r)
{
	struct sm_buf b = {0};
	size_t at = 0;
	int code = SM_EXIT_OK;

	power_list(&r->root, &r->opts, &b);
	while (at < b.len) {
		ssize_t n = write(STDOUT_FILENO, b.p + at, b.len - at);

		if (n < 0 && errno != EINTR) {
			sm_err_at("write error", -errno);
			code = SM_EXIT_RUNTIME;
			break;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	sm_buf_fini(&b);
	return code;
}

static int open_outputs(struct run *r, unsigned int closed)
{
	const char *what;
	int err, code = r->opts.output ? 0 : sm_tool_stdout(closed);

	if (code)
		return code;
	err = view_open(&r->view, &r->opts, &what);
	if (!err)
		return 0;
	sm_err_at(what, err);
	return SM_EXIT_RUNTIME;
}

static const char *remedy(int err)
{
	return err == -EACCES
		       ? "no figure may be read: run it as root, give it cap_perfmon "
			 "for the perf PMU, or let a udev rule open the files; see "
			 "\"Without root\" in powerstat(8)"
		       : "this machine tells no figure of its power here; -z goes on "
			 "without";
}

static int open_power(struct run *r)
{
	struct sm_buf why = {0}, text = {0};
	int err = power_open(&r->power, &r->root, &r->opts, &why);

	if (err == -ENOMEM) {
		sm_err_at("start", err);
		sm_buf_fini(&why);
		return SM_EXIT_RUNTIME;
	}
	if (err) {
		sm_buf_printf(&text, "%s\n", remedy(err));
		sm_buf_add(&text, why.p, why.len);
		say(&text);
		sm_buf_fini(&why);
		return SM_EXIT_RUNTIME;
	}
	sm_buf_fini(&why);
	sm_buf_str(&text, "power source: ");
	power_describe(&r->power, &text);
	say(&text);
	return 0;
}

/* The original's columns depend on root; ours on what costs nothing, unless asked. */
static int open_events(struct run *r)
{
	const struct ps_opts *o = &r->opts;
	bool asked = o->procs == PS_PROCS_YES || o->redo_procs || o->proc_log;
	int err;

	if (o->procs == PS_PROCS_NO || (!asked && !r->root.live))
		return 0;
	err = events_open(&r->events, &r->root, o->proc_log);
	if (!err && !asked && !events_in_kernel(r->events)) {
		events_close(r->events);
		r->events = NULL;
	}
	if (!err || !asked)
		return 0;
	sm_err("fork, exec and exit events: %s (they need the first user, pid and "
	       "network "
	       "namespace, and before Linux 6.6 CAP_NET_ADMIN)",
		strerror(-err));
	return SM_EXIT_RUNTIME;
}

static void decide_times(struct run *r, bool command)
{
	const struct ps_opts *o = &r->opts;
	bool slow = r->power.source == PS_BATTERY || r->power.source == PS_NONE;
	uint64_t run_ns = slow ? OTHER_RUN_NS : RAPL_RUN_NS;

	r->interval_ns = o->interval_ns;
	if (!r->interval_ns)
		r->interval_ns = slow ? OTHER_INTERVAL_NS : RAPL_INTERVAL_NS;
	if (o->have_start_delay)
		r->start_delay_ns = o->start_delay_ns;
	else if (r->power.source == PS_BATTERY && !command)
		r->start_delay_ns = BATTERY_DELAY_NS;
	r->count = o->count;
	if (o->have_count || command || o->duration_ns)
		return;
	if (slow && r->start_delay_ns < run_ns)
		run_ns -= r->start_delay_ns;
	r->count = run_ns / r->interval_ns;
	if (!r->count)
		r->count = 1;
}

static int open_loop(struct run *r, char **command)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1,
		SIGUSR2, SIGCHLD, SIGWINCH, 0};
	int err = sm_loop_init(&r->loop);

	if (!err)
		err = sm_loop_signals(&r->loop, signals);
	if (!err && command)
		err = sm_command_prepare(&r->command, command, &r->loop);
	sm_outlet_init(&r->outlet, &r->loop);
	if (!err)
		err = sm_faces_outlet(&r->view.faces, &r->outlet);
	/* The log's names can only be read at once. */
	if (!err && r->opts.proc_log) {
		err = sm_loop_add(&r->loop, events_fd(r->events), POLLIN, NULL, NULL);
		err = err < 0 ? err : 0;
	}
	if (err)
		sm_err_at("start", err);
	return err ? SM_EXIT_RUNTIME : 0;
}

static int open_collect(struct run *r)
{
	int err = collect_open(&r->collect, &r->root, &r->opts, &r->power, r->events);

	if (!err)
		err = ps_stats_init(&r->stats, &r->collect.table, r->opts.hist);
	if (!err)
		err = metrics_init(&r->metrics, r->opts.prom, &r->collect.table,
			summary_source(&r->power));
	if (err)
		sm_err_at("start", err);
	return err ? SM_EXIT_RUNTIME : 0;
}

static int drop(struct run *r)
{
	if (r->opts.realtime)
		sm_tool_realtime((int)r->opts.rt_priority);
	return r->opts.keep_privileges ? 0 : sm_tool_drop(0, r->opts.prom);
}

static void start_view(struct run *r)
{
	char boot_id[SM_BOOT_ID_SIZE];
	struct view_run what = {.interval_ns = r->interval_ns,
		.start_delay_ns = r->start_delay_ns,
		.count = r->count,
		.power = &r->power,
		.boot_id = boot_id};

	sm_root_boot_id(&r->root, boot_id);
	view_start(&r->view, &r->collect.table, &what);
}

int run_open(struct run *r, char **command, bool *done)
{
	unsigned int closed = sm_priv_fds();
	int code = sm_tool_root(&r->root, r->opts.root), err;

	*done = true;
	if (code)
		return code;
	load_modules(&r->opts);
	if (r->opts.list) {
		code = sm_tool_stdout(closed);
		return code ? code : list(r);
	}
	code = open_outputs(r, closed);
	if (!code)
		code = open_power(r);
	if (!code)
		code = open_events(r);
	if (code)
		return code;
	decide_times(r, command != NULL);
	if (r->count && r->count < FEW_SAMPLES && !command)
		sm_err("%llu %s few for statistics", (unsigned long long)r->count,
			r->count == 1 ? "sample is" : "samples are");
	code = open_loop(r, command);
	if (!code)
		code = open_collect(r);
	if (!code)
		code = drop(r);
	if (!code && r->events && events_begin(r->events) < 0)
		sm_err("names of processes that live already: cannot be read");
	if (code)
		return code;
	err = metrics_commit(&r->metrics, 0, 0, 0, true);
	if (err) { /* found out now, and with the rights of later */
		sm_err_at(r->opts.prom, err);
		return SM_EXIT_RUNTIME;
	}
	*done = false;
	start_view(r);
	return 0;
}

void run_close(struct run *r)
{
	sm_command_abandon(&r->command);
	metrics_fini(&r->metrics);
	ps_stats_fini(&r->stats);
	view_close(&r->view);
	collect_close(&r->collect);
	events_close(r->events);
	power_close(&r->power);
	sm_loop_fini(&r->loop);
	sm_root_close(&r->root);
}
