// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "turns/turns.h"

enum { NONBLOCK };

static const struct stressor_opt opts[] = {
	[NONBLOCK] = {"nonblock", STRESSOR_FLAG, NULL,
		"use nonblocking descriptors, and poll(2) to wait for them", .max = 1},
	{0},
};

struct eventfd {
	int fd[TURNS_SIDES]; /* descriptors from which each side reads */
};

static int put(void *ctx, unsigned int from, uint32_t number)
{
	const struct eventfd *t = ctx;

	return eventfd_write(t->fd[!from], number) < 0 ? -errno : 0;
}

static int take(void *ctx, unsigned int to, uint32_t *number)
{
	const struct eventfd *t = ctx;
	struct pollfd p = {.fd = t->fd[to], .events = POLLIN};
	eventfd_t value;

	while (eventfd_read(p.fd, &value) < 0)
		if (errno != EAGAIN || poll(&p, 1, -1) < 0)
			return -errno;
	*number = (uint32_t)value;
	return value > UINT32_MAX ? -EBADMSG : 0;
}

/* At most one number is under way, since eventfd(2) would add a second one to it. */
static const struct turns_way way = {"write", "read", put, take, 1, TEAM_PROCESSES};

static int run(struct stress *s)
{
	return turns_run(s, &way, s->data);
}

static int setup(struct stress *s)
{
	int flags = EFD_CLOEXEC | (s->value[NONBLOCK] ? EFD_NONBLOCK : 0);
	struct eventfd *t = s->data;

	for (unsigned int i = 0; i < TURNS_SIDES; i++) {
		t->fd[i] = eventfd(0, flags);
		if (t->fd[i] < 0)
			return stress_error(s,
				errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno,
				"eventfd");
	}
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_eventfd_man[] =
	"metric time per message: includes the switches between the processes\n"
	"An instance has two processes.  Each writes to one descriptor and reads "
	"from the other.\n";

const struct stressor stressor_eventfd = {
	.name = "eventfd",
	.does = "pass numbers between two processes through eventfd(2)",
	.op = "one number is written and read",
	.checks = "each number is one higher than the previous one",
	.classes = CLASS_SCHEDULER | CLASS_OS,
	.opts = opts,
	.metrics = turns_metrics,
	.state = sizeof(struct eventfd),
	.setup = setup,
	.run = run,
};
