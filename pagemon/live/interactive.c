// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "cli/err.h"
#include "requests.h"
#include "frame.h"
#include "interactive.h"
#include "screen/map.h"

#define EXEC_POLL_NS SM_NSEC_PER_MSEC /* until COMMAND has executed its program */
#define FILL_POLL_NS SM_NSEC_PER_MSEC

/* --- the start ------------------------------------------------------------------ */

static struct screen_settings settings(const struct run *r)
{
	const struct opts *o = &r->opts;

	return (struct screen_settings){.zoom = o->zoom ? o->zoom : 1,
		.auto_zoom = o->auto_zoom,
		.fold = o->fold || o->auto_zoom,
		.vm = o->vm,
		.no_hex = o->no_hex,
		.dirty = o->dirty || o->ticks,
		.ticks = (unsigned int)(o->ticks ? o->ticks : OPTS_TICKS),
		.interval_ns = (o->delay_us ? o->delay_us : OPTS_DELAY_US) * 1000};
}

static int make_parts(struct interactive *w)
{
	int err = cells_init(&w->cells);

	vmfacts_init(&w->vm);
	faults_init(&w->faults);
	if (!err)
		err = census_init(&w->census);
	return err ? err : seek_init(&w->seek);
}

static void on_exit_of_process(void *ctx, short revents)
{
	struct run *r = ctx;

	(void)revents;
	r->screen->check = true;
}

/* Returns whether a reply of the opener changes the screen at once.  Counts of the perf
 * window are shown by the next refresh if that is soon. */
static bool wants_reply(const struct interactive *w)
{
	return w->proc->target.asked || faults_opening(&w->faults) ||
	       w->screen->set.interval_ns > VM_RATE_NS;
}

/* The opener has returned files or counts, or has ended. */
static void on_opener(void *ctx, short revents)
{
	struct run *r = ctx;
	struct interactive *w = r->screen;
	bool shown = wants_reply(w);

	(void)revents;
	if (!run_hear_opener(r)) {
		shown = true;
		(void)screen_say(w->screen, OPENER_LOST);
	}
	w->check |= shown;
	w->keyed |= shown;
}

static void on_keys(void *ctx, short revents)
{
	struct run *r = ctx;

	(void)revents;
	r->screen->keys = true;
}

static int watch(struct run *r)
{
	const struct interactive *w = r->screen;
	int fd = w->proc->target.pid_fd;
	int err =
		sm_loop_add(&r->app.loop, w->screen->base.tui.key_fd, POLLIN, on_keys, r);

	if (err >= 0 && fd >= 0)
		err = sm_loop_add(&r->app.loop, fd, POLLIN, on_exit_of_process, r);
	return err < 0 ? err : run_watch_opener(r, on_opener);
}

int interactive_open(
	const struct run *r, struct screen **screen, const struct screen_settings *set)
{
	const char *why = "the screen cannot be opened";

	if (screen_open(screen, set, r->opts.app.color, &why) == 0)
		return 0;
	sm_err("%s; use -b to print rows", why);
	return SM_EXIT_RUNTIME;
}

int interactive_begin(struct run *r)
{
	const struct screen_settings set = settings(r);
	struct interactive *w = calloc(1, sizeof(*w));
	uint64_t now_ns = sm_clock_mono_ns();
	int code, err;

	if (!w)
		return sm_app_refuse("start", -ENOMEM);
	r->screen = w;
	w->proc = &r->procs[0];
	err = make_parts(w);
	if (err)
		return sm_app_refuse("start", err);
	code = interactive_open(r, &w->screen, &set);
	if (code)
		return code;
	err = watch(r);
	if (err)
		return sm_app_refuse("start", err);
	w->in = (struct screen_input){.target = &w->proc->target,
		.twins = r->twins,
		.populated = &w->census.populated,
		.cells = &w->cells,
		.census = &w->census,
		.dirty_known = r->dirty_known};
	w->refresh_ns = now_ns;
	requests_dirty(r);
	budget_init(&w->budget, now_ns);
	sm_app_go(&r->app, now_ns, 0);
	return 0;
}

