// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits for the start delay, then takes, keeps or discards a sample at each deadline. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "cli/err.h"
#include "power/source_help.h"
#include "run.h"

/* A suspend advances CLOCK_BOOTTIME against CLOCK_MONOTONIC by more than this. */
#define SUSPEND_NS (100 * SM_NSEC_PER_MSEC)
/* The time before COMMAND exits is a last sample, unless it is shorter than this. */
#define SHORTEST_REST_NS SM_NSEC_PER_MSEC
/* Time in which every energy counter advances. */
#define CONFIRM_US 20000
/* Interval at which the queue of events is read, unless the kernel counts them. */
#define EVENTS_GAP_NS (250 * SM_NSEC_PER_MSEC)

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* --- samples ------------------------------------------------------------------------ */

/* Returns why the sample is discarded (enum view_skip), or 0 if it is kept. */
static unsigned int discard_reasons(const struct run *r)
{
	const double *v = r->collect.sample.v;
	unsigned int why = 0;

	if (r->opts.redo_busy && v[V_IDLE] < (double)r->opts.idle_centi_pct / 100)
		why |= VIEW_LOW_IDLE;
	if (r->opts.redo_procs && v[V_FORK] + v[V_EXEC] + v[V_EXIT] > 0)
		why |= VIEW_PROCESSES;
	return why;
}

static void count_sample(struct run *r)
{
	const struct sample *s = &r->collect.sample;

	stats_add(&r->stats, &r->collect.columns, s);
	view_sample(&r->view, s, &r->stats);
	metrics_add(&r->metrics, s);
	if (r->count && r->stats.samples >= r->count)
		r->app.stop = true;
}

static void discard(struct run *r, unsigned int why)
{
	const struct sample *s = &r->collect.sample;

	r->skipped++;
	stats_discard(&r->stats, &r->collect.columns, s);
	metrics_discard(&r->metrics, s);
	view_skipped(&r->view, s, why);
}

static uint64_t wall_ns(void)
{
	return sm_clock_mono_ns() + (uint64_t)sm_clock_wall_offset_ns();
}

static void note(struct run *r, const char *text)
{
	view_note(&r->view, text, wall_ns());
}

/* A discarded value is not in the statistics, so it is not removed from them; the value
 * that replaces it then counts for its own time only. */
static void check_retraction(struct run *r, struct sample *s)
{
	if (s->retracted_j > 0)
		note(r, "An energy counter had a glitch: its last value was wrong and "
			"was removed from the statistics");
	if (s->retracted_j <= 0 || !r->figure_discarded)
		return;
	s->retracted_j = 0;
	s->v[V_JOULES] = s->v[V_WATTS] * (double)s->energy_ns / 1e9;
}

static void sample(struct run *r, uint64_t now)
{
	struct sample *s = &r->collect.sample;
	unsigned int why;
	int err = collect_take(&r->collect, now);

	if (err < 0) {
		sm_app_fail(&r->app, "sample", err);
		return;
	}
	if (r->power.lost) {
		r->app.stop = true;
		return;
	}
	s->partial = s->dt_ns < r->interval_ns / 2;
	if (r->power.restarts != r->restarts_noted)
		note(r, "A battery's level jumped, or the battery was charged or "
			"replaced: its estimate restarts");
	r->restarts_noted = r->power.restarts;
	check_retraction(r, s);
	why = discard_reasons(r);
	if (why)
		discard(r, why);
	else
		count_sample(r);
	if (isfinite(s->v[V_WATTS]) && !s->missing)
		r->figure_discarded = why;
}

static void baseline(struct run *r, uint64_t now)
{
	int err = collect_baseline(&r->collect, now);

	if (err < 0)
		sm_app_fail(&r->app, "sample", err);
	r->boot_offset_ns = sm_clock_boot_offset_ns();
}

/* CLOCK_MONOTONIC stops during a suspend, but energy counters may advance. */
static bool has_slept(struct run *r)
{
	int64_t offset = sm_clock_boot_offset_ns();

	if (offset - r->boot_offset_ns < (int64_t)SUSPEND_NS)
		return false;
	r->boot_offset_ns = offset;
	sm_source_resumed(&r->power);
	return true;
}

static bool was_suspended(struct run *r, uint64_t now)
{
	if (!has_slept(r))
		return false;
	note(r, "Suspended: the measurement restarts");
	baseline(r, now);
	collect_idle_states(&r->collect);
	return true;
}

void run_sample(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;
	uint64_t missed = r->app.ticker.missed - r->missed_seen;
	char text[64];

	r->missed_seen = r->app.ticker.missed;
	if (was_suspended(r, now_ns))
		return;
	r->missed += missed;
	sample(r, now_ns);
	if (!missed)
		return;
	snprintf(text, sizeof(text), "%llu %s missed: woken too late",
		(unsigned long long)missed, missed == 1 ? "sample" : "samples");
	note(r, text);
}

