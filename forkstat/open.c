// SPDX-License-Identifier: GPL-2.0-or-later
/* The start: what needs privilege is opened here, in the order of the privilege rules. */
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "err.h"
#include "priv.h"
#include "rt.h"
#include "run.h"
#include "tool.h"

#define ACK_TIMEOUT_MS	1000
#define NAMES_MAX_BYTES (32u << 20)

static int fail(const char *what, int err)
{
	sm_err_at(what, err);
	return sm_err_exit(err);
}

static int open_outputs(struct run *r)
{
	unsigned int closed = sm_priv_fds();
	const char *what;
	int err, code = sm_tool_root(&r->root, r->opts.root);

	if (!code && !r->opts.output)
		code = sm_tool_stdout(closed);
	if (code)
		return code;
	err = view_open(&r->view, &r->opts, sm_pid_max(&r->root), &what);
	if (!err)
		return 0;
	sm_err_at(what, err);
	return SM_EXIT_RUNTIME;
}

static int open_names(struct run *r)
{
	const struct fs_opts *o = &r->opts;
	bool machine = o->json.here || o->csv.here || o->json.file || o->csv.file;
	bool want_creds = machine || o->extra || filter_wants_creds(o);
	int err = sm_procs_init(&r->procs, &r->root, NAMES_MAX_BYTES, want_creds);

	if (err)
		return fail("table of processes", err);
	r->track.procs = &r->procs;
	r->track.want_tty = o->extra;
	r->track.want_pgrp = o->pgrps.n > 0;
	/* Alone and unfiltered, exec rows need no knowledge of anything before. */
	r->track.stateless = (o->events & ~FS_BIT(FS_LOST)) == FS_BIT(FS_EXEC) &&
			     !machine && !o->extra && !o->show_ppid && !o->ppids.n &&
			     !o->pgrps.n && !o->uids.n && !r->command.pid;
	return 0;
}

static int open_capture(struct run *r)
{
	static const enum capture_way ways[] = {[FS_SOURCE_AUTO] = CAPTURE_AUTO,
		[FS_SOURCE_BPF] = CAPTURE_BPF,
		[FS_SOURCE_PERF] = CAPTURE_PERF};
	const struct fs_opts *o = &r->opts;
	int err;

	if (o->source == FS_SOURCE_PROC)
		return 0;
	err = capture_open(
		&r->capture, &r->root, &r->procs, ways[o->source], (size_t)o->ring_bytes);
	if (!err) {
		r->have_capture = true;
		r->track.capture = &r->capture;
		return 0;
	}
	if (o->source != FS_SOURCE_AUTO)
		return fail("cannot catch arguments at the exec (tracepoint "
			    "sched:sched_process_exec)",
			err);
	sm_err("arguments will be read from /proc after the exec, which can be too late "
	       "(tracepoint sched:sched_process_exec: %s)",
		strerror(-err));
	return 0;
}

static int explain_connector(int err)
{
	switch (err) {
	case -ECONNREFUSED:
		sm_err("no process events in this network namespace; run it on the host "
		       "(or with --network=host --pid=host)");
		return SM_EXIT_FEATURE;
	case -ETIMEDOUT:
		sm_err("no process events in this user or pid namespace; run it on the "
		       "host "
		       "(or with --pid=host --network=host); "
		       "the kernel also needs CONFIG_PROC_EVENTS");
		return SM_EXIT_FEATURE;
	case -EPERM:
	case -EACCES:
		sm_err("process events: %s; before Linux 6.6 they need CAP_NET_ADMIN "
		       "(run as root, or see CAPABILITIES in forkstat(8))",
			strerror(-err));
		return SM_EXIT_PERMISSION;
	case -EPROTONOSUPPORT:
		sm_err("this kernel has no process events (CONFIG_PROC_EVENTS)");
		return SM_EXIT_FEATURE;
	default:
		return fail("process events connector", err);
	}
}

