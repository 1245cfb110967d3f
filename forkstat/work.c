// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop: source -> track -> filter -> view, once for each batch of events. */
#include <errno.h>
#include <signal.h>

#include "clock.h"
#include "err.h"
#include "run.h"
#include "tool.h"

/* After COMMAND's end, the longest wait for exit events of its tree. */
#define SETTLE_NS (200 * SM_NSEC_PER_MSEC)

/* --- losses ------------------------------------------------------------------------ */

static void show_lost(struct run *r, enum fs_lost_source source, uint64_t n)
{
	struct fs_row row = {.kind = FS_LOST,
		.time_ns = sm_mono_ns(),
		.lost = n,
		.lost_source = source};

	summary_lost(&r->summary, source, n);
	view_row(&r->view, &row);
}

static void check_kernel_loss(struct run *r)
{
	int64_t n = sm_cnproc_update_lost(&r->source.cn);

	if (n <= 0)
		return;
	show_lost(r, FS_LOST_KERNEL, (uint64_t)n);
	sm_procs_suspect(&r->procs);
}

/* Lost arguments are told once per second at the most: the rows themselves are there. */
static void check_perf_loss(struct run *r, uint64_t now_ns, bool last)
{
	uint64_t n = r->have_capture ? r->capture.lost - r->perf_lost_seen : 0;

	if (!n || (!last && now_ns - r->perf_lost_shown_ns < SM_NSEC_PER_SEC))
		return;
	r->perf_lost_seen = r->capture.lost;
	r->perf_lost_shown_ns = now_ns;
	show_lost(r, FS_LOST_PERF, n);
}

/* Told when there is room again: a row about it would have been refused like the others.
 */
static bool check_output_loss(struct run *r)
{
	uint64_t n = sm_faces_dropped(&r->view.faces) - r->output_lost_seen;

	if (!n)
		return false;
	show_lost(r, FS_LOST_OUTPUT, n);
	/* Were that row refused too, it is no loss of an event. */
	r->output_lost_seen = sm_faces_dropped(&r->view.faces);
	return true;
}

/* --- events to rows ------------------------------------------------------------------
 */

static void show(struct run *r, const struct fs_row *row)
{
	view_row(&r->view, row);
	summary_add(&r->summary, row);
	if (r->opts.count && r->view.rows >= r->opts.count)
		r->stop = true;
}

static void one_event(struct run *r, size_t i)
{
	const struct sm_proc_event *ev = &r->source.ev[i];
	bool later = track_asks_proc(&r->track, ev) && source_exec_follows(&r->source, i);
	struct fs_row row;
	bool known;

	known = track_apply(&r->track, ev, later, &row);
	if (ev->time_ns < r->start_ns) {
		if (known)
			track_done(&r->track, &row);
		return;
	}
	r->summary.received++;
	if (known && !r->stop && filter_match(&r->opts, &row))
		show(r, &row);
	else
		r->summary.filtered++;
	if (known)
		track_done(&r->track, &row);
}

static int drain(struct run *r, uint64_t now_ns)
{
	ssize_t n;

	do {
		n = source_drain(&r->source, now_ns);
		if (n < 0)
			return (int)n;
		for (size_t i = 0; i < (size_t)n; i++)
			one_event(r, i);
		source_consume(&r->source);
		if (r->source.more && !sm_outlet_flush(&r->outlet))
			break;
	} while (r->source.more);
	check_kernel_loss(r);
	check_perf_loss(r, now_ns, false);
	return 0;
}

/* --- output --------------------------------------------------------------------------
 */

static void set_error(struct run *r, const char *what, int err)
{
	if (!r->error) {
		r->error = err;
		r->error_what = what;
	}
	r->stop = true;
}

static void flush(struct run *r)
{
	bool open = sm_outlet_flush(&r->outlet);

	if (open && sm_outlet_empty(&r->outlet) && check_output_loss(r))
		open = sm_outlet_flush(&r->outlet);
	if (!open)
		r->stop = true;
}

