// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/priv.h"
#include "source_open.h"
#include "proc/cgroup.h"

#define ACK_TIMEOUT_MS 1000

/* Limits the memory that the kernel pins for users without privileges of their own. */
static int check_memory(const struct opts *o)
{
	if (!sm_priv_elevated() || (o->buffer_bytes <= opts_default.buffer_bytes &&
					   o->ring_bytes <= CAPTURE_RINGS_BYTES))
		return 0;
	sm_err("--buffer above 64M and --ring above 8M are not allowed for a program "
	       "with file capabilities");
	return SM_EXIT_PERMISSION;
}

#define BPF_NEEDS                                                 \
	" needs 64-bit Linux 5.8 or later with type information " \
	"(CONFIG_DEBUG_INFO_BTF), CAP_BPF and CAP_PERFMON"

/* A kernel that lacks a feature may also return EPERM.  Creating a map needs only the
 * privilege, so it distinguishes the two. */
static int refuse_bpf(const char *what, const char *option, int err)
{
	SM_CLOSE_FD int map =
		sm_bpf_map_create("forkstat_test", SM_BPF_MAP_ARRAY, 4, 4, 1, 0);

	sm_err("cannot capture %s with BPF: %s; %s" BPF_NEEDS, what, strerror(-err),
		option);
	return map == -EPERM || map == -EACCES ? SM_EXIT_PERMISSION : SM_EXIT_FEATURE;
}

/* Reports why BPF is not used.  err: the error of perf, or 0 if perf is used. */
static void report_fallback(const struct opts *o, int bpf_err, int err)
{
	if (o->app.quiet)
		return;
	if (err)
		sm_err("arguments will be read from /proc after the exec, which can be "
		       "too late (BPF: %s; tracepoint sched:sched_process_exec: %s)",
			strerror(-bpf_err), strerror(-err));
	else
		sm_err("using perf to capture arguments; some will be missed (BPF: %s; "
		       "it" BPF_NEEDS ")",
			strerror(-bpf_err));
}

/* Returns the facts that the program must record at an exec; NULL to record none. */
static const struct execbpf_facts *wanted_facts(
	const struct run *r, struct execbpf_facts *facts)
{
	uint32_t wanted = facts_wanted(&r->opts);

	*facts = (struct execbpf_facts){0};
	/* If this fails, the kernel has no cgroups, and the cgroup of each exec is
	 * unknown. */
	if (wanted & 1u << FACT_CGROUP)
		(void)!sm_cgroup_order(&r->app.root, &facts->order);
	if (r->opts.env)
		(void)!execbpf_env_name(facts, r->opts.env);
	return wanted ? facts : NULL;
}

static int open_capture(struct run *r)
{
	static const enum capture_way ways[] = {[SOURCE_AUTO] = CAPTURE_AUTO,
		[SOURCE_BPF] = CAPTURE_BPF,
		[SOURCE_PERF] = CAPTURE_PERF};
	const struct opts *o = &r->opts;
	struct execbpf_facts facts;
	struct sm_bpf_log log;
	int err;

	r->app.source = "proc";
	if (o->source == SOURCE_PROC)
		return 0;
	err = capture_open(&r->capture, &r->app.root, &r->procs, wanted_facts(r, &facts),
		ways[o->source], (size_t)o->ring_bytes, &log);
	if (log.text[0])
		sm_err_at(log.text, r->capture.bpf_error);
	if (err && o->source == SOURCE_BPF)
		return refuse_bpf("arguments at the exec", "--source=bpf", err);
	if (err && o->source == SOURCE_PERF)
		return sm_app_refuse("cannot capture arguments at the exec (tracepoint "
				     "sched:sched_process_exec)",
			err);
	if (r->capture.bpf_error)
		report_fallback(o, r->capture.bpf_error, err);
	if (err)
		return 0;
	r->app.source = r->capture.way == CAPTURE_BPF ? "bpf" : "perf";
	r->have_capture = true;
	r->track.capture = &r->capture;
	return 0;
}

static void report_unknown_facts(const struct run *r)
{
	if (facts_wanted(&r->opts) && !r->opts.app.quiet &&
		!(r->have_capture && r->capture.way == CAPTURE_BPF))
		sm_err("values of --cgroup, --loginuid and --env are unknown after a "
		       "process executes a program; only --source=bpf captures them");
}

