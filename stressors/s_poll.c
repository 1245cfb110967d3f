// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Some of several pipes get a byte.  A call that waits for data must report these pipes
 * and no others.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "run/stress.h"

enum { FDS };

static const struct stressor_opt opts[] = {
	[FDS] = {"fds", STRESSOR_COUNT, "N", "wait for N pipes", .min = 1, .max = 8192,
		.normal = 16, .small = 2, .large = 1024},
	{0},
};

enum { WAITS, PER_CALL };
enum call { POLL, PPOLL, SELECT, PSELECT, EPOLL, CALLS };

static const struct stressor_metric metrics[] = {
	[WAITS] = {"waits", "/s", .mean = MEAN_RATE, .headline = "waits/s"},
	[PER_CALL + POLL] = {"time per poll", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + PPOLL] = {"time per ppoll", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + SELECT] = {"time per select", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + PSELECT] = {"time per pselect", "ns", .mean = MEAN_ARITHMETIC},
	[PER_CALL + EPOLL] = {"time per epoll", "ns", .mean = MEAN_ARITHMETIC},
	{0},
};

#define READY_MAX     8u    /* pipes with data at a time */
#define TIMEOUT_EVERY 1024u /* in ops of each call: a wait without data */
#define TIMEOUT_MS    1
#define PIPE_BYTES    12288 /* kernel memory of a pipe with two pages */

struct poll {
	struct pollfd *fd;    /* read ends of the pipes */
	int *to;	      /* write ends of the pipes */
	unsigned char *ready; /* whether a call has reported each pipe */
	unsigned int n;
	unsigned int first, count; /* range of pipes that contain a byte */
	int epoll_fd, most_fd;
	uint64_t random, ops;
	uint64_t calls[CALLS], ns[CALLS];
};

/* --- calls -------------------------------------------------------------------------- */

/* The functions mark the ready pipes and return their number, or -1 with errno. */

static int mark_polled(struct poll *t, int r)
{
	for (unsigned int i = 0; i < t->n && r > 0; i++)
		t->ready[i] = t->fd[i].revents != 0;
	return r;
}

static int by_poll(struct poll *t, int ms)
{
	return mark_polled(t, poll(t->fd, t->n, ms));
}

static int by_ppoll(struct poll *t, int ms)
{
	struct timespec limit = {.tv_nsec = ms * (long)SM_NSEC_PER_MSEC};

	return mark_polled(t, ppoll(t->fd, t->n, &limit, NULL));
}

static void make_set(const struct poll *t, fd_set *set)
{
	FD_ZERO(set);
	for (unsigned int i = 0; i < t->n; i++)
		FD_SET(t->fd[i].fd, set);
}

static int mark_selected(struct poll *t, const fd_set *set, int r)
{
	for (unsigned int i = 0; i < t->n && r > 0; i++)
		t->ready[i] = FD_ISSET(t->fd[i].fd, set) != 0;
	return r;
}

static int by_select(struct poll *t, int ms)
{
	struct timeval limit = {.tv_usec = ms * 1000L};
	fd_set set;

	make_set(t, &set);
	return mark_selected(t, &set, select(t->most_fd + 1, &set, NULL, NULL, &limit));
}

static int by_pselect(struct poll *t, int ms)
{
	struct timespec limit = {.tv_nsec = ms * (long)SM_NSEC_PER_MSEC};
	fd_set set;

	make_set(t, &set);
	return mark_selected(
		t, &set, pselect(t->most_fd + 1, &set, NULL, NULL, &limit, NULL));
}

static int by_epoll(struct poll *t, int ms)
{
	struct epoll_event event[READY_MAX + 1];
	int r = epoll_wait(t->epoll_fd, event, SM_ARRAY_SIZE(event), ms);

	for (int i = 0; i < r; i++)
		t->ready[event[i].data.u32] = 1;
	return r;
}

static const struct {
	const char *name;
	int (*function)(struct poll *t, int ms);
} calls[] = {
	[POLL] = {"poll", by_poll},
	[PPOLL] = {"ppoll", by_ppoll},
	[SELECT] = {"select", by_select},
	[PSELECT] = {"pselect", by_pselect},
	[EPOLL] = {"epoll_wait", by_epoll},
};

/* --- data --------------------------------------------------------------------------- */

static bool has_data(const struct poll *t, unsigned int i)
{
	return (i + t->n - t->first) % t->n < t->count;
}

static int put(struct stress *s)
{
	struct poll *t = s->data;
	unsigned int most = t->n < READY_MAX ? t->n : READY_MAX;

	t->first = (unsigned int)(stress_random(&t->random) % t->n);
	t->count = (unsigned int)(stress_random(&t->random) % most) + 1;
	for (unsigned int i = 0; i < t->count; i++)
		if (write(t->to[(t->first + i) % t->n], "", 1) != 1)
			return stress_error(s, STRESS_FAIL, errno, "write");
	return 0;
}

static int get(struct stress *s)
{
	struct poll *t = s->data;
	char byte;

	for (unsigned int i = 0; i < t->count; i++)
		if (read(t->fd[(t->first + i) % t->n].fd, &byte, 1) != 1)
			return stress_error(s, STRESS_FAIL, errno, "read");
	t->count = 0;
	return 0;
}

/* --- ops ---------------------------------------------------------------------------- */