static int open_connector(struct run *r)
{
	const struct fs_opts *o = &r->opts;
	uint32_t mask =
		track_kernel_mask(o->events, r->track.stateless, r->procs.want_creds);
	int err;

	source_init(&r->source, r->have_capture ? &r->capture : NULL);
	err = sm_cnproc_open(&r->source.cn, (size_t)o->buffer_bytes);
	if (!err)
		err = sm_cnproc_listen(&r->source.cn, ACK_TIMEOUT_MS);
	if (err)
		return explain_connector(err);
	r->socket = sm_loop_add(&r->loop, r->source.cn.fd, POLLIN, NULL, NULL);
	if (r->socket < 0)
		return fail("process events connector", r->socket);
	err = sm_cnproc_filter(&r->source.cn, mask);
	if (err)
		sm_err("event filter in the kernel: %s; going on without",
			strerror(-err));
	return 0;
}

static int open_loop(struct run *r, char **command)
{
	static const int signals[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, 0};
	int err = sm_loop_init(&r->loop);

	if (!err)
		err = sm_loop_signals(&r->loop, signals);
	sm_outlet_init(&r->outlet, &r->loop);
	if (!err)
		err = sm_faces_outlet(&r->view.faces, &r->outlet);
	if (err)
		return fail("signals", err);
	if (!command)
		return 0;
	err = sm_command_prepare(&r->command, command, &r->loop);
	if (err)
		return fail("fork", err);
	/* Its tree is what is shown. */
	r->opts.ppids.n = 1;
	r->opts.ppids.v[0] = (uint32_t)r->command.pid;
	return 0;
}

static void warn_hidden(struct run *r)
{
	struct sm_pidstat st;

	if (r->root.real_proc && sm_pidstat_read(&r->root, 1, &st) < 0)
		sm_err("/proc hides other users' processes (hidepid): some names will be "
		       "missing; "
		       "see --keep-privileges");
}

static int drop(struct run *r)
{
	int code;

	if (r->opts.realtime)
		sm_tool_realtime(SM_RT_PRIORITY);
	if (r->opts.keep_privileges)
		return 0;
	code = sm_tool_drop(0, r->opts.prom);
	if (!code)
		warn_hidden(r);
	return code;
}

static int seed(struct run *r)
{
	ssize_t n;

	if (r->track.stateless)
		return 0;
	n = sm_procs_seed(&r->procs);
	if (n < 0)
		return fail("/proc", (int)n);
	filter_mark_tree(&r->procs, &r->opts.ppids);
	return 0;
}

int run_open(struct run *r, char **command)
{
	char boot_id[SM_BOOT_ID_SIZE];
	uint64_t now;
	int code = open_outputs(r);

	if (!code)
		code = open_loop(r, command);
	if (!code)
		code = open_names(r);
	if (!code)
		code = open_capture(r);
	if (!code)
		code = open_connector(r);
	if (!code)
		code = drop(r);
	if (code)
		return code;
	/* From here on events are shown: ours of the start are nobody's business. */
	now = r->start_ns = sm_mono_ns();
	code = seed(r);
	if (code)
		return code;
	if (summary_init(&r->summary, &r->opts, now) < 0)
		return fail("statistics", -ENOMEM);
	rates_init(&r->rates, &r->opts, now);
	r->end_ns = r->opts.duration_ns ? now + r->opts.duration_ns : SM_LOOP_FOREVER;
	sm_root_boot_id(&r->root, boot_id);
	view_start(&r->view, boot_id);
	return 0;
}

void run_close(struct run *r)
{
	sm_command_abandon(&r->command);
	rates_fini(&r->rates);
	summary_fini(&r->summary);
	view_close(&r->view);
	sm_cnproc_close(&r->source.cn);
	if (r->have_capture)
		capture_close(&r->capture);
	if (r->procs.names)
		sm_procs_fini(&r->procs);
	sm_loop_fini(&r->loop);
	sm_root_close(&r->root);
}
