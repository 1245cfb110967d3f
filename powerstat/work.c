// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop: the start delay, then a sample at each deadline, and whether it counts. */
#include <errno.h>
#include <math.h>
#include <signal.h>

#include "err.h"
#include "run.h"
#include "tool.h"

/* A growth of CLOCK_BOOTTIME over CLOCK_MONOTONIC that is a suspend. */
#define SUSPEND_NS (100 * SM_NSEC_PER_MSEC)
/* The end of COMMAND is a sample, too, if it is not this short. */
#define SHORTEST_REST_NS SM_NSEC_PER_MSEC
/* Where the kernel does not count events itself, its queue is emptied so often. */
#define EVENTS_GAP_NS (250 * SM_NSEC_PER_MSEC)

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void set_error(struct run *r, const char *what, int err)
{
	if (!r->error) {
		r->error = err;
		r->error_what = what;
	}
	r->stop = true;
}

/* --- samples ------------------------------------------------------------------------ */

/* Why it does not count; 0: it does. */
static unsigned int discard_reasons(const struct run *r)
{
	const double *v = r->collect.sample.v;
	unsigned int why = 0;

	if (r->opts.redo_busy && v[PS_IDLE] < (double)r->opts.idle_centi_pct / 100)
		why |= VIEW_LOW_IDLE;
	if (r->opts.redo_procs && v[PS_FORK] + v[PS_EXEC] + v[PS_EXIT] > 0)
		why |= VIEW_PROCESSES;
	return why;
}

static void count_sample(struct run *r)
{
	const struct ps_sample *s = &r->collect.sample;
	int err;

	ps_stats_add(&r->stats, &r->collect.table, s);
	view_sample(&r->view, s, &r->stats);
	metrics_add(&r->metrics, s);
	err = metrics_commit(&r->metrics, r->missed, r->skipped,
		sm_faces_dropped(&r->view.faces), false);
	if (err < 0)
		set_error(r, r->opts.prom, err);
	if (r->count && r->stats.samples >= r->count)
		r->stop = true;
}

static void note(struct run *r, const char *text)
{
	view_note(&r->view, text, sm_mono_ns() + (uint64_t)sm_clock_wall_offset_ns());
}

static void sample(struct run *r, uint64_t now)
{
	unsigned int why;
	int err = collect_take(&r->collect, now);

	if (err < 0) {
		set_error(r, "sample", err);
		return;
	}
	if (r->power.lost) {
		r->stop = true;
		return;
	}
	if (r->power.restarts != r->restarts_told)
		note(r, "A battery's level jumped, or it was charged or changed: "
			"its estimate begins anew");
	r->restarts_told = r->power.restarts;
	why = discard_reasons(r);
	if (why) {
		r->skipped++;
		r->stats.events_lost += r->collect.sample.events_lost;
		view_skipped(&r->view, &r->collect.sample, why);
		return;
	}
	count_sample(r);
}

static void baseline(struct run *r, uint64_t now)
{
	int err = collect_baseline(&r->collect, now);

	if (err < 0)
		set_error(r, "sample", err);
	r->boot_offset_ns = sm_clock_boot_offset_ns();
}

/* The counters ran on while the machine slept, our clock did not. */
static bool has_slept(struct run *r)
{
	int64_t offset = sm_clock_boot_offset_ns();

	if (offset - r->boot_offset_ns < (int64_t)SUSPEND_NS)
		return false;
	r->boot_offset_ns = offset;
	power_resumed(&r->power);
	return true;
}

static bool was_suspended(struct run *r, uint64_t now)
{
	if (!has_slept(r))
		return false;
	note(r, "Suspended: measuring begins anew");
	baseline(r, now);
	collect_idle_states(&r->collect);
	return true;
}

