// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer sends a blocked signal, which the instance takes with sigtimedwait(2).  While
 * a signal is pending, the kernel counts further expirations as overruns.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>

#include "timers/expiry.h"

enum { FREQ, RAND };

static const struct stressor_opt opts[] = {
	[FREQ] = {"freq", STRESSOR_COUNT, "N", "set the number of expirations per second",
		.min = 1, .max = EXPIRY_FREQ_MAX, .normal = EXPIRY_FREQ,
		.small = EXPIRY_FREQ_SMALL, .large = EXPIRY_FREQ_LARGE},
	[RAND] = {"rand", STRESSOR_FLAG, NULL,
		"rearm the timer for each expiration, with a period that is up to "
		"12.5% shorter or longer",
		.max = 1},
	{0},
};

enum { SIGNALS, OVERRUNS };

static const struct stressor_metric metrics[] = {
	[SIGNALS] = {"timer signals", "/s", .mean = MEAN_RATE,
		.headline = "timer signals/s"},
	[OVERRUNS] = {"overruns", "/s", .mean = MEAN_RATE},
	{0},
};

/* Longest interval between checks for the end of the run. */
#define WAIT_NS (4 * SM_NSEC_PER_MSEC)

struct timer {
	struct expiry expiry;
	timer_t id;
	sigset_t set;
	uint64_t random, signals, overruns;
};

static int arm(struct stress *s)
{
	struct timer *t = s->data;
	struct itimerspec when;

	if (s->value[RAND])
		expiry_begin_once(&t->expiry, s->value[FREQ], &t->random, &when);
	else
		expiry_begin(&t->expiry, s->value[FREQ], &when);
	if (timer_settime(t->id, 0, &when, NULL) < 0)
		return stress_error(s, STRESS_FAIL, errno, "timer_settime");
	expiry_armed(&t->expiry);
	return 0;
}

/* Returns 1 if a signal of the timer was taken, 0 if nothing is pending, -1 after
 * stress_error(). */
static int take(struct stress *s, siginfo_t *info)
{
	static const struct timespec limit = {.tv_nsec = WAIT_NS};
	const struct timer *t = s->data;

	if (sigtimedwait(&t->set, info, &limit) > 0)
		return info->si_code == SI_TIMER && info->si_value.sival_ptr == t;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	return stress_error(s, STRESS_FAIL, errno, "sigtimedwait");
}

static int count(struct stress *s, const siginfo_t *info, uint64_t begin_ns)
{
	struct timer *t = s->data;
	struct expiry *e = &t->expiry;
	uint64_t overruns = (uint64_t)info->si_overrun;

	t->signals++;
	t->overruns += overruns;
	if (info->si_overrun == INT_MAX) /* there may have been more */
		e->no_least = true;
	if (s->spoil && t->signals == 2)
		e->before_ns += SM_NSEC_PER_SEC;
	return expiry_add(s, e, 1 + overruns, begin_ns);
}

static int op(struct stress *s)
{
	uint64_t begin_ns = sm_clock_mono_ns();
	siginfo_t info;
	int r = take(s, &info);

	if (r <= 0)
		return r;
	r = count(s, &info, begin_ns);
	if (!r && s->value[RAND])
		r = arm(s);
	if (!r)
		stress_add(s, 1);
	return r;
}

static void report(struct stress *s)
{
	const struct timer *t = s->data;
	double seconds = (double)(sm_clock_mono_ns() - s->go_ns) / 1e9;

	if (seconds <= 0)
		return;
	stress_metric(s, SIGNALS, (double)t->signals / seconds);
	stress_metric(s, OVERRUNS, (double)t->overruns / seconds);
}

static int run(struct stress *s)
{
	int r = arm(s);

	while (r == 0 && stress_goes_on(s))
		r = op(s);
	report(s);
	return r;
}

static int setup(struct stress *s)
{
	struct timer *t = s->data;
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGRTMIN,
		.sigev_value.sival_ptr = t,
	};

	t->random = s->seed;
	sigemptyset(&t->set);
	sigaddset(&t->set, SIGRTMIN);
	if (sigprocmask(SIG_BLOCK, &t->set, NULL) < 0)
		return stress_error(s, STRESS_FAIL, errno, "sigprocmask");
	if (timer_create(CLOCK_MONOTONIC, &event, &t->id) < 0)
		return stress_error(s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno,
			"timer_create");
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_timer_man[] =
	"metric overruns: expirations while the signal of an earlier one was "
	"pending, which are counted but send no signal; 0 with --timer-rand\n"
	"The timer uses CLOCK_MONOTONIC.  Its signal is blocked and taken with "
	"sigtimedwait(2).  While it is queued, it counts towards the limit of "
	"pending signals (ulimit -i).\n";

const struct stressor stressor_timer = {
	.name = "timer",
	.letter = 'T',
	.does = "take the signals of a POSIX timer",
	.op = "one signal",
	.checks = "signals and overruns together equal the number of periods that "
		  "have passed",
	.classes = CLASS_INTERRUPT | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.state = sizeof(struct timer),
	.setup = setup,
	.run = run,
};
