// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instance writes to many socket pairs in turn, and its partner reads from them in
 * the same order.  There are pairs of all three types.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow/flow.h"

enum { THROUGHPUT, PAIRS };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[PAIRS] = {"pairs", "", .mean = MEAN_MIN},
	{0},
};

#define MOST_PAIRS  96u
#define LEAST_BYTES 1u
#define MOST_BYTES  4096u

static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};

struct sockpair {
	struct flow flow;
	unsigned int n;
	int to[MOST_PAIRS], from[MOST_PAIRS];
	uint64_t sent, bytes;
};

static int type_of(unsigned int pair)
{
	return types[pair % SM_ARRAY_SIZE(types)];
}

/* Returns the pair of a message. */
static unsigned int pair_of(const struct sockpair *t, uint64_t number)
{
	return t->n > 1 ? (unsigned int)(number % t->n) : 0;
}

static int read_all(struct stress *s, void *data)
{
	struct sockpair *t = data;
	uint64_t number = 0;
	int r;

	(void)s;
	for (unsigned int i = 0; i < t->n; i++)
		close(t->to[i]);
	do {
		unsigned int pair = pair_of(t, number);

		r = flow_receive(
			&t->flow, number, t->from[pair], type_of(pair) == SOCK_STREAM);
		number += r > 0;
	} while (r > 0);
	return r;
}

static int write_next(struct sockpair *t)
{
	struct flow_message m = flow_message(&t->flow, t->sent);
	size_t done = 0;

	while (done < m.bytes) {
		ssize_t n = send(t->to[pair_of(t, t->sent)], m.data + done,
			m.bytes - done, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	t->sent++;
	t->bytes += m.bytes;
	return 0;
}

/* Ends the data at the pair where the partner waits: an empty message, or the end of the
 * stream. */
static int end_partner(const struct sockpair *t)
{
	unsigned int pair = pair_of(t, t->sent);
	int r = type_of(pair) == SOCK_STREAM
			? shutdown(t->to[pair], SHUT_WR)
			: (int)send(t->to[pair], "", 0, MSG_NOSIGNAL);

	return r < 0 ? -errno : 0;
}

static int run(struct stress *s)
{
	struct sockpair *t = s->data;
	int r = flow_start(s, &t->flow, read_all, t);

	if (r)
		return r;
	flow_spoil(s, &t->flow);
	for (unsigned int i = 0; i < t->n; i++)
		close(t->from[i]); /* so that the exit of the partner is noticed */
	while (r == 0 && stress_goes_on(s)) {
		r = write_next(t);
		if (r == 0)
			stress_add(s, 1);
	}
	stress_metric(s, THROUGHPUT,
		(double)t->bytes * 1e3 / (double)(sm_clock_mono_ns() - s->go_ns));
	stress_metric(s, PAIRS, t->n);
	if (!r)
		r = end_partner(t);
	r = flow_end(s, &t->flow, r != 0, r, "send");
	if (!r && atomic_load(&t->flow.report->messages) != t->sent)
		return stress_fail(s, "%llu messages were read of %llu sent",
			(unsigned long long)atomic_load(&t->flow.report->messages),
			(unsigned long long)t->sent);
	return r;
}

/* Creates as many pairs as there are descriptors for, at least one of each type. */
static int setup(struct stress *s)
{
	struct sockpair *t = s->data;
	int r = flow_set_up(s, &t->flow, LEAST_BYTES, MOST_BYTES);

	for (; t->n < MOST_PAIRS && !r; t->n++) {
		int fd[2];

		if (socketpair(AF_UNIX, type_of(t->n) | SOCK_CLOEXEC, 0, fd) < 0) {
			r = errno;
			break;
		}
		t->to[t->n] = fd[0];
		t->from[t->n] = fd[1];
	}
	if (r < 0)
		return r;
	if (r && (!stress_is_lack(r) || t->n < SM_ARRAY_SIZE(types)))
		return stress_error(s, STRESS_SKIP, r, "a pair of sockets");
	if (r)
		stress_note(s, "%u pairs: %s", t->n, strerror(r));
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sockpair_man[] =
	"metric throughput: 1 MB is 10^6 bytes\n"
	"metric pairs: 96, or fewer if there are not enough descriptors\n"
	"Messages have 1 to 4096 bytes.  The pairs are in turn stream, datagram "
	"and sequenced-packet sockets of unix(7).\n";

const struct stressor stressor_sockpair = {
	.name = "sockpair",
	.does = "move data to another process through socket pairs of socketpair(2)",
	.op = "one message is sent and read",
	.checks = "all bytes of each message, and their order",
	.classes = CLASS_NETWORK | CLASS_OS,
	.metrics = metrics,
	.state = sizeof(struct sockpair),
	.setup = setup,
	.run = run,
};
