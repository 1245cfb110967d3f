// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two processes run on one CPU, so that each has another process to yield to.  Each
 * records that it runs; when one finds that the other has run, the kernel must have
 * switched.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "run/team.h"

enum { YIELDS, PER_YIELD, SWITCHED };

static const struct stressor_metric metrics[] = {
	[YIELDS] = {"yields", "/s", .mean = MEAN_RATE},
	[PER_YIELD] = {"time per yield", "ns", .mean = MEAN_ARITHMETIC,
		.headline = "ns per yield"},
	[SWITCHED] = {"yields that switched", "%", .mean = MEAN_ARITHMETIC},
	{0},
};

enum { PROCESSES = 2 };

#define CHECK_EVERY 1024u /* in yields */
#define SPOILT	    UINT32_MAX

struct own {
	_Alignas(64) uint64_t yields;
	uint64_t seen;	   /* yields during which the other process ran */
	uint64_t switches; /* switches counted by the kernel before the first yield */
};

struct shared {
	_Atomic unsigned int last; /* number of the process that ran last */
	struct own own[PROCESSES];
};

struct yield {
	struct shared *shared;
};

static uint64_t switches(void)
{
	struct rusage usage = {0};

	(void)getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* The administrator may have moved the process. */
static bool is_pinned(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1;
}

static int check(struct stress *s, const struct own *own)
{
	uint64_t n = switches() - own->switches;

	if (own->seen <= n || !is_pinned())
		return 0;
	return stress_fail(s,
		"another process has run on its CPU %llu times, but the kernel has "
		"switched %llu times",
		(unsigned long long)own->seen, (unsigned long long)n);
}

static int one_yield(
	struct stress *s, struct shared *h, struct own *own, unsigned int number)
{
	atomic_store_explicit(&h->last, number, memory_order_relaxed);
	if (sched_yield() < 0)
		return stress_error(s, STRESS_FAIL, errno, "sched_yield");
	own->seen += atomic_load_explicit(&h->last, memory_order_relaxed) != number;
	if (s->spoil && number == 0 && own->yields == 1)
		own->seen += SPOILT;
	if (own->yields++ % CHECK_EVERY == 1 && check(s, own))
		return -1;
	stress_add(s, 1);
	return 0;
}

static int work(struct stress *s, unsigned int number, void *data)
{
	struct shared *h = data;
	struct own *own = &h->own[number];
	int r = 0;

	own->switches = switches();
	while (r == 0 && stress_goes_on(s))
		r = one_yield(s, h, own, number);
	return r;
}

static void report(struct stress *s, const struct shared *h)
{
	uint64_t now = sm_clock_mono_ns();
	double yields = 0, seen = 0;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		yields += (double)h->own[i].yields;
		seen += (double)h->own[i].seen;
	}
	if (yields <= 0 || now == s->go_ns)
		return;
	stress_metric(s, YIELDS, yields * 1e9 / (double)(now - s->go_ns));
	stress_metric(s, PER_YIELD, (double)(now - s->begin_ns) / yields);
	stress_metric(s, SWITCHED, 100 * seen / yields);
}

static int run(struct stress *s)
{
	struct shared *h = ((struct yield *)s->data)->shared;
	const struct team_plan plan = {TEAM_PROCESSES, PROCESSES, work, h};
	int r = team_run(s, &plan);

	report(s, h);
	return r;
}

static int setup(struct stress *s)
{
	struct yield *t = s->data;

	t->shared = team_memory(s, sizeof(*t->shared));
	return t->shared ? stress_pin(s) : -1;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_yield_man[] =
	"metric time per yield: both processes together, including the switches\n"
	"metric yields that switched: yields during which the other process of the "
	"instance ran\n"
	"The two processes of an instance are pinned to one CPU.  The scheduler "
	"decides whether a yield lets the other process run.\n";

const struct stressor stressor_yield = {
	.name = "yield",
	.letter = 'y',
	.does = "yield the CPU to another process with sched_yield(2)",
	.op = "one yield",
	.checks = "another process has run on the CPU at most as often as the kernel has "
		  "switched",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.metrics = metrics,
	.state = sizeof(struct yield),
	.setup = setup,
	.run = run,
};
