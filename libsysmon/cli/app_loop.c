// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/app_loop.h"
#include "cli/app_rows.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "cli/realtime.h"
#include "cli/start.h"

void sm_app_fail(struct sm_app *a, const char *what, int err)
{
	if (!a->error) {
		a->error = err;
		a->error_what = what;
	}
	a->stop = true;
}

/* --- --prom ------------------------------------------------------------------------- */

#define PROM_SHORTEST_NS SM_NSEC_PER_SEC
#define PROM_DEFAULT_NS	 (15 * SM_NSEC_PER_SEC) /* the usual interval of a scrape */

static uint64_t prom_interval(const struct sm_app_opts *o)
{
	if (!o->interval_ns)
		return PROM_DEFAULT_NS;
	return o->interval_ns > PROM_SHORTEST_NS ? o->interval_ns : PROM_SHORTEST_NS;
}

static int commit_prom(void *ctx)
{
	return sm_prom_commit(ctx);
}

/* A tool that has not dropped its privileges writes with the permissions of the calling
 * user.  The file is written right after a sample, or in a turn of the loop. */
static int write_prom(struct sm_app *a)
{
	a->prom.sampled_ns = sm_clock_ns(CLOCK_REALTIME);
	a->tool->metrics(a->ctx, &a->prom);
	return a->tool->keeps_privileges ? sm_priv_as_invoker(commit_prom, &a->prom)
					 : sm_prom_commit(&a->prom);
}

int sm_app_prom_begin(struct sm_app *a)
{
	if (!a->opts->prom || !a->tool->metrics)
		return 0;
	sm_ticker_start(&a->prom_ticker, sm_clock_mono_ns(), prom_interval(a->opts));
	sm_prom_init(
		&a->prom, a->opts->prom, a->tool->spec()->tool, a->tool->spec()->version);
	return write_prom(a);
}

/* A failure is reported once and makes the exit code 1. */
static void prom_again(struct sm_app *a)
{
	int err = a->prom.path ? write_prom(a) : 0;

	if (!err || a->prom_failed)
		return;
	sm_err_at(a->opts->prom, err);
	sm_err("the run continues; each update tries to write the file again");
	a->prom_failed = true;
}

void sm_app_prom_end(struct sm_app *a)
{
	sm_prom_end(&a->prom);
	prom_again(a);
}

/* --- what tools call ---------------------------------------------------------------- */

void sm_app_go(struct sm_app *a, uint64_t now_ns, uint64_t interval_ns)
{
	int err = sm_child_go(&a->child);

	if (err < 0)
		sm_app_fail(a, "cannot start the command", err);
	a->ticking = interval_ns != 0;
	a->sampled_ns = now_ns;
	if (a->ticking)
		sm_ticker_start(&a->ticker, now_ns, interval_ns);
	sm_ticker_start(&a->prom_ticker, now_ns, prom_interval(a->opts));
	if (a->opts->duration_ns)
		a->end_ns = now_ns + a->opts->duration_ns;
}

#define SHORTEST_REST_NS SM_NSEC_PER_MSEC

bool sm_app_rest_counts(const struct sm_app *a, uint64_t sampled_ns)
{
	return !a->error &&
	       (a->child.ended || sm_clock_mono_ns() - sampled_ns >= SHORTEST_REST_NS);
}

bool sm_app_rest_is_shown(const struct sm_app *a, uint64_t rest_ns, uint64_t interval_ns)
{
	return a->child.ended || rest_ns >= interval_ns / 2;
}

bool sm_app_again(struct sm_app *a, uint64_t now_ns)
{
	int err;

	if (!a->nlater || a->child.typed)
		return false;
	a->child = a->later[--a->nlater];
	err = sm_child_go(&a->child);
	if (err < 0)
		sm_app_fail(a, "cannot start the command", err);
	sm_ticker_start(&a->ticker, now_ns, a->ticker.interval_ns);
	return !err;
}

/* --- signals ------------------------------------------------------------------------ */