static void on_deadline(struct run *r, uint64_t now)
{
	uint64_t missed = r->ticker.missed;
	char text[64];

	if (!sm_ticker_due(&r->ticker, now))
		return;
	if (was_suspended(r, now))
		return;
	missed = r->ticker.missed - missed;
	r->missed += missed;
	sample(r, now);
	if (!missed)
		return;
	snprintf(text, sizeof(text), "Missed %llu samples: woken too late",
		(unsigned long long)missed);
	note(r, text);
}

/* --- the start delay ---------------------------------------------------------------- */

static bool nothing_to_measure(const struct run *r)
{
	if (r->power.source != PS_BATTERY || sm_battery_discharging(&r->power.batteries))
		return false;
	sm_err("no battery is discharging; unplug the mains, or see --power");
	return true;
}

static int begin_measuring(struct run *r)
{
	uint64_t now = sm_mono_ns();
	/* The charger may just have been pulled. */
	int err = r->power.source == PS_BATTERY ? power_poll(&r->power, now) : 0;

	if (err < 0 && err != -ENODEV)
		set_error(r, "power source", err);
	if (nothing_to_measure(r))
		return SM_EXIT_RUNTIME;
	r->measuring = true;
	baseline(r, now);
	collect_idle_states(&r->collect);
	err = sm_command_go(&r->command);
	if (err < 0)
		set_error(r, "start of the command", err);
	now = r->collect.t_ns;
	sm_ticker_start(&r->ticker, now, r->interval_ns);
	r->end_ns = r->opts.duration_ns ? now + r->opts.duration_ns : SM_LOOP_FOREVER;
	return 0;
}

/* --- the loop ----------------------------------------------------------------------- */

static void on_signals(struct run *r)
{
	uint64_t typed, came = sm_loop_take(&r->loop, &typed);

	if (came & SM_SIGBIT(SIGWINCH))
		view_resized(&r->view);
	if (came & SM_SIGBIT(SIGCHLD)) {
		sm_command_reap(&r->command);
		r->ended = r->command.ended;
	}
	came &= ~(SM_SIGBIT(SIGCHLD) | SM_SIGBIT(SIGWINCH));
	if (r->ended || sm_command_stops(&r->command, came, typed))
		r->stop = true;
}

static void flush(struct run *r)
{
	if (!sm_outlet_flush(&r->outlet))
		r->stop = true;
}

/* How long what is read may be left alone: counters wrap, gauges step, queues fill. */
static uint64_t gap_ns(const struct run *r)
{
	uint64_t gap = power_gap_ns(&r->power);

	if (r->events && !r->opts.proc_log && events_fd(r->events) >= 0)
		gap = earliest(gap, EVENTS_GAP_NS);
	return gap;
}

static void poll_source(struct run *r, uint64_t now)
{
	uint64_t gap = gap_ns(r);
	int err;

	if (gap == UINT64_MAX || now < r->poll_ns)
		return;
	err = power_poll(&r->power, now);
	if (err < 0 && err != -ENODEV)
		set_error(r, "power source", err);
	if (r->events && events_read(r->events) < 0)
		set_error(r, "process events", -EIO);
	r->poll_ns = now + gap;
}

/* A poll is not worth a wake-up when a sample comes soon. */
static uint64_t next_poll(const struct run *r, uint64_t deadline)
{
	uint64_t gap = gap_ns(r);

	if (gap == UINT64_MAX || r->poll_ns >= deadline ||
		(r->measuring && r->interval_ns <= gap))
		return SM_LOOP_FOREVER;
	return r->poll_ns;
}

static bool wait(struct run *r, uint64_t deadline)
{
	int err = sm_loop_wait(&r->loop, earliest(deadline, next_poll(r, deadline)));

	if (err < 0)
		set_error(r, "poll", err);
	on_signals(r);
	if (r->opts.proc_log && events_read(r->events) < 0)
		set_error(r, "process events", -EIO);
	return !r->stop;
}