/* --- the process ends, or executes another program ------------------------------ */

static void new_program(struct run *r)
{
	struct interactive *w = r->screen;
	int err = run_attach(r, w->proc);

	if (err) {
		sm_app_fail(&r->app, "--method=scan", err);
		return;
	}
	if (r->series.starting) {
		r->series.starting = false;
		return;
	}
	frame_restart(r);
	(void)screen_say(w->screen, "process %d has executed another program",
		(int)w->proc->target.pid);
}

static void check(struct run *r)
{
	struct interactive *w = r->screen;
	enum target_state state = target_check(&w->proc->target);

	w->check = false;
	if (state != TARGET_ALIVE)
		requests_end(w);
	w->keyed |= state == TARGET_WAITING;
	if (target_over(state))
		r->app.stop = true;
	else if (state == TARGET_EXECED)
		new_program(r);
	else if (state == TARGET_ALIVE)
		requests_opened(r);
}

/* --- the loop ------------------------------------------------------------------- */

uint64_t interactive_next(const struct run *r)
{
	const struct interactive *w = r->screen;
	uint64_t next_ns = w->refresh_ns;

	if (r->series.starting)
		return sm_clock_mono_ns() + EXEC_POLL_NS;
	if (w->seek.active || w->check)
		return 0;
	if (w->filling)
		return sm_clock_mono_ns() + FILL_POLL_NS;
	if (frame_walking(w) && budget_next_ns(&w->budget) < next_ns)
		next_ns = budget_next_ns(&w->budget);
	return next_ns;
}

/* Returns whether a refresh is due.  After a stop, or if the machine is too slow,
 * refreshes are skipped. */
static bool is_due(struct interactive *w, uint64_t now_ns)
{
	uint64_t interval_ns = w->screen->set.interval_ns;

	if (now_ns < w->refresh_ns)
		return false;
	w->refresh_ns += interval_ns;
	if (w->refresh_ns <= now_ns)
		w->refresh_ns = now_ns + interval_ns;
	return true;
}

static void take_keys(struct run *r)
{
	struct interactive *w = r->screen;
	enum sm_screen_request request = sm_screen_keys(&w->screen->base);

	w->keys = false;
	if (request == SM_SCREEN_QUIT)
		r->app.stop = true;
	w->keyed |= request != SM_SCREEN_NOTHING;
	requests_take(r);
}

void interactive_iterate(struct run *r, uint64_t now_ns)
{
	struct interactive *w = r->screen;
	bool due;

	if (w->keys)
		take_keys(r);
	if (w->check || r->series.starting)
		check(r);
	if (r->app.stop || r->series.starting)
		return;
	requests_step(r);
	due = is_due(w, now_ns);
	/* The check also notices an exit, which a pidfd would report. */
	w->check |= due && live_waits(w);
	if (due || w->keyed || (frame_walking(w) && now_ns >= budget_next_ns(&w->budget)))
		frame_show(r, now_ns, due);
}

void interactive_resized(struct run *r)
{
	if (!r->screen || !r->screen->screen)
		return;
	sm_tui_resized(&r->screen->screen->base.tui);
	r->screen->keyed = true;
}

/* --- the end -------------------------------------------------------------------- */

void interactive_end(struct run *r)
{
	struct interactive *w = r->screen;

	if (!w || !w->screen)
		return;
	if (target_over(w->proc->target.state) && w->screen->want.cells)
		map_text(w->screen, &w->last);
	screen_close(w->screen);
	w->screen = NULL;
	if (!sm_buf_error(&w->last) && r->app.outputs.n)
		sm_table_text(&r->app.outputs.out[0], &w->last, 0);
	if (target_over(w->proc->target.state) && !r->app.child.pid)
		run_explain(&w->proc->target);
}

void interactive_close(struct run *r)
{
	struct interactive *w = r->screen;

	if (!w)
		return;
	screen_close(w->screen);
	requests_end(w);
	cells_fini(&w->cells);
	census_fini(&w->census);
	vmfacts_fini(&w->vm);
	seek_fini(&w->seek);
	sm_buf_fini(&w->last);
	free(w);
	r->screen = NULL;
}
