// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cyclic/latency.h"
#include "cyclic/wake.h"
#include "run/policy.h"
#include "run/stress.h"

enum { POLICY, PRIO, SLEEP, METHOD, SAMPLES, DIST, DMA_LATENCY };

/* The kernel's value if no process requests less. */
#define NO_DMA_LIMIT_NS (2000 * SM_NSEC_PER_SEC)

/* Ranges and the unit of numbers without a unit are those of stress-ng; its limit of a
 * sleep is one second. */
static const struct stressor_opt opts[] = {
	[POLICY] = {"policy", STRESSOR_CHOICE, "POLICY", "set the scheduling policy",
		.normal = POLICY_OTHER, .choices = policy_names},
	[PRIO] = {"prio", STRESSOR_COUNT, "N",
		"set the priority for the policies fifo and rr", .min = 1,
		.max = POLICY_PRIO_STRESS_NG, .normal = POLICY_PRIO,
		.most = POLICY_PRIO_KERNEL},
	[SLEEP] = {"sleep", STRESSOR_TIME, "TIME", "set the time between two wakeups",
		.min = 1, .max = 60 * SM_NSEC_PER_SEC, .normal = 100000, .unit = "ns"},
	[METHOD] = {"method", STRESSOR_CHOICE, "METHOD", "select how to sleep",
		.normal = CYCLIC_CLOCK_NS, .choices = cyclic_method_names},
	[SAMPLES] = {"samples", STRESSOR_COUNT, "N",
		"measure only the first N wakeups; 0: all", .max = UINT64_MAX},
	[DIST] = {"dist", STRESSOR_TIME, "TIME",
		"also report a histogram with bins of this width; 0: none",
		.max = 60 * SM_NSEC_PER_SEC, .unit = "ns"},
	[DMA_LATENCY] = {"dma-latency", STRESSOR_TIME, "TIME",
		"use no idle state whose exit latency is higher; 2000s: no limit",
		.max = NO_DMA_LIMIT_NS, .normal = NO_DMA_LIMIT_NS},
	{0},
};

#define STACK_BYTES    65536u
#define STACK_LEAST    (8 * STACK_BYTES)
#define POLL_REST_NS   (20 * SM_NSEC_PER_MSEC)
#define DMA_LATENCY_AT "/dev/cpu_dma_latency"

struct cyclic {
	struct cyclic_latency latency;
	struct cyclic_wake wake;
	int dma_fd; /* the limit applies while this is open */
};

static int limit_dma_latency(struct stress *s, struct cyclic *c)
{
	int32_t usec = (int32_t)(s->value[DMA_LATENCY] / 1000);

	if (s->value[DMA_LATENCY] >= NO_DMA_LIMIT_NS)
		return 0;
	c->dma_fd = open(DMA_LATENCY_AT, O_WRONLY | O_CLOEXEC);
	if (c->dma_fd < 0 || write(c->dma_fd, &usec, sizeof(usec)) != sizeof(usec))
		return stress_error(s, STRESS_SKIP, errno, "%s", DMA_LATENCY_AT);
	return 0;
}

static __attribute__((noinline)) void touch_stack(void)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += 1024)
		stack[i] = 1;
}

/* Locks all memory, since a page fault would count as a late wakeup; without the
 * permission, faults may occur.  The stack is touched only if its limit (ulimit -s)
 * leaves room for that. */
static void stay_in_memory(void)
{
	struct rlimit limit;

	(void)mlockall(MCL_CURRENT | MCL_FUTURE);
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= STACK_LEAST)
		touch_stack();
}

static const char *probe(const struct stress *s)
{
	if (s->value[POLICY] == POLICY_DEADLINE && s->value[METHOD] == CYCLIC_POLL)
		return "method poll needs a whole CPU, but policy deadline provides only "
		       "a part of one";
	return NULL;
}

static int setup(struct stress *s)
{
	struct cyclic *c = s->data;
	int r;

	c->latency.hist = s->histogram;
	c->dma_fd = -1;
	r = limit_dma_latency(s, c);
	if (r != 0)
		return r;
	/* The kernel permits policy deadline only to processes that may use all CPUs. */
	if (s->value[POLICY] != POLICY_DEADLINE)
		r = stress_pin(s);
	if (r != 0)
		return r;
	stay_in_memory();
	return policy_enter(s, (enum policy)s->value[POLICY],
		(unsigned int)s->value[PRIO], s->value[SLEEP]);
}

