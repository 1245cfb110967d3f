// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "ipc/space.h"
#include "turns/turns.h"

#define BYTES_MAX 8192u

enum { BYTES, TYPES };

static const struct stressor_opt opts[] = {
	[BYTES] = {"bytes", STRESSOR_SIZE, "SIZE", "set the size of each message",
		.min = sizeof(uint32_t), .max = BYTES_MAX, .normal = sizeof(uint32_t),
		.small = sizeof(uint32_t), .large = BYTES_MAX,
		.size = STRESSOR_OF_A_CALL},
	[TYPES] = {"types", STRESSOR_COUNT, "N",
		"use N message types, by which messages are received; 0: one type",
		.max = 100, .large = 100},
	{0},
};

#define AT_ONCE 32u /* messages per turn, if the queue holds that many */

struct message {
	long type;
	unsigned char text[BYTES_MAX]; /* a number, and more bytes derived from it */
};

struct msg {
	struct turns_way way;
	int queue[TURNS_SIDES]; /* queues from which each side receives */
	size_t bytes;
	uint64_t types, put, taken; /* counters of this process */
	struct message message;
};

static long type_of(const struct msg *t, uint64_t n)
{
	return t->types ? (long)(n % t->types) + 1 : 1;
}

static int put(void *ctx, unsigned int from, uint32_t number)
{
	struct msg *t = ctx;
	struct message *m = &t->message;

	m->type = type_of(t, t->put++);
	memset(m->text, (int)(number & UINT8_MAX), t->bytes);
	memcpy(m->text, &number, sizeof(number));
	return msgsnd(t->queue[!from], m, t->bytes, 0) < 0 ? -errno : 0;
}

static bool is_whole(const struct msg *t, ssize_t bytes, uint32_t number)
{
	size_t bad = 0;

	if (bytes != (ssize_t)t->bytes)
		return false;
	for (size_t i = sizeof(number); i < t->bytes; i++)
		bad |= t->message.text[i] ^ (number & UINT8_MAX);
	return !bad && t->message.type == type_of(t, t->taken);
}

static int take(void *ctx, unsigned int to, uint32_t *number)
{
	struct msg *t = ctx;
	long type = t->types ? type_of(t, t->taken) : 0;
	ssize_t n = msgrcv(t->queue[to], &t->message, BYTES_MAX, type, 0);

	if (n < 0)
		return -errno;
	memcpy(number, t->message.text, sizeof(*number));
	if (!is_whole(t, n, *number))
		return -EBADMSG;
	t->taken++;
	return 0;
}

static int run(struct stress *s)
{
	struct msg *t = s->data;

	return turns_run(s, &t->way, t);
}

static unsigned int at_once(const struct msg *t, const struct msqid_ds *is)
{
	size_t n = is->msg_qbytes / t->bytes;

	return n < AT_ONCE ? (unsigned int)n : AT_ONCE;
}

static int make_queue(struct stress *s, unsigned int i)
{
	struct msg *t = s->data;
	struct msqid_ds is;

	t->queue[i] = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
	if (t->queue[i] < 0)
		return stress_error(
			s, errno == ENOSYS ? STRESS_SKIP : STRESS_FAIL, errno, "msgget");
	if (msgctl(t->queue[i], IPC_STAT, &is) < 0)
		return stress_error(s, STRESS_FAIL, errno, "msgctl");
	t->way.at_once = at_once(t, &is);
	if (t->way.at_once)
		return 0;
	return stress_skip(s, "a queue holds %lu bytes, and a message has %zu",
		(unsigned long)is.msg_qbytes, t->bytes);
}

static int setup(struct stress *s)
{
	struct msg *t = s->data;
	int r = ipc_space_enter(s);

	t->bytes = (size_t)s->value[BYTES];
	t->types = s->value[TYPES];
	t->way = (struct turns_way){"msgsnd", "msgrcv", put, take, 1, TEAM_PROCESSES};
	for (unsigned int i = 0; i < TURNS_SIDES && !r; i++)
		r = make_queue(s, i);
	return r;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_msg_man[] =
	"metric time per message: includes the switches between the processes\n"
	"The two processes of an instance in turn send each other as many messages "
	"as a queue holds, at most 32.  The queues belong to an IPC namespace of "
	"the instance; the kernel removes them with it.\n"
	"--types: The receiver requests the type of the next message.\n";

const struct stressor stressor_msg = {
	.name = "msg",
	.does = "pass messages between two processes through System V message queues",
	.op = "one message is sent and received",
	.checks = "each message is the next in order and has the right size, type "
		  "and bytes",
	.needs = IPC_SPACE_NEEDS,
	.caps = IPC_SPACE_CAPS,
	.classes = CLASS_SCHEDULER | CLASS_OS | CLASS_IPC,
	.opts = opts,
	.metrics = turns_metrics,
	.state = sizeof(struct msg),
	.setup = setup,
	.run = run,
};