static int check(struct stress *s, enum call call, int r)
{
	const struct poll *t = s->data;

	if (r != (int)t->count)
		return stress_fail(s, "%s: %d pipes with data instead of %u",
			calls[call].name, r, t->count);
	for (unsigned int i = 0; i < t->n; i++)
		if (t->ready[i] != has_data(t, i))
			return stress_fail(s, "%s: pipe %u has %sdata, but is %sreported",
				calls[call].name, i, has_data(t, i) ? "" : "no ",
				t->ready[i] ? "" : "not ");
	return 0;
}

/* Returns 1 if a signal has interrupted the call, -1 if the result is wrong. */
static int one_call(struct stress *s, enum call call, int ms)
{
	struct poll *t = s->data;
	uint64_t begin_ns, ns;
	int r;

	memset(t->ready, 0, t->n);
	begin_ns = sm_clock_mono_ns();
	r = calls[call].function(t, ms);
	ns = sm_clock_mono_ns() - begin_ns;
	if (r < 0)
		return errno == EINTR ? 1
				      : stress_error(s, STRESS_FAIL, errno, "%s",
						calls[call].name);
	if (t->count) {
		t->ns[call] += ns;
		t->calls[call]++;
	} else if (r == 0 && ns < (uint64_t)ms * SM_NSEC_PER_MSEC) {
		return stress_fail(s, "%s: ended after %llu ns of %d ms",
			calls[call].name, (unsigned long long)ns, ms);
	}
	return check(s, call, r);
}

/* select(2) does not support higher descriptors. */
static bool can_call(const struct poll *t, enum call call)
{
	return (call != SELECT && call != PSELECT) || t->most_fd < FD_SETSIZE;
}

static int op(struct stress *s)
{
	struct poll *t = s->data;
	enum call call = (enum call)(t->ops % CALLS);
	int r;

	if (!can_call(t, call))
		call = POLL;
	if (t->ops / CALLS % TIMEOUT_EVERY == 0 && one_call(s, call, TIMEOUT_MS) < 0)
		return -1;
	if (put(s))
		return -1;
	if (s->spoil && t->ops == 2)
		t->count--;
	do {
		r = one_call(s, call, TIMEOUT_MS);
	} while (r > 0);
	if (!r)
		r = get(s);
	if (!r)
		stress_add(s, 1);
	t->ops++;
	return r;
}

static void report(struct stress *s)
{
	const struct poll *t = s->data;
	uint64_t now = sm_clock_mono_ns();

	if (now > s->go_ns)
		stress_metric(s, WAITS, (double)t->ops * 1e9 / (double)(now - s->go_ns));
	for (unsigned int i = 0; i < CALLS; i++)
		if (t->calls[i])
			stress_metric(
				s, PER_CALL + i, (double)t->ns[i] / (double)t->calls[i]);
}

static int run(struct stress *s)
{
	int r = 0;

	while (r == 0 && stress_goes_on(s))
		r = op(s);
	report(s);
	return r;
}

static uint64_t memory(const struct stress *s)
{
	return s->value[FDS] * PIPE_BYTES;
}

static int add_pipe(struct stress *s, unsigned int i)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
	struct poll *t = s->data;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) < 0)
		return stress_error(s, STRESS_FAIL, errno, "pipe %u", i + 1);
	t->fd[i] = (struct pollfd){.fd = fd[0], .events = POLLIN};
	t->to[i] = fd[1];
	if (fd[0] > t->most_fd)
		t->most_fd = fd[0];
	if (epoll_ctl(t->epoll_fd, EPOLL_CTL_ADD, fd[0], &event) < 0)
		return stress_error(s, STRESS_FAIL, errno, "epoll_ctl");
	return 0;
}

static int setup(struct stress *s)
{
	struct poll *t = s->data;
	int r = 0;

	t->random = s->seed;
	t->n = (unsigned int)s->value[FDS];
	t->fd = calloc(t->n, sizeof(*t->fd));
	t->to = calloc(t->n, sizeof(*t->to));
	t->ready = calloc(t->n, 1);
	if (!t->fd || !t->to || !t->ready)
		return stress_lacks(s, "no memory");
	t->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (t->epoll_fd < 0)
		return stress_error(s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno,
			"epoll_create1");
	for (unsigned int i = 0; i < t->n && !r; i++)
		r = add_pipe(s, i);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_poll_man[] =
	"metric time per epoll: one call with one to eight pipes that have data; "
	"epoll is epoll_wait(2)\n"
	"Before the first ops, and from time to time during the run, the calls "
	"wait for 1 ms while no pipe has data.\n"
	"--fds: Each pipe needs two descriptors; if the limit of open files "
	"(ulimit -n) is lower, the result is \"no resource\".  select(2) and "
	"pselect(2) are omitted if a descriptor is above 1023.\n";

const struct stressor stressor_poll = {
	.name = "poll",
	.letter = 'P',
	.does = "wait for data in pipes with poll(2), ppoll(2), select(2), "
		"pselect(2) and epoll_wait(2)",
	.op = "one wait that reports one to eight pipes with data",
	.checks = "each pipe with data is reported, and no other pipe is; a wait "
		  "without data does not end before its time",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.memory = memory,
	.state = sizeof(struct poll),
	.setup = setup,
	.run = run,
};