/* 0, or an exit code: the measuring cannot begin. */
static int start_delay(struct run *r)
{
	uint64_t start = sm_mono_ns(), end = start + r->start_delay_ns, now = start;

	r->boot_offset_ns = sm_clock_boot_offset_ns();
	while (!r->stop && now < end) {
		uint64_t left = (end - now + SM_NSEC_PER_SEC - 1) / SM_NSEC_PER_SEC;

		view_countdown(&r->view, left);
		flush(r);
		(void)has_slept(r);
		/* The window of a level fills before the first sample. */
		poll_source(r, now);
		if (!wait(r, earliest(end, end - (left - 1) * SM_NSEC_PER_SEC)))
			break;
		now = sm_mono_ns();
	}
	view_countdown(&r->view, 0);
	flush(r);
	return r->stop ? 0 : begin_measuring(r);
}

static void turn(struct run *r)
{
	uint64_t now;

	if (wait(r, earliest(r->ticker.next_ns, r->end_ns))) {
		now = sm_mono_ns();
		if (now < r->ticker.next_ns)
			poll_source(r, now);
		on_deadline(r, now);
		if (now >= r->end_ns)
			r->stop = true;
	}
	flush(r);
}

/* --- the end ------------------------------------------------------------------------ */

static void show_end(struct run *r)
{
	struct summary s = {.opts = &r->opts,
		.table = &r->collect.table,
		.stats = &r->stats,
		.power = r->power.source == PS_NONE ? NULL : &r->power,
		.idle = r->collect.have_idle ? &r->collect.idle : NULL,
		.command = r->command.pid != 0,
		.missed = r->missed,
		.skipped = r->skipped,
		.lost_rows = sm_faces_dropped(&r->view.faces)};
	struct sm_buf log = {0};

	collect_idle_states(&r->collect);
	view_end(&r->view, &s, sm_mono_ns() + (uint64_t)sm_clock_wall_offset_ns());
	if (r->opts.proc_log) {
		(void)!events_read(r->events);
		events_print_log(r->events, &log);
		view_text(&r->view, &log);
		sm_buf_fini(&log);
	}
}

static void finish(struct run *r)
{
	uint64_t now = sm_mono_ns();
	int err;

	/* COMMAND's last moments. */
	if (r->measuring && r->ended && !r->error &&
		now - r->collect.t_ns >= SHORTEST_REST_NS)
		sample(r, now);
	if (!r->outlet.reader_gone && sm_tool_finish(&r->outlet) && r->measuring) {
		show_end(r);
		(void)!sm_tool_finish(&r->outlet);
	}
	err = metrics_commit(&r->metrics, r->missed, r->skipped,
		sm_faces_dropped(&r->view.faces), true);
	if (err < 0)
		set_error(r, r->opts.prom, err);
}

static int exit_code(struct run *r)
{
	uint64_t lost = sm_faces_dropped(&r->view.faces);
	int code;

	if (lost)
		sm_err("%llu rows were lost to a slow reader", (unsigned long long)lost);
	code = sm_tool_output_code(&r->outlet);
	if (code)
		return code;
	if (r->error) {
		sm_err_at(r->error_what, r->error);
		return SM_EXIT_RUNTIME;
	}
	if (r->power.lost) {
		sm_err("%s", r->power.lost_why);
		return r->stats.samples ? PS_EXIT_SOURCE_LOST : SM_EXIT_RUNTIME;
	}
	if ((lost || r->stats.events_lost) && r->opts.strict)
		return SM_EXIT_LOST;
	return sm_command_exit_code(&r->command);
}

int run_work(struct run *r)
{
	int code;

	flush(r);
	/* Asked to wait: it may be unplugged until then. */
	if (!(r->opts.have_start_delay && r->start_delay_ns) && nothing_to_measure(r))
		return SM_EXIT_RUNTIME;
	code = start_delay(r);
	if (code)
		return code;
	while (!r->stop)
		turn(r);
	finish(r);
	if (r->outlet.reader_gone) {
		raise(SIGPIPE); /* what a write would have done; goes on where it is
				   ignored */
		return SM_EXIT_OK;
	}
	return exit_code(r);
}
