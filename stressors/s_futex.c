// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two processes take turns.  The futex contains the number of the process whose turn it
 * is; the other one waits without a time limit until it changes, so a lost wakeup stops
 * all progress.
 *
 * For each wakeup call, the kernel returns the number of processes woken, and for each
 * wait, whether a wakeup ended it.  Both sums are equal when the processes have exited.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/team.h"

/* The time limit argument of the call. */
#ifdef SYS_futex
typedef long futex_time;
#else
#define SYS_futex SYS_futex_time64 /* 32-bit architectures without the old call */
typedef int64_t futex_time;
#endif
struct futex_limit {
	futex_time s, ns;
};

enum { WAKES, PER_WAKE, NO_WAITER, TIMEOUTS };

static const struct stressor_metric metrics[] = {
	[WAKES] = {"wakes", "/s", .mean = MEAN_RATE, .headline = "wakes/s"},
	[PER_WAKE] = {"time per wake", "ns", .mean = MEAN_ARITHMETIC},
	[NO_WAITER] = {"wakes without a waiter", "%", .mean = MEAN_ARITHMETIC},
	[TIMEOUTS] = {"timeouts", "/s", .mean = MEAN_RATE},
	{0},
};

enum { SIDES = 2, BOTH_DONE = (1 << SIDES) - 1 };

#define TIMEOUT_EVERY 256u /* in wakeup calls */
#define TIMEOUT_NS    20000
#define NEVER	      2u /* value of a futex that is never changed */

/* Counters of one of the two processes. */
struct side {
	_Alignas(64) uint64_t wakes;
	uint64_t expected; /* the number of its next turn */
	uint64_t woken;	   /* processes woken by its wakeup calls */
	uint64_t awoken;   /* its own waits that a wakeup ended */
	uint64_t without, timeouts;
};

struct shared {
	_Alignas(64) _Atomic uint32_t turn;
	_Atomic uint32_t done;	 /* one bit per side that has completed its ops */
	_Atomic uint32_t never;	 /* always NEVER */
	volatile uint64_t value; /* changed by the side whose turn it is */
	struct side side[SIDES];
};

struct futex {
	struct shared *shared;
};

/* --- calls -------------------------------------------------------------------------- */

/* Returns 0 if a wakeup ended the wait, or an errno. */
static int wait_while(_Atomic uint32_t *word, uint32_t value, uint64_t limit_ns)
{
	struct futex_limit limit = {.ns = (futex_time)limit_ns};

	return syscall(SYS_futex, word, FUTEX_WAIT, value, limit_ns ? &limit : NULL, NULL,
		       0) < 0
		       ? errno
		       : 0;
}

static long wake_all(_Atomic uint32_t *word)
{
	return syscall(SYS_futex, word, FUTEX_WAKE, SIDES, NULL, NULL, 0);
}

/* --- calls with a known result ------------------------------------------------------ */

static int fails_with(struct stress *s, int error, int want, const char *what)
{
	if (error == want || error == EINTR)
		return 0;
	if (error == ENOMEM)
		return stress_lacks(s, "%s: %s", what, strerror(error));
	return stress_fail(s, "%s: %s instead of: %s", what,
		error ? strerror(error) : "a wake-up", strerror(want));
}

/* Waits for a futex that no process wakes. */
static int time_out(struct stress *s, struct shared *h, struct side *me)
{
	uint64_t begin_ns = sm_clock_mono_ns(), waited_ns;
	int error = wait_while(&h->never, NEVER, TIMEOUT_NS), r;

	waited_ns = sm_clock_mono_ns() - begin_ns;
	r = fails_with(s, error, ETIMEDOUT, "wait with a time limit");
	if (!r && error == ETIMEDOUT && waited_ns < TIMEOUT_NS)
		r = stress_fail(s, "a wait of %u ns ended after %llu ns", TIMEOUT_NS,
			(unsigned long long)waited_ns);
	me->timeouts++;
	return r;
}

static int known_results(struct stress *s, struct shared *h, struct side *me)
{
	int r = time_out(s, h, me);
	long woken;

	if (!r)
		r = fails_with(s, wait_while(&h->never, NEVER + 1, 0), EAGAIN,
			"wait for another value");
	if (r)
		return r;
	woken = wake_all(&h->never);
	return woken == 0 ? 0
			  : stress_fail(s, "%ld processes that did not wait were woken",
				    woken);
}

/* --- turns -------------------------------------------------------------------------- */

