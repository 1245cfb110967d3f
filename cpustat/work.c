// SPDX-License-Identifier: GPL-2.0-or-later
/* The loop: a sample at each deadline, and what signals and keys ask for. */
#include <signal.h>
#include <sys/wait.h>

#include "err.h"
#include "run.h"
#include "tool.h"

/* A rest shorter than this is not worth a sample of its own. */
#define SHORTEST_REST_NS SM_NSEC_PER_MSEC
/* The early look, in intervals that are so much longer that it is worth it. */
#define EARLY_NS    (20 * SM_NSEC_PER_MSEC)
#define EARLY_PARTS 5

static uint64_t earliest(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t step_ns(const struct run *r)
{
	uint64_t n = r->opts.subsamples > 1 ? r->opts.subsamples : 1;

	return r->opts.interval_ns / n;
}

/* --- signals ------------------------------------------------------------------------ */

/* COMMAND stays a zombie until its last sample has been taken; its orphans do not. */
static void look_at_children(struct run *r)
{
	siginfo_t si;

	for (;;) {
		si.si_pid = 0;
		if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || !si.si_pid)
			return;
		if (si.si_pid == r->command.pid) {
			r->ended = r->stop = true;
			return;
		}
		(void)waitpid(si.si_pid, NULL, WNOHANG);
	}
}

static void on_signals(struct run *r)
{
	uint64_t typed, came = sm_loop_take(&r->loop, &typed);

	if (came & SM_SIGBIT(SIGCHLD) && r->command.pid)
		look_at_children(r);
	if (came & SM_SIGBIT(SIGWINCH)) {
		view_resized(&r->view);
		if (r->screen) {
			screen_resized(r->screen);
			screen_draw(r->screen);
		}
	}
	came &= ~(SM_SIGBIT(SIGCHLD) | SM_SIGBIT(SIGWINCH));
	if (!r->ended && sm_command_stops(&r->command, came, typed))
		r->stop = true;
}

/* --- keys --------------------------------------------------------------------------- */

static void sample(struct run *r, bool last)
{
	if (run_sample(r, last) < 0)
		r->stop = true;
}

static void on_keys(struct run *r)
{
	uint64_t interval = r->opts.interval_ns, now = sm_mono_ns();

	switch (screen_keys(r->screen)) {
	case SCREEN_QUIT:
		r->stop = true;
		break;
	case SCREEN_SAMPLE:
		r->asked = true;
		sample(r, false);
		r->asked = false;
		sm_ticker_start(&r->ticker, now, step_ns(r));
		break;
	case SCREEN_REARRANGE:
		run_rearrange(r);
		break;
	case SCREEN_REDRAW:
		screen_draw(r->screen);
		break;
	case SCREEN_NOTHING:
		break;
	}
	if (interval != r->opts.interval_ns)
		sm_ticker_start(&r->ticker, now, step_ns(r));
}

/* --- the loop ----------------------------------------------------------------------- */

static void flush(struct run *r)
{
	if (!sm_outlet_flush(&r->outlet))
		r->stop = true;
}

/* Whom -p named has gone. */
static bool nobody_left(const struct run *r)
{
	return r->sampler.live.fixed && r->sampler.live.n == 0;
}

static void turn(struct run *r)
{
	uint64_t next = earliest(r->ticker.next_ns, r->end_ns);
	int err = sm_loop_wait(&r->loop, earliest(next, r->early_ns));
	uint64_t now = sm_mono_ns();

	if (err < 0) {
		r->error = err;
		r->error_what = "poll";
		r->stop = true;
		return;
	}
	if (now >= r->early_ns) {
		sampler_early(&r->sampler);
		r->early_ns = SM_LOOP_FOREVER;
	}
	on_signals(r);
	if (r->screen && !r->stop)
		on_keys(r);
	if (!r->stop && sm_ticker_due(&r->ticker, now)) {
		sample(r, false);
		if (nobody_left(r))
			r->stop = true;
	}
	if (r->opts.count && r->intervals >= r->opts.count)
		r->stop = r->complete = true;
	if (now >= r->end_ns)
		r->stop = true;
	flush(r);
}

/* The rest of the interval counts, too. */
static void last_sample(struct run *r)
{
	uint64_t since = sm_mono_ns() - r->sampled_ns;

	if (r->complete || r->error || (since < SHORTEST_REST_NS && !r->ended))
		return;
	sample(r, true);
}

static void finish(struct run *r)
{
	if (r->screen) {
		screen_close(r->screen);
		r->screen = NULL;
	}
	last_sample(r);
	if (r->command.pid)
		sm_command_reap(&r->command);
	/* All rows first: the summary needs room. */
	if (!r->outlet.reader_gone && sm_tool_finish(&r->outlet)) {
		run_summary(r);
		(void)!sm_tool_finish(&r->outlet);
	}
	run_files(r);
}

static int exit_code(const struct run *r)
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
	if (lost && r->opts.strict)
		return SM_EXIT_LOST;
	return sm_command_exit_code(&r->command);
}

static int begin(struct run *r)
{
	int err = 0;

	if (r->screen)
		err = sm_loop_add(&r->loop, screen_key_fd(r->screen), POLLIN, NULL, NULL);
	if (err >= 0)
		err = run_sample(r, false);
	if (!err)
		err = sm_command_go(&r->command);
	if (err < 0) {
		sm_err_at("start", err);
		return SM_EXIT_RUNTIME;
	}
	sm_ticker_start(&r->ticker, r->sampled_ns, step_ns(r));
	r->end_ns = r->opts.duration_ns ? r->sampled_ns + r->opts.duration_ns
					: SM_LOOP_FOREVER;
	r->early_ns = step_ns(r) >= EARLY_PARTS * EARLY_NS ? r->sampled_ns + EARLY_NS
							   : SM_LOOP_FOREVER;
	flush(r);
	return 0;
}

int run_work(struct run *r)
{
	int code = begin(r);

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