/* --- the start delay ---------------------------------------------------------------- */

static bool nothing_to_measure(const struct run *r)
{
	struct sm_buf text = {0};

	if (r->power.kind != SM_SOURCE_BATTERY ||
		sm_battery_discharging(&r->power.batteries))
		return false;
	sm_source_help_discharge(&r->power.batteries, &text);
	sm_buf_str(&text, ", or see --power");
	sm_err_text(&text);
	return true;
}

static void begin_measuring(struct run *r)
{
	uint64_t now = sm_clock_mono_ns();
	/* The charger may have been unplugged during the delay. */
	int err = r->power.kind == SM_SOURCE_BATTERY ? sm_source_poll(&r->power, now) : 0;

	if (err < 0 && err != -ENODEV)
		sm_app_fail(&r->app, "power source", err);
	if (nothing_to_measure(r)) {
		r->code = SM_EXIT_RUNTIME;
		r->app.stop = true;
		return;
	}
	r->measuring = true;
	baseline(r, now);
	collect_idle_states(&r->collect);
	sm_app_go(&r->app, r->collect.t_ns, r->interval_ns);
	repeat_begin(&r->repeat, &r->stats, sm_clock_mono_ns());
}

/* Ends a piece of the measurement of the idle machine. */
static void end_piece(struct run *r, uint64_t now)
{
	int err = collect_take(&r->collect, now);

	if (err < 0)
		sm_app_fail(&r->app, "sample", err);
	else
		idle_add(&r->idle, &r->collect.sample);
	r->piece_ns = idle_piece_end(&r->idle, now);
}

/* Called when the start delay or the measurement of the idle machine is over. */
static void end_delay(struct run *r)
{
	uint64_t now = sm_clock_mono_ns();

	if (r->opts.idle_ns && !r->idling) {
		r->idling = true;
		baseline(r, now);
		idle_begin(&r->idle, &r->power, now, r->opts.idle_ns);
		r->piece_ns = idle_piece_end(&r->idle, now);
		r->measure_ns = now + r->opts.idle_ns;
		return;
	}
	if (r->idling)
		end_piece(r, now);
	begin_measuring(r);
}

static int start_view(struct run *r, const char *boot_id)
{
	struct view_run what = {.interval_ns = r->interval_ns,
		.start_delay_ns = r->start_delay_ns,
		.count = r->count,
		.power = &r->power,
		.boot_id = boot_id};

	return view_start(&r->view, &r->collect.columns, &what);
}

int run_begin(void *ctx)
{
	struct run *r = ctx;
	char boot_id[SM_BOOT_ID_SIZE];
	int err;

	if (r->events && events_begin(r->events) < 0)
		sm_err("cannot read the names of existing processes");
	sm_root_boot_id(&r->app.root, boot_id);
	err = start_view(r, boot_id);
	if (err)
		return sm_app_refuse("columns", err);
	/* During a requested start delay, the charger may still be unplugged. */
	if (!(r->opts.have_start_delay && r->start_delay_ns) && nothing_to_measure(r))
		return SM_EXIT_RUNTIME;
	r->boot_offset_ns = sm_clock_boot_offset_ns();
	r->measure_ns = sm_clock_mono_ns() + r->start_delay_ns;
	if (!r->start_delay_ns)
		end_delay(r);
	return 0;
}

/* --- between samples ---------------------------------------------------------------- */

/* Returns the maximum time between readings: counters wrap, levels step, queues fill. */
static uint64_t gap_ns(const struct run *r)
{
	uint64_t gap = sm_source_gap_ns(&r->power);

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
	err = sm_source_poll(&r->power, now);
	if (err < 0 && err != -ENODEV)
		sm_app_fail(&r->app, "power source", err);
	if (r->events && events_read(r->events) < 0)
		sm_app_fail(&r->app, "process events", -EIO);
	r->poll_ns = now + gap;
}

/* Returns the time of the next poll; no poll is needed if a sample is due soon enough. */
static uint64_t next_poll(const struct run *r, uint64_t deadline)
{
	uint64_t gap = gap_ns(r);

	if (gap == UINT64_MAX || r->poll_ns >= deadline ||
		(r->measuring && r->interval_ns <= gap))
		return SM_LOOP_FOREVER;
	return r->poll_ns;
}

static uint64_t seconds_left(const struct run *r, uint64_t now_ns)
{
	return now_ns < r->measure_ns
		       ? (r->measure_ns - now_ns + SM_NSEC_PER_SEC - 1) / SM_NSEC_PER_SEC
		       : 0;
}