static int measure(struct stress *s, struct cyclic *c, uint64_t begin_ns)
{
	uint64_t most = s->value[SAMPLES], due, woke;

	if (!cyclic_wake_next(&c->wake, s, &due, &woke))
		return 0;
	if (s->spoil && c->latency.hist->n == 2)
		due += SM_NSEC_PER_SEC;
	if (woke < due)
		return stress_fail(s, "a wake-up came %llu ns before its time",
			(unsigned long long)(due - woke));
	if (most == 0 || c->latency.hist->n < most)
		cyclic_latency_add(&c->latency, woke - due, woke - begin_ns);
	stress_add(s, 1);
	return 0;
}

static int run(struct stress *s)
{
	struct cyclic *c = s->data;
	enum policy policy = (enum policy)s->value[POLICY];
	uint64_t begin_ns = sm_clock_mono_ns();
	int r = cyclic_wake_begin(&c->wake, (enum cyclic_method)s->value[METHOD],
		s->value[SLEEP], policy_realtime(policy) ? POLL_REST_NS : 0);

	if (r < 0)
		return stress_lacks(s, "the method: %s", strerror(-r));
	while (r == 0 && stress_goes_on(s))
		r = measure(s, c, begin_ns);
	if (r == 0 && policy_lost(policy))
		r = stress_fail(s,
			"did not sleep for so long that policy %s was taken away",
			policy_names[policy]);
	policy_leave();
	c->latency.has_periods = cyclic_wake_periods(&c->wake, &c->latency.missed);
	cyclic_latency_report(&c->latency, s);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_cyclic_man[] =
	"metric maximum at: time of the maximum since the start\n"
	"metric maximum at sample: number of that wakeup, counted from 1\n"
	"metric samples: wakeups that were measured; and, with the methods "
	"clock_ns and poll, wakeups that were skipped because they were due before "
	"the previous one had ended\n"
	"metric 25 %: percentiles\n"
	"Percentiles and the mode are computed from the histogram of all instances "
	"with an error of at most 3.2%; the other metrics are exact.  Most of the "
	"latency is caused by the idle state of the CPU; see --cyclic-dma-latency.\n"
	"Instance 0 is pinned to the first usable CPU (of --taskset, if it is "
	"given), instance 1 to the second, and so on; --cyclic=0 therefore "
	"measures each CPU.  The policy deadline does not permit pinning; its "
	"instances run on any CPU.\n"
	"--policy other, batch, idle: policies of ordinary processes\n"
	"--policy fifo, rr: real-time policies, with the priority --cyclic-prio\n"
	"--policy deadline: the period is the sleep time, from 100 us to 10 ms, "
	"and the runtime is 30 us per period\n"
	"--prio: The highest priority of the kernel is 99; 100 is reduced to 99, "
	"with a message.\n"
	"--method clock_ns: clock_nanosleep(2) until absolute times at equal "
	"distances; missed times are skipped\n"
	"--method posix_ns: nanosleep(2); the latency is the time by which the "
	"sleep was too long\n"
	"--method itimer: setitimer(2), in whole microseconds\n"
	"--method poll: reads the clock until the time has come, which keeps the "
	"CPU busy\n"
	"--method pselect: pselect(2)\n"
	"--method usleep: usleep(3), in whole microseconds\n"
	"--dist: Where 3% of the value is more than this width, bins are 3% wide.  "
	"All samples are included; empty bins are not shown.  JSON and CSV always "
	"contain the histogram, with bins of 3%.\n"
	"--dma-latency: The limit is set through /dev/cpu_dma_latency while the "
	"instance runs.\n";

const struct stressor stressor_cyclic = {
	.name = "cyclic",
	.does = "measure how late sleeps end",
	.op = "one wakeup",
	.checks = "no wakeup comes before its time",
	.needs = "CAP_SYS_NICE for the policies fifo, rr and deadline; root for "
		 "--cyclic-dma-latency",
	.caps = STRESSOR_CAP(CAP_SYS_NICE) | STRESSOR_CAP(CAP_IPC_LOCK),
	.classes = CLASS_SCHEDULER | CLASS_INTERRUPT,
	.opts = opts,
	.metrics = cyclic_latency_metrics,
	.histogram = "wake-ups by latency",
	.histogram_width = DIST,
	.probe = probe,
	.state = sizeof(struct cyclic),
	.setup = setup,
	.run = run,
};
