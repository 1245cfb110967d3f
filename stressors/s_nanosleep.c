// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/team.h"

enum { THREADS };

static const struct stressor_opt opts[] = {
	[THREADS] = {"threads", STRESSOR_COUNT, "N", "use N threads that sleep", .min = 1,
		.max = 1024, .normal = 8, .small = 2, .large = 64},
	{0},
};

enum { SLEEPS, LATE, LATEST };

static const struct stressor_metric metrics[] = {
	[SLEEPS] = {"sleeps", "/s", .mean = MEAN_RATE},
	[LATE] = {"late", "ns", .mean = MEAN_ARITHMETIC, .headline = "ns late"},
	[LATEST] = {"latest", "ns", .mean = MEAN_MAX},
	{0},
};

#define SLEEP_NS     (UINT64_C(1) << 18) /* longest sleep */
#define THREAD_BYTES 32768u		 /* stacks of a sleeping thread */

/* State of one thread. */
struct own {
	_Alignas(64) uint64_t sleeps;
	uint64_t late_ns, latest_ns, random;
};

struct nanosleep {
	struct own *own;
};

/* Sleeps; every second sleep ends at an absolute time.  Returns 0 or an errno. */
static int sleep_until(uint64_t begin_ns, uint64_t ns, bool absolute)
{
	struct timespec ts = {.tv_nsec = (long)ns};

	if (!absolute)
		return nanosleep(&ts, NULL) < 0 ? errno : 0;
	ts.tv_sec = (time_t)((begin_ns + ns) / SM_NSEC_PER_SEC);
	ts.tv_nsec = (long)((begin_ns + ns) % SM_NSEC_PER_SEC);
	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static int one_sleep(struct stress *s, struct own *own, bool spoil)
{
	uint64_t ns = stress_random(&own->random) % SLEEP_NS + 1;
	uint64_t begin_ns = sm_clock_mono_ns(), slept_ns;
	int error = sleep_until(begin_ns, ns, own->sleeps % 2);

	slept_ns = sm_clock_mono_ns() - begin_ns;
	if (error)
		return error == EINTR ? 0 : stress_error(s, STRESS_FAIL, error, "sleep");
	if (spoil)
		ns += SM_NSEC_PER_SEC;
	if (slept_ns < ns)
		return stress_fail(s, "a sleep of %llu ns ended after %llu ns",
			(unsigned long long)ns, (unsigned long long)slept_ns);
	own->sleeps++;
	own->late_ns += slept_ns - ns;
	if (slept_ns - ns > own->latest_ns)
		own->latest_ns = slept_ns - ns;
	stress_add(s, 1);
	return 0;
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct own *own = &((struct nanosleep *)data)->own[number];
	int r = 0;

	own->random = s->seed;
	while (r == 0 && stress_goes_on(s))
		r = one_sleep(s, own, s->spoil && number == 0 && own->sleeps == 1);
	return r;
}

static void report(struct stress *s)
{
	const struct nanosleep *t = s->data;
	uint64_t now = sm_clock_mono_ns(), sleeps = 0, late_ns = 0, latest_ns = 0;

	for (uint64_t i = 0; i < s->value[THREADS]; i++) {
		const struct own *own = &t->own[i];

		sleeps += own->sleeps;
		late_ns += own->late_ns;
		if (own->latest_ns > latest_ns)
			latest_ns = own->latest_ns;
	}
	if (!sleeps || now == s->go_ns)
		return;
	stress_metric(s, SLEEPS, (double)sleeps * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, LATE, (double)late_ns / (double)sleeps);
	stress_metric(s, LATEST, (double)latest_ns);
}

static int run(struct stress *s)
{
	const struct team_plan plan = {
		TEAM_THREADS, (unsigned int)s->value[THREADS], work, s->data};
	int r = team_run(s, &plan);

	report(s);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[THREADS] * (sizeof(struct own) + THREAD_BYTES);
}

static int setup(struct stress *s)
{
	struct nanosleep *t = s->data;
	size_t bytes = s->value[THREADS] * sizeof(*t->own);

	t->own = aligned_alloc(_Alignof(struct own), bytes);
	if (!t->own)
		return stress_lacks(s, "no memory");
	memset(t->own, 0, bytes);
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_nanosleep_man[] =
	"metric late: mean of all sleeps\n"
	"metric latest: the latest sleep\n"
	"Each thread sleeps for a random time of 1 ns to 262144 ns, in turn with "
	"nanosleep(2) and with clock_nanosleep(2) until an absolute time.  A sleep "
	"is late by the timer slack (--timer-slack) and the time until the thread "
	"gets a CPU.\n";

const struct stressor stressor_nanosleep = {
	.name = "nanosleep",
	.does = "sleep in several threads for short random times",
	.op = "one sleep",
	.checks = "no sleep ends before its time",
	.classes = CLASS_INTERRUPT | CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct nanosleep),
	.setup = setup,
	.run = run,
};