static void delay(struct run *r, uint64_t now_ns)
{
	uint64_t left = seconds_left(r, now_ns);

	view_countdown(&r->view, left);
	if (!left) {
		end_delay(r);
		return;
	}
	if (has_slept(r) && r->idling) {
		baseline(r, now_ns);
		r->piece_ns = idle_piece_end(&r->idle, now_ns);
	} else if (r->idling && now_ns >= r->piece_ns) {
		end_piece(r, now_ns);
	}
	/* This fills the window of a level before the first sample. */
	poll_source(r, now_ns);
}

uint64_t run_next(void *ctx)
{
	struct run *r = ctx;
	uint64_t deadline = r->app.ticker.next_ns, left;

	if (r->measuring)
		return next_poll(r, deadline);
	left = seconds_left(r, sm_clock_mono_ns());
	deadline = left ? r->measure_ns - (left - 1) * SM_NSEC_PER_SEC : r->measure_ns;
	if (r->idling)
		deadline = earliest(deadline, r->piece_ns);
	return earliest(deadline, next_poll(r, deadline));
}

void run_iterate(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	if (r->opts.proc_log && events_read(r->events) < 0)
		sm_app_fail(&r->app, "process events", -EIO);
	if (!r->measuring)
		delay(r, now_ns);
	else if (now_ns < r->app.ticker.next_ns)
		poll_source(r, now_ns);
}

/* --- the end ------------------------------------------------------------------------ */

/* Takes the last sample.  The energy of a reading in doubt would not be counted, so one
 * more reading confirms or refutes it. */
static void last_sample(struct run *r, uint64_t now)
{
	sample(r, now);
	if (!sm_source_doubts(&r->power) || r->app.error)
		return;
	(void)usleep(CONFIRM_US);
	sample(r, sm_clock_mono_ns());
}

/* Reports the run that ended and starts the next one; false: it was the last run. */
static bool run_again(struct run *r, uint64_t now)
{
	int status = sm_child_exit_code(&r->app.child);
	double idle_w = r->idle.of_ns ? r->idle.watts : NAN;

	repeat_end(&r->repeat, &r->stats, idle_w, status, now);
	view_repeat(&r->view, &r->repeat.run, wall_ns());
	if (status || r->app.stop)
		return false;
	now = sm_clock_mono_ns();
	repeat_begin(&r->repeat, &r->stats, now);
	r->missed_seen = 0;
	return sm_app_again(&r->app, now);
}

/* Returns whether to take a last sample, which each run of --repeat has. */
static bool has_rest(const struct run *r, uint64_t now)
{
	return r->measuring && !r->app.error &&
	       (r->opts.repeat || now - r->collect.t_ns >= SHORTEST_REST_NS);
}

void run_child_ended(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;
	uint64_t now = sm_clock_mono_ns();

	(void)now_ns;
	if (has_rest(r, now))
		last_sample(r, now);
	if (!r->measuring || !r->opts.repeat || !run_again(r, now))
		r->app.stop = true;
}

/* COMMAND that has ended already has its last sample. */
static void last_of_interval(struct run *r)
{
	uint64_t now = sm_clock_mono_ns();

	if (!r->app.child.ended && !r->power.lost && has_rest(r, now) &&
		sm_app_rest_is_shown(&r->app, now - r->collect.t_ns, r->interval_ns))
		last_sample(r, now);
}

/* Erases a countdown that was ended by a signal. */
void run_last(void *ctx)
{
	struct run *r = ctx;

	if (r->measuring)
		last_of_interval(r);
	else
		view_countdown(&r->view, 0);
}

static void show_log(struct run *r)
{
	struct sm_buf log = {0};

	events_print_log(r->events, &log);
	view_text(&r->view, &log);
	sm_buf_fini(&log);
}

void run_summary(void *ctx)
{
	struct run *r = ctx;
	struct summary s = {.opts = &r->opts,
		.columns = &r->collect.columns,
		.stats = &r->stats,
		.power = r->power.kind == SM_SOURCE_NONE ? NULL : &r->power,
		.idle = r->collect.have_idle ? &r->collect.idle : NULL,
		.freq_unread = r->collect.freq_unread,
		.idle_power = r->idle,
		.repeat = r->opts.repeat ? &r->repeat : NULL,
		.command = r->app.child.pid != 0,
		.missed = r->missed,
		.skipped = r->skipped,
		.lost_rows = sm_outputs_dropped(&r->app.outputs)};

	if (!r->measuring)
		return;
	collect_idle_states(&r->collect);
	stats_end(&r->stats);
	if (r->opts.proc_log)
		(void)!events_read(r->events);
	s.log_missing = events_log_missing(r->events);
	r->no_figure = summary_no_figure(&s);
	view_end(&r->view, &s, wall_ns());
	if (r->opts.proc_log)
		show_log(r);
}
