// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "timers/expiry.h"

enum { FREQ, FDS, RAND };

static const struct stressor_opt opts[] = {
	[FREQ] = {"freq", STRESSOR_COUNT, "N",
		"set the number of expirations per second of each timer", .min = 1,
		.max = EXPIRY_FREQ_MAX, .normal = EXPIRY_FREQ, .small = EXPIRY_FREQ_SMALL,
		.large = EXPIRY_FREQ_LARGE},
	[FDS] = {"fds", STRESSOR_COUNT, "N", "use N timers", .min = 1, .max = INT32_MAX,
		.normal = 8, .small = 1, .large = 512, .most = 65536},
	[RAND] = {"rand", STRESSOR_FLAG, NULL,
		"rearm a timer for each expiration, with a period that is up to "
		"12.5% shorter or longer",
		.max = 1},
	{0},
};

enum { READS, EXPIRATIONS };

static const struct stressor_metric metrics[] = {
	[READS] = {"timer reads", "/s", .mean = MEAN_RATE, .headline = "timer reads/s"},
	[EXPIRATIONS] = {"expirations", "/s", .mean = MEAN_RATE},
	{0},
};

#define WAIT_MS	     4	  /* longest interval between checks for the end of the run */
#define KERNEL_BYTES 1024 /* kernel memory of a timer */

struct timerfd {
	struct expiry *expiry; /* one per timer */
	struct pollfd *fd;
	unsigned int n;
	uint64_t random, reads, expirations;
};

static int arm(struct stress *s, unsigned int i)
{
	struct timerfd *t = s->data;
	struct itimerspec when;

	if (s->value[RAND])
		expiry_begin_once(&t->expiry[i], s->value[FREQ], &t->random, &when);
	else
		expiry_begin(&t->expiry[i], s->value[FREQ], &when);
	if (timerfd_settime(t->fd[i].fd, 0, &when, NULL) < 0)
		return stress_error(s, STRESS_FAIL, errno, "timerfd_settime");
	expiry_armed(&t->expiry[i]);
	return 0;
}

/* Reads a timer that poll(2) has reported. */
static int take(struct stress *s, unsigned int i)
{
	struct timerfd *t = s->data;
	uint64_t begin_ns = sm_clock_mono_ns(), n = 0;
	ssize_t bytes = read(t->fd[i].fd, &n, sizeof(n));
	int r;

	if (bytes != sizeof(n))
		return stress_fail(s, "read of an expired timer: %s",
			bytes < 0 ? strerror(errno) : "too few bytes");
	t->reads++;
	t->expirations += n;
	if (s->spoil && t->reads == 2)
		t->expiry[i].before_ns += SM_NSEC_PER_SEC;
	r = expiry_add(s, &t->expiry[i], n, begin_ns);
	if (!r && s->value[RAND])
		r = arm(s, i);
	if (!r)
		stress_add(s, 1);
	return r;
}

static int take_all(struct stress *s)
{
	struct timerfd *t = s->data;
	int ready = poll(t->fd, t->n, WAIT_MS), r = 0;

	if (ready < 0 && errno != EINTR)
		return stress_error(s, STRESS_FAIL, errno, "poll");
	for (unsigned int i = 0; i < t->n && ready > 0 && !r && stress_goes_on(s); i++) {
		if (!t->fd[i].revents)
			continue;
		ready--;
		r = take(s, i);
	}
	return r;
}

static void report(struct stress *s)
{
	const struct timerfd *t = s->data;
	double seconds = (double)(sm_clock_mono_ns() - s->go_ns) / 1e9;

	if (seconds <= 0)
		return;
	stress_metric(s, READS, (double)t->reads / seconds);
	stress_metric(s, EXPIRATIONS, (double)t->expirations / seconds);
}

static int run(struct stress *s)
{
	const struct timerfd *t = s->data;
	int r = 0;

	for (unsigned int i = 0; i < t->n && !r && stress_goes_on(s); i++)
		r = arm(s, i);
	while (r == 0 && stress_goes_on(s))
		r = take_all(s);
	report(s);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[FDS] *
	       (sizeof(struct expiry) + sizeof(struct pollfd) + KERNEL_BYTES);
}

static int open_timer(struct stress *s, struct pollfd *p)
{
	p->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	p->events = POLLIN;
	if (p->fd >= 0)
		return 0;
	return stress_error(
		s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno, "timerfd_create");
}

static int setup(struct stress *s)
{
	struct timerfd *t = s->data;
	int r = 0;

	t->random = s->seed;
	t->n = (unsigned int)s->value[FDS];
	t->expiry = calloc(t->n, sizeof(*t->expiry));
	t->fd = calloc(t->n, sizeof(*t->fd));
	if (!t->expiry || !t->fd)
		return stress_lacks(s, "no memory");
	for (unsigned int i = 0; i < t->n && !r; i++)
		r = open_timer(s, &t->fd[i]);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_timerfd_man[] =
	"metric expirations: all timers, including expirations before an earlier "
	"one was read\n"
	"The timers use CLOCK_MONOTONIC.  poll(2) waits for them, and each expired "
	"timer is read.\n"
	"--fds: If the limit of open files (ulimit -n) is lower, the result is "
	"\"no resource\".\n";

const struct stressor stressor_timerfd = {
	.name = "timerfd",
	.does = "read timers that are file descriptors",
	.op = "one read of an expired timer",
	.checks = "the number of expirations equals the number of periods that have "
		  "passed",
	.classes = CLASS_INTERRUPT | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct timerfd),
	.setup = setup,
	.run = run,
};