/* Returns 1 if the turn has come, 0 if the run has ended, -1 after stress_error(). */
static int await_turn(
	struct stress *s, struct shared *h, struct side *me, uint32_t number)
{
	while (atomic_load(&h->turn) != number) {
		int error = wait_while(&h->turn, !number, 0);

		me->awoken += error == 0;
		if (error && error != EAGAIN && error != EINTR)
			return stress_error(s, STRESS_FAIL, error, "wait");
		if (stress_stopped(s))
			return 0;
	}
	return 1;
}

static int pass_turn(struct stress *s, struct shared *h, struct side *me, uint32_t number)
{
	long woken;

	atomic_store(&h->turn, !number);
	woken = wake_all(&h->turn);
	if (woken < 0)
		return stress_error(s, STRESS_FAIL, errno, "wake");
	me->woken += (uint64_t)woken;
	me->without += woken == 0;
	return 0;
}

/* Since this side's last change, the other side has changed the value exactly once. */
static int change_value(struct stress *s, struct shared *h, struct side *me)
{
	uint64_t value = h->value;

	if (value != me->expected)
		return stress_fail(s, "turn %llu instead of %llu",
			(unsigned long long)value, (unsigned long long)me->expected);
	h->value = value + 1 + (s->spoil && value == SIDES);
	me->expected = value + SIDES;
	return 0;
}

static int use_turn(struct stress *s, struct shared *h, struct side *me, uint32_t number)
{
	bool counts = stress_goes_on(s);
	int r = change_value(s, h, me);

	if (!r && counts && me->wakes % TIMEOUT_EVERY == 0)
		r = known_results(s, h, me);
	if (!counts)
		atomic_fetch_or(&h->done, 1u << number);
	if (!r)
		r = pass_turn(s, h, me, number);
	if (!r && counts) {
		me->wakes++;
		stress_add(s, 1);
	}
	return r;
}

/* A side that has completed its ops passes on the turn until the other one has completed
 * its ops. */
static int work(struct stress *s, unsigned int number, void *data)
{
	struct shared *h = data;
	struct side *me = &h->side[number];
	int r;

	me->expected = number;
	do {
		r = await_turn(s, h, me, number);
		if (r > 0)
			r = use_turn(s, h, me, number) ? -1 : 1;
	} while (r > 0 && atomic_load(&h->done) != BOTH_DONE);
	return r < 0 ? r : 0;
}

/* --- the instance ------------------------------------------------------------------- */

static int report(struct stress *s, const struct shared *h)
{
	uint64_t now = sm_clock_mono_ns(), woken = 0, awoken = 0;
	double wakes = 0, without = 0, timeouts = 0;

	for (unsigned int i = 0; i < SIDES; i++) {
		woken += h->side[i].woken;
		awoken += h->side[i].awoken;
		wakes += (double)h->side[i].wakes;
		without += (double)h->side[i].without;
		timeouts += (double)h->side[i].timeouts;
	}
	if (wakes > 0 && now > s->go_ns) {
		stress_metric(s, WAKES, wakes * 1e9 / (double)(now - s->go_ns));
		stress_metric(s, TIMEOUTS, timeouts * 1e9 / (double)(now - s->go_ns));
		stress_metric(s, PER_WAKE, (double)(now - s->begin_ns) / wakes);
		stress_metric(s, NO_WAITER, 100 * without / wakes);
	}
	if (woken == awoken)
		return 0;
	return stress_fail(s,
		"%llu processes were woken, but %llu waits ended with a wakeup",
		(unsigned long long)woken, (unsigned long long)awoken);
}

static int run(struct stress *s)
{
	struct shared *h = ((struct futex *)s->data)->shared;
	const struct team_plan plan = {TEAM_PROCESSES, SIDES, work, h};
	int r = team_run(s, &plan);

	return r ? r : report(s, h);
}

static int setup(struct stress *s)
{
	struct shared *h = team_memory(s, sizeof(*h));

	if (!h)
		return -1;
	h->never = NEVER;
	((struct futex *)s->data)->shared = h;
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_futex_man[] =
	"metric wakes without a waiter: the other process did not wait yet or no "
	"longer waited\n"
	"metric timeouts: waits with a limit of 20 us that no process ends, one "
	"per 256 wakeup calls\n"
	"The two processes of an instance wake each other in turn, with FUTEX_WAIT "
	"and FUTEX_WAKE of futex(2) in shared memory.\n";

const struct stressor stressor_futex = {
	.name = "futex",
	.does = "wake a process that waits for a futex, in turn",
	.op = "one wakeup call",
	.checks = "turns alternate; as many waits end by a wakeup as processes were "
		  "woken; waits for a time and for another value have the right "
		  "results",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.metrics = metrics,
	.state = sizeof(struct futex),
	.setup = setup,
	.run = run,
};