/* --- the loop ------------------------------------------------------------------------
 */

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void on_signals(struct run *r)
{
	uint64_t typed, came = sm_loop_take(&r->loop, &typed);

	if (r->command.pid && !r->command.ended) {
		sm_command_reap(&r->command);
		if (r->command.ended)
			r->settle_ns = sm_mono_ns() + SETTLE_NS;
	}
	if (sm_command_stops(&r->command, came & ~SM_SIGBIT(SIGCHLD), typed))
		r->stop = true;
}

/* Is a task of the tree gone whose exit event is still to come? */
static bool exit_outstanding(const struct run *r)
{
	const struct sm_proc *p;

	for (size_t i = 0; (p = sm_map_next(&r->procs.map, &i));)
		if ((p->user & FS_USER_TREE) && !(p->flags & SM_TASK_DEAD) &&
			kill(p->pid, 0) < 0 && errno == ESRCH)
			return true;
	return false;
}

/* wait(2) can return before the exit event is sent: the kernel tells the parent first. */
static void settle(struct run *r, uint64_t now_ns)
{
	if (r->command.ended && (now_ns >= r->settle_ns || !exit_outstanding(r)))
		r->stop = true;
}

static void turn(struct run *r)
{
	uint64_t now = sm_mono_ns();
	uint64_t look = source_pace(&r->source, now);
	int err;

	if (r->command.ended)
		look = earliest(look, now + SM_NSEC_PER_MSEC);
	sm_loop_events(&r->loop, r->socket, look == SM_LOOP_FOREVER ? POLLIN : -1);
	err = sm_loop_wait(
		&r->loop, earliest(look, earliest(r->end_ns, rates_next(&r->rates))));
	if (err < 0) {
		set_error(r, "poll", err);
		return;
	}
	now = sm_mono_ns();
	err = drain(r, now);
	if (err < 0)
		set_error(r, "process events", err);
	on_signals(r);
	err = rates_turn(&r->rates, &r->summary, &r->view, now);
	if (err < 0)
		set_error(r, r->opts.prom, err);
	flush(r);
	settle(r, now);
	if (now >= r->end_ns)
		r->stop = true;
}

/* What is lost while the last rows are written is told behind them. */
static bool write_all(struct run *r)
{
	do
		if (!sm_tool_finish(&r->outlet))
			return false;
	while (check_output_loss(r));
	return true;
}

/* What was held back, what came until now, the statistics. */
static void finish(struct run *r)
{
	uint64_t now = sm_mono_ns();
	int err;

	r->stop = r->opts.count && r->view.rows >= r->opts.count;
	r->source.bucket = 0;
	err = r->error ? 0 : drain(r, now);
	if (err < 0)
		set_error(r, "process events", err);
	check_perf_loss(r, now, true);
	/* All rows first: the statistics tell what became of them, and need room. */
	if (!write_all(r))
		return;
	summary_show(&r->summary, &r->view, now);
	err = rates_prom(&r->rates, &r->summary);
	if (err < 0)
		set_error(r, r->opts.prom, err);
	(void)write_all(r);
}

static int exit_code(const struct run *r)
{
	uint64_t lost = summary_lost_total(&r->summary);
	int code;

	if (lost)
		sm_err("%llu events, %llu lost", (unsigned long long)r->summary.received,
			(unsigned long long)lost);
	code = sm_tool_output_code(&r->outlet);
	if (code)
		return code;
	if (r->error) {
		sm_err_at(r->error_what, r->error);
		return SM_EXIT_RUNTIME;
	}
	if (lost && r->opts.strict)
		return SM_EXIT_LOST;
	return sm_command_exit_code(&r->command);
}

int run_work(struct run *r)
{
	int err = sm_command_go(&r->command);

	if (err) {
		sm_err_at("start", err);
		return SM_EXIT_RUNTIME;
	}
	flush(r);
	while (!r->stop)
		turn(r);
	if (!r->outlet.reader_gone)
		finish(r);
	if (r->outlet.reader_gone) {
		raise(SIGPIPE); /* what a write would have done; goes on where it is
				   ignored */
		return SM_EXIT_OK;
	}
	return exit_code(r);
}
