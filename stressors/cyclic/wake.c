// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../run/stress.h"
#include "wake.h"

/* Time between checks for the end of the run: a longer sleep is divided into pieces, of
 * which the last is measured. */
#define PIECE_NS (10 * SM_NSEC_PER_MSEC)
#define REST_NS	 SM_NSEC_PER_MSEC
#define USEC_NS	 UINT64_C(1000)

const char *const cyclic_method_names[] = {
	"clock_ns", "posix_ns", "itimer", "poll", "pselect", "usleep", NULL};

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){
		.tv_sec = (time_t)(ns / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(ns % SM_NSEC_PER_SEC),
	};
}

static bool sleep_until(uint64_t ns)
{
	struct timespec ts = to_timespec(ns);

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == 0;
}

/* Polls until the time and returns the time that was read; 0: the run is over. */
static uint64_t poll_until(const struct stress *s, uint64_t ns)
{
	uint64_t now;

	while ((now = sm_clock_mono_ns()) < ns)
		if (stress_stopped(s))
			return 0;
	return now;
}

static void alarm_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGALRM);
}

static void drop_alarm(const sigset_t *set)
{
	static const struct itimerval none;
	static const struct timespec at_once;

	(void)setitimer(ITIMER_REAL, &none, NULL);
	(void)sigtimedwait(set, NULL, &at_once);
}

/* The signal is blocked and accepted by sigwaitinfo(2).  A sleep that ends with a signal
 * of another process is not measured. */
static bool sleep_itimer(uint64_t ns)
{
	struct itimerval t = {
		.it_value.tv_sec = (time_t)(ns / SM_NSEC_PER_SEC),
		.it_value.tv_usec = (suseconds_t)(ns % SM_NSEC_PER_SEC / USEC_NS),
	};
	siginfo_t info;
	sigset_t set;

	alarm_set(&set);
	if (setitimer(ITIMER_REAL, &t, NULL) < 0 || sigwaitinfo(&set, &info) != SIGALRM)
		return false;
	if (info.si_code == SI_KERNEL)
		return true;
	drop_alarm(&set);
	return false;
}

static bool sleep_for(enum cyclic_method method, uint64_t ns)
{
	struct timespec ts = to_timespec(ns);

	switch (method) {
	case CYCLIC_POSIX_NS:
		return nanosleep(&ts, NULL) == 0;
	case CYCLIC_ITIMER:
		return sleep_itimer(ns);
	case CYCLIC_PSELECT:
		return pselect(0, NULL, NULL, NULL, &ts, NULL) == 0;
	default:
		return usleep((useconds_t)(ns / USEC_NS)) == 0;
	}
}

/* Sleeps until the next time of the grid; times that have passed are skipped and
 * counted. */
static bool next_on_grid(struct cyclic_wake *w, const struct stress *s, uint64_t *due_ns,
	uint64_t *woke_ns)
{
	uint64_t now = sm_clock_mono_ns(), due = w->next_ns, missed;

	if (due < now) {
		missed = (now - due + w->sleep_ns - 1) / w->sleep_ns;
		w->missed += missed;
		due += missed * w->sleep_ns;
		w->next_ns = due;
	}
	while (due > now + PIECE_NS) {
		if (!sleep_until(now + PIECE_NS) || stress_stopped(s))
			return false;
		now = sm_clock_mono_ns();
	}
	*due_ns = due;
	w->next_ns = due + w->sleep_ns;
	if (w->method == CYCLIC_POLL)
		*woke_ns = poll_until(s, due);
	else
		*woke_ns = sleep_until(due) ? sm_clock_mono_ns() : 0;
	return *woke_ns != 0;
}

static bool next_by_length(struct cyclic_wake *w, const struct stress *s,
	uint64_t *due_ns, uint64_t *woke_ns)
{
	uint64_t left = w->sleep_ns;

	while (left > 2 * PIECE_NS) {
		if (!sleep_for(w->method, PIECE_NS) || stress_stopped(s))
			return false;
		left -= PIECE_NS;
	}
	*due_ns = sm_clock_mono_ns() + left;
	if (!sleep_for(w->method, left))
		return false;
	*woke_ns = sm_clock_mono_ns();
	return true;
}

static void rest(struct cyclic_wake *w)
{
	uint64_t now;

	if (w->rest_ns == 0)
		return;
	now = sm_clock_mono_ns();
	if (now - w->rested_ns < w->rest_ns)
		return;
	sleep_until(now + REST_NS);
	w->rested_ns = sm_clock_mono_ns();
	w->next_ns = w->rested_ns + w->sleep_ns;
}

static bool is_on_grid(enum cyclic_method method)
{
	return method == CYCLIC_CLOCK_NS || method == CYCLIC_POLL;
}

bool cyclic_wake_periods(const struct cyclic_wake *w, uint64_t *missed)
{
	*missed = w->missed;
	return is_on_grid(w->method);
}

bool cyclic_wake_next(struct cyclic_wake *w, const struct stress *s, uint64_t *due_ns,
	uint64_t *woke_ns)
{
	if (is_on_grid(w->method)) {
		rest(w);
		return next_on_grid(w, s, due_ns, woke_ns);
	}
	return next_by_length(w, s, due_ns, woke_ns);
}

/* Rounds up to whole microseconds for itimer and usleep, so that the requested time is
 * the time slept. */
static uint64_t whole_microseconds(enum cyclic_method method, uint64_t ns)
{
	if (method != CYCLIC_ITIMER && method != CYCLIC_USLEEP)
		return ns;
	return (ns + USEC_NS - 1) / USEC_NS * USEC_NS;
}

int cyclic_wake_begin(struct cyclic_wake *w, enum cyclic_method method, uint64_t sleep_ns,
	uint64_t rest_ns)
{
	sigset_t set;

	*w = (struct cyclic_wake){
		.method = method,
		.sleep_ns = whole_microseconds(method, sleep_ns),
		.rest_ns = method == CYCLIC_POLL ? rest_ns : 0,
		.rested_ns = sm_clock_mono_ns(),
	};
	w->next_ns = w->rested_ns + w->sleep_ns;
	if (method != CYCLIC_ITIMER)
		return 0;
	alarm_set(&set);
	return sigprocmask(SIG_BLOCK, &set, NULL) < 0 ? -errno : 0;
}