static int open_failed(struct run *r)
{
	struct sm_bpf_log log;
	int err;

	if (!r->opts.failed)
		return 0;
	err = execfail_open(&r->failed, &r->procs,
		capture_bpf_bytes((size_t)r->opts.ring_bytes), &log);
	if (!err) {
		r->failed.clock_offset_ns = r->source.cn.clock_offset_ns;
		r->source.failed = &r->failed;
		r->failed_socket = sm_loop_add(
			&r->app.loop, r->failed.stream.ring_fd, POLLIN, NULL, NULL);
		return r->failed_socket < 0
			       ? sm_app_refuse("failed execs", r->failed_socket)
			       : 0;
	}
	if (log.text[0])
		sm_err_at(log.text, err);
	return refuse_bpf("failed execs", "--failed", err);
}

/* If this fails, the exit status of some multithreaded processes is unknown. */
static void open_exits(struct run *r)
{
	struct sm_bpf_log log;

	if (r->track.stateless || !(r->opts.events & EVENT_BIT(EVENT_EXIT)) ||
		exitbpf_open(&r->exits, &r->app.root, &log) < 0)
		return;
	r->exits.clock_offset_ns = r->source.cn.clock_offset_ns;
	r->source.exits = r->track.exits = &r->exits;
}

static int explain_connector(int err)
{
	switch (err) {
	case -ECONNREFUSED:
		sm_err("no process events in this network namespace; run forkstat on the "
		       "host (or with --network=host --pid=host)");
		return SM_EXIT_FEATURE;
	case -ETIMEDOUT:
		sm_err("no process events in this user or PID namespace; run forkstat on "
		       "the host (or with --pid=host --network=host); the kernel also "
		       "needs CONFIG_PROC_EVENTS");
		return SM_EXIT_FEATURE;
	case -EPERM:
	case -EACCES:
		sm_err("cannot receive process events: %s; before Linux 6.6 this needs "
		       "CAP_NET_ADMIN (run as root, or see PRIVILEGES in forkstat(8))",
			strerror(-err));
		return SM_EXIT_PERMISSION;
	case -EPROTONOSUPPORT:
		sm_err("this kernel has no process events (CONFIG_PROC_EVENTS)");
		return SM_EXIT_FEATURE;
	default:
		return sm_app_refuse("process events connector", err);
	}
}

/* Does any output print its rows on a terminal, where a delay would be visible? */
static bool watched(const struct run *r)
{
	const struct sm_outputs *f = &r->app.outputs;

	for (unsigned int i = 0; i < f->n; i++)
		if (isatty(f->sink[i].fd) &&
			!(r->opts.app.quiet && f->out[i].format == SM_FORMAT_TABLE))
			return true;
	return false;
}

/* Rows may be delayed if no data of a task is read after its event. */
static bool is_lazy(const struct run *r)
{
	return r->have_capture && r->capture.way == CAPTURE_BPF && !r->track.want_tty &&
	       !r->track.want_pgrp && !r->opts.app.line_buffered && !watched(r);
}

static void on_socket(void *ctx, short revents)
{
	struct source *s = ctx;

	(void)revents;
	s->queued = true;
}

static int open_connector(struct run *r)
{
	const struct opts *o = &r->opts;
	uint32_t mask =
		track_kernel_mask(o->events, r->track.stateless, r->procs.want_creds);
	int err;

	source_init(&r->source, r->have_capture ? &r->capture : NULL, is_lazy(r));
	err = sm_cnproc_open(&r->source.cn, (size_t)o->buffer_bytes);
	if (!err)
		err = sm_cnproc_listen(&r->source.cn, ACK_TIMEOUT_MS);
	if (err)
		return explain_connector(err);
	r->capture.clock_offset_ns = r->source.cn.clock_offset_ns;
	r->socket =
		sm_loop_add(&r->app.loop, r->source.cn.fd, POLLIN, on_socket, &r->source);
	if (r->socket < 0)
		return sm_app_refuse("process events connector", r->socket);
	err = sm_cnproc_filter(&r->source.cn, mask);
	if (err)
		sm_err("cannot filter events in the kernel: %s; continuing without the "
		       "filter",
			strerror(-err));
	/* If this fails, every event is read from the socket. */
	if (r->have_capture && r->capture.way == CAPTURE_BPF)
		(void)!sm_cnring_open(&r->source.ring, &r->app.root, &r->source.cn, mask);
	return 0;
}

int source_open(struct run *r)
{
	int code = check_memory(&r->opts);

	if (!code)
		code = open_capture(r);
	if (!code)
		report_unknown_facts(r);
	if (!code && r->opts.app.summary && exitcpu_open(&r->exitcpu, &r->app.root) < 0)
		code = sm_app_refuse("CPU time of programs", -ENOMEM);
	if (!code)
		code = open_connector(r);
	if (!code)
		open_exits(r);
	return code ? code : open_failed(r);
}