static void on_child(struct sm_app *a, uint64_t now_ns)
{
	bool before = a->child.ended;

	if (a->tool->reaps_children)
		return;
	sm_child_look(&a->child, a->tool->keeps_command);
	if (before || !a->child.ended)
		return;
	if (a->tool->child_ended)
		a->tool->child_ended(a->ctx, now_ns);
	else
		a->stop = true;
}

static void end_run(struct sm_app *a, int signal, uint64_t now_ns)
{
	if (!a->stopped_by)
		a->stopped_by = signal;
	if (a->tool->stopping)
		a->tool->stopping(a->ctx, signal, now_ns);
	else
		a->stop = true;
}

static void resized(struct sm_app *a)
{
	if (a->tool->resized)
		a->tool->resized(a->ctx);
	else if (a->tool->records)
		sm_app_rows_resized(a);
}

static void on_signals(struct sm_app *a, uint64_t now_ns)
{
	uint64_t typed, signals = sm_loop_take(&a->loop, &typed);

	if (signals & SM_SIGBIT(SIGWINCH))
		resized(a);
	if (signals & SM_SIGBIT(SIGCHLD))
		on_child(a, now_ns);
	if (signals & SM_SIGBIT(SIGUSR1) && a->tool->interim) {
		a->tool->interim(a->ctx);
		signals &= ~SM_SIGBIT(SIGUSR1);
	}
	signals &= ~(SM_SIGBIT(SIGCHLD) | SM_SIGBIT(SIGWINCH));
	if (sm_child_stops(&a->child, signals, typed))
		end_run(a, __builtin_ctzll(signals) + 1, now_ns);
}

/* --- the loop ----------------------------------------------------------------------- */

/* A row about refused rows is shown once there is room again; earlier it would be
 * refused.  If that row is refused too, no event is lost with it. */
static bool show_rows_lost(struct sm_app *a)
{
	uint64_t lost = sm_outputs_dropped(&a->outputs) - a->rows_lost;

	if (!lost || !a->tool->rows_lost)
		return false;
	a->tool->rows_lost(a->ctx, lost);
	a->rows_lost = sm_outputs_dropped(&a->outputs);
	return true;
}

static void report_full(struct sm_app *a)
{
	a->full_said = true;
	for (unsigned int i = 0; i < a->outputs.n; i++)
		if (a->outputs.sink[i].full)
			sm_err_at(a->outputs.name[i], a->outputs.sink[i].full);
	sm_err("the run continues; rows are queued until the disk has room");
}

