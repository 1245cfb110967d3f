// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <mqueue.h>
#include <stdio.h>

#include "turns/turns.h"

enum { SIZE };

static const struct stressor_opt opts[] = {
	[SIZE] = {"size", STRESSOR_COUNT, "N",
		"set the number of messages that a queue holds", .min = 1, .max = 32,
		.normal = 10, .small = 1, .large = 32},
	{0},
};

#define USUAL_SIZE 10 /* default limit of the kernel */
#define TRIES	   16

struct mq {
	struct turns_way way;
	mqd_t queue[TURNS_SIDES]; /* queues from which each side receives */
	uint64_t random;
};

static int put(void *ctx, unsigned int from, uint32_t number)
{
	const struct mq *t = ctx;

	return mq_send(t->queue[!from], (const char *)&number, sizeof(number), 0) < 0
		       ? -errno
		       : 0;
}

static int take(void *ctx, unsigned int to, uint32_t *number)
{
	const struct mq *t = ctx;
	ssize_t n = mq_receive(t->queue[to], (char *)number, sizeof(*number), NULL);

	if (n < 0)
		return -errno;
	return n == sizeof(*number) ? 0 : -EBADMSG;
}

static int run(struct stress *s)
{
	struct mq *t = s->data;

	return turns_run(s, &t->way, t);
}

/* Creates a queue and removes its name; the queue ends with its last descriptor.  Returns
 * -errno on failure. */
static mqd_t make_queue(struct mq *t, long size)
{
	struct mq_attr attr = {.mq_maxmsg = size, .mq_msgsize = sizeof(uint32_t)};
	int error = EEXIST;
	char name[40];

	for (unsigned int i = 0; i < TRIES && error == EEXIST; i++) {
		mqd_t queue;

		snprintf(name, sizeof(name), "/stressors-%016" PRIx64,
			stress_random(&t->random));
		queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
		if (queue >= 0)
			return mq_unlink(name) < 0 ? -errno : queue;
		error = errno;
	}
	return -error;
}

/* A limit above the kernel's requires a privilege. */
static int open_queues(struct stress *s, long size)
{
	struct mq *t = s->data;

	t->way.at_once = (unsigned int)size;
	for (unsigned int i = 0; i < TURNS_SIDES; i++) {
		t->queue[i] = make_queue(t, size);
		if (t->queue[i] < 0)
			return t->queue[i];
	}
	return 0;
}

static int setup(struct stress *s)
{
	long size = (long)s->value[SIZE];
	struct mq *t = s->data;
	int r;

	t->way =
		(struct turns_way){"mq_send", "mq_receive", put, take, 1, TEAM_PROCESSES};
	t->random = s->seed ^ sm_clock_mono_ns();
	r = open_queues(s, size);
	if (r == -EINVAL && size > USUAL_SIZE) {
		stress_note(s,
			"the queues hold %d messages; more require CAP_SYS_RESOURCE or a "
			"higher /proc/sys/fs/mqueue/msg_max",
			USUAL_SIZE);
		r = open_queues(s, USUAL_SIZE);
	}
	if (!r)
		return 0;
	return stress_error(s, r == -ENOSYS || r == -EINVAL ? STRESS_SKIP : STRESS_FAIL,
		-r, "mq_open");
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_mq_man[] =
	"metric time per message: includes the switches between the processes\n"
	"The two processes of an instance fill and empty each other's queue in "
	"turn.  A queue has a name only while it is being created.  Its memory is "
	"limited by ulimit -q.\n"
	"--size: A number above /proc/sys/fs/mqueue/msg_max, which is usually 10, "
	"requires CAP_SYS_RESOURCE; without it, 10 is used, with a message.\n";

const struct stressor stressor_mq = {
	.name = "mq",
	.does = "pass messages between two processes through POSIX message queues",
	.op = "one message is sent and received",
	.checks = "the number of each message is one higher than the previous one",
	.caps = STRESSOR_CAP(CAP_SYS_RESOURCE), /* for a size above msg_max */
	.classes = CLASS_SCHEDULER | CLASS_OS | CLASS_IPC,
	.opts = opts,
	.metrics = turns_metrics,
	.state = sizeof(struct mq),
	.setup = setup,
	.run = run,
};
