// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instance sends itself signals.  A signal that is not blocked is delivered before
 * the call that sends it returns.  The value of a queued signal is the address of the
 * state, which the handler uses.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "run/stress.h"

enum { ROUNDS, PER_SIGNAL };

static const struct stressor_metric metrics[] = {
	[ROUNDS] = {"rounds", "/s", .mean = MEAN_RATE},
	[PER_SIGNAL] = {"time per signal", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per signal"},
	{0},
};

struct signal {
	volatile sig_atomic_t handled;
	volatile sig_atomic_t sender; /* sender of the last signal */
	uint64_t signals, ns;
};

static void handle(int signo, siginfo_t *info, void *context)
{
	struct signal *t = info->si_value.sival_ptr;

	(void)signo;
	(void)context;
	if (info->si_code != SI_QUEUE || !t)
		return;
	t->handled++;
	t->sender = info->si_pid;
}

/* --- one signal --------------------------------------------------------------------- */

static int send(struct stress *s, int signo)
{
	struct signal *t = s->data;
	union sigval value = {.sival_ptr = t};
	uint64_t begin_ns = sm_clock_mono_ns();

	if (sigqueue(getpid(), signo, value) < 0)
		return stress_error(s, STRESS_FAIL, errno, "sigqueue");
	t->ns += sm_clock_mono_ns() - begin_ns;
	t->signals++;
	return 0;
}

/* Sends a signal and checks how often the handler runs. */
static int expect(struct stress *s, int signo, int handled, const char *what)
{
	struct signal *t = s->data;
	int r;

	t->handled = 0;
	r = send(s, signo);
	if (s->spoil && t->signals == 2)
		t->handled++;
	if (r || (t->handled == handled && (!handled || t->sender == getpid())))
		return r;
	return stress_fail(s, "%s: the handler has run %d times instead of %d", what,
		(int)t->handled, handled);
}

/* --- dispositions ------------------------------------------------------------------- */

enum disposition { DEFAULT, IGNORED, HANDLED };

static struct sigaction action_of(enum disposition d)
{
	if (d == HANDLED)
		return (struct sigaction){
			.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
	return (struct sigaction){.sa_handler = d == IGNORED ? SIG_IGN : SIG_DFL};
}

static bool is_action(const struct sigaction *a, enum disposition d)
{
	if (d == HANDLED)
		return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == handle;
	return !(a->sa_flags & SA_SIGINFO) &&
	       a->sa_handler == (d == IGNORED ? SIG_IGN : SIG_DFL);
}

static int change(struct stress *s, enum disposition from, enum disposition to)
{
	struct sigaction now = action_of(to), old;

	if (sigaction(SIGRTMIN, &now, &old) < 0)
		return stress_error(s, STRESS_FAIL, errno, "sigaction");
	if (is_action(&old, from))
		return 0;
	return stress_fail(s, "sigaction does not return the disposition that was set");
}

static int mask(struct stress *s, int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return sigprocmask(how, &set, NULL) < 0
		       ? stress_error(s, STRESS_FAIL, errno, "sigprocmask")
		       : 0;
}

/* A blocked signal remains pending, and is delivered when it is unblocked. */
static int blocked(struct stress *s)
{
	const struct signal *t = s->data;
	sigset_t pending;

	if (mask(s, SIG_BLOCK) || expect(s, SIGRTMIN, 0, "a blocked signal"))
		return -1;
	if (sigpending(&pending) < 0 || !sigismember(&pending, SIGRTMIN))
		return stress_fail(s, "a blocked signal is not pending");
	if (mask(s, SIG_UNBLOCK))
		return -1;
	return t->handled == 1 ? 0
			       : stress_fail(s,
					 "the handler has run %d times for a signal that "
					 "was unblocked",
					 (int)t->handled);
}

static int one_round(struct stress *s)
{
	if (change(s, DEFAULT, IGNORED) || expect(s, SIGRTMIN, 0, "an ignored signal") ||
		change(s, IGNORED, HANDLED) ||
		expect(s, SIGRTMIN, 1, "a signal with a handler") || blocked(s) ||
		expect(s, SIGCHLD, 0, "a signal without an effect") ||
		change(s, HANDLED, DEFAULT))
		return -1;
	stress_add(s, 1);
	return 0;
}

static int run(struct stress *s)
{
	const struct signal *t = s->data;
	uint64_t rounds = 0, now;
	int r = 0;

	for (; r == 0 && stress_goes_on(s); rounds++)
		r = one_round(s);
	now = sm_clock_mono_ns();
	if (t->signals && now > s->go_ns) {
		stress_metric(s, ROUNDS, (double)rounds * 1e9 / (double)(now - s->go_ns));
		stress_metric(s, PER_SIGNAL, (double)t->ns / (double)t->signals);
	}
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_signal_man[] =
	"metric time per signal: one call, in which a signal that is not blocked "
	"is delivered\n"
	"The signals of a round are an ignored one, one with a handler, one that "
	"is blocked and then unblocked, and SIGCHLD with its default disposition.\n";

const struct stressor stressor_signal = {
	.name = "signal",
	.does = "send the process signals with different dispositions",
	.op = "one round of four signals",
	.checks = "the handler runs the right number of times for the right sender, "
		  "and sigaction(2) returns the disposition that was set",
	.classes = CLASS_OS,
	.metrics = metrics,
	.state = sizeof(struct signal),
	.run = run,
};