static void flush(struct sm_app *a)
{
	bool open = sm_writers_flush(&a->writers);

	if (a->writers.retry_ns != SM_LOOP_FOREVER && !a->full_said)
		report_full(a);
	if (open && sm_writers_empty(&a->writers) && show_rows_lost(a))
		open = sm_writers_flush(&a->writers);
	if (!open)
		end_run(a, 0, sm_clock_mono_ns());
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t deadline(const struct sm_app *a)
{
	uint64_t t = earlier(a->end_ns, a->writers.retry_ns);

	if (a->ticking)
		t = earlier(t, a->ticker.next_ns);
	else if (a->prom.path)
		t = earlier(t, a->prom_ticker.next_ns);
	return a->tool->next ? earlier(t, a->tool->next(a->ctx)) : t;
}

static void check_realtime(struct sm_app *a)
{
	if (a->demoted || !sm_realtime_tripped())
		return;
	a->demoted = true;
	sm_err("real-time scheduling ended: %u ms of CPU time without a pause; "
	       "continuing with normal scheduling",
		SM_REALTIME_GUARD_US / 1000);
}

/* A tool with samples wakes up for these only. */
static void sample(struct sm_app *a, uint64_t now_ns)
{
	if (a->ticking) {
		if (!sm_ticker_due(&a->ticker, now_ns))
			return;
		a->tool->sample(a->ctx, now_ns);
	}
	if (a->prom.path && sm_ticker_due(&a->prom_ticker, now_ns))
		prom_again(a);
}

static void iterate(struct sm_app *a)
{
	int err = sm_loop_wait(&a->loop, deadline(a));
	uint64_t now = sm_clock_mono_ns();

	if (err < 0) {
		sm_app_fail(a, "cannot wait for events", err);
		return;
	}
	check_realtime(a);
	if (a->tool->iterate)
		a->tool->iterate(a->ctx, now);
	on_signals(a, now);
	if (!a->stop)
		sample(a, now);
	if (now >= a->end_ns)
		a->stop = true;
	flush(a);
}

/* --- the end ------------------------------------------------------------------------ */

static bool write_all(struct sm_app *a)
{
	do
		if (!sm_start_finish(&a->writers))
			return false;
	while (show_rows_lost(a));
	return true;
}

static void sample_rest(struct sm_app *a)
{
	uint64_t now = sm_clock_mono_ns();
	bool complete = a->opts->count && a->rows >= a->opts->count;

	if (!complete && sm_app_rest_counts(a, a->sampled_ns) &&
		sm_app_rest_is_shown(a, now - a->sampled_ns, a->ticker.interval_ns))
		a->tool->sample(a->ctx, now);
}

static void finish(struct sm_app *a)
{
	if (a->tool->last)
		a->tool->last(a->ctx);
	else if (a->tool->records)
		sample_rest(a);
	sm_relay_show(&a->relay);
	sm_child_reap(&a->child);
	if (a->child.pid && !a->child.ended && !a->child.stopped_by && !a->error)
		sm_err("the run ended before the command, which continues as process %d",
			(int)a->child.pid);
	/* All rows are written first: the summary reports their fate, and needs room. */
	if (!a->writers.no_reader && write_all(a)) {
		if (a->tool->summary)
			a->tool->summary(a->ctx);
		else
			sm_app_rows_summary(a);
		(void)!write_all(a);
	}
	if (a->tool->files)
		a->tool->files(a->ctx);
	sm_app_prom_end(a);
}

#define FIRST_SIGNAL 128 /* exit codes above this are signals */

static int exit_code(const struct sm_app *a)
{
	int code = sm_start_output_code(&a->writers);
	int verdict = a->tool->verdict ? a->tool->verdict(a->ctx) : 0;
	int lost = sm_outputs_report_lost(&a->outputs, &a->writers, a->tool->rows_lost);

	if (verdict && verdict != SM_EXIT_LOST && verdict < FIRST_SIGNAL)
		return verdict;
	if (lost == SM_EXIT_RUNTIME || !verdict)
		verdict = lost;
	if (code)
		return code;
	if (a->error) {
		sm_err_at(a->error_what, a->error);
		return SM_EXIT_RUNTIME;
	}
	if (a->prom_failed)
		return SM_EXIT_RUNTIME;
	if (verdict && (verdict != SM_EXIT_LOST || a->opts->strict))
		return verdict;
	return sm_child_exit_code(&a->child);
}

/* A write to a pipe without a reader returns an error itself, and the files of the end
 * are still written after it.  A SIGPIPE sent by another process ends this one. */
static void on_pipe(int signo, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_pid == getpid())
		return;
	(void)signal(signo, SIG_DFL);
	(void)raise(signo);
}

/* Installs a handler, not SIG_IGN, which a command would inherit. */
static void catch_pipe(struct sigaction *old)
{
	struct sigaction sa = {
		.sa_sigaction = on_pipe, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGPIPE, NULL, old) == 0 && old->sa_handler == SIG_DFL)
		(void)!sigaction(SIGPIPE, &sa, NULL);
}

int sm_app_loop(struct sm_app *a)
{
	struct sigaction old = {.sa_handler = SIG_DFL};

	catch_pipe(&old);
	flush(a);
	while (!a->stop)
		iterate(a);
	finish(a);
	(void)!sigaction(SIGPIPE, &old, NULL);
	if (a->writers.no_reader) {
		raise(SIGPIPE); /* what a write would have done; returns where it is
				   ignored */
		return SM_EXIT_OK;
	}
	return exit_code(a);
}
