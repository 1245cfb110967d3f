// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instance connects, sends some messages and closes its side of the connection.
 * Its partner accepts, checks the messages and returns the number of checked messages.
 * Then the instance resets the connection, so that no port stays reserved for a closed
 * connection.  A connection without a message asks the partner to exit.
 */
#include <errno.h>
#include <time.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "flow/address.h"
#include "flow/flow.h"

enum { DOMAIN, NODELAY, OPTS, PORT, PROTOCOL, TYPE, ZEROCOPY };

enum { BY_SEND, BY_SENDMSG, BY_SENDMMSG, BY_RANDOM };
static const char *const way_names[] = {"send", "sendmsg", "sendmmsg", "random", NULL};
enum { TCP, MPTCP };
static const char *const protocol_names[] = {"tcp", "mptcp", NULL};
enum { STREAM, SEQPACKET };
static const char *const type_names[] = {"stream", "seqpacket", NULL};

static const struct stressor_opt opts[] = {
	[DOMAIN] = {"domain", STRESSOR_CHOICE, "DOMAIN", "select the address family",
		.normal = FLOW_IPV4, .choices = flow_domains},
	[NODELAY] = {"nodelay", STRESSOR_FLAG, NULL,
		"send small messages immediately over TCP", .max = 1},
	[OPTS] = {"opts", STRESSOR_CHOICE, "CALL", "select the call that sends",
		.normal = BY_SEND, .choices = way_names},
	[PORT] = {"port", STRESSOR_COUNT, "N",
		"set the port of the first instance; 0: a free port for each",
		.max = 65535},
	[PROTOCOL] = {"protocol", STRESSOR_CHOICE, "PROTOCOL",
		"select the protocol for ipv4 and ipv6", .normal = TCP,
		.choices = protocol_names},
	[TYPE] = {"type", STRESSOR_CHOICE, "TYPE",
		"select the socket type; seqpacket needs unix", .normal = STREAM,
		.choices = type_names},
	[ZEROCOPY] = {"zerocopy", STRESSOR_FLAG, NULL,
		"send with MSG_ZEROCOPY, which avoids copies where the kernel can",
		.max = 1},
	{0},
};

enum { THROUGHPUT, CONNECTIONS };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[CONNECTIONS] = {"connections", "/s", .mean = MEAN_RATE},
	{0},
};

#define LEAST_BYTES    16u
#define MOST_BYTES     8192u
#define PER_CONNECTION 64u /* in messages */
#define VECTOR	       4u  /* messages per sendmmsg(2) */
#define BACKLOG	       8
#define IPPROTO_OF_MP  262 /* IPPROTO_MPTCP; missing in older headers */
#define NOTICE_BYTES   256

struct sock {
	struct flow flow;
	struct flow_address address;
	int listener, fd; /* fd: the connection */
	int flags;	  /* flags of the sending calls */
	uint64_t random, sent, bytes, connections;
	uint64_t unheard; /* zero-copy calls whose completion was not yet reported */
};

/* --- the partner -------------------------------------------------------------------- */

/* Waits until the instance has closed the connection: the side that closes it first keeps
 * a port for a minute. */
static int answer(const struct sock *t, int fd)
{
	uint64_t checked = atomic_load(&t->flow.report->messages);
	struct pollfd closed = {.fd = fd};

	if (send(fd, &checked, sizeof(checked), MSG_NOSIGNAL) < 0)
		return -errno;
	while (poll(&closed, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* Returns the number of messages of one connection, or -errno. */
static int take_connection(const struct stress *s, struct sock *t, int fd)
{
	bool stream = s->value[TYPE] == STREAM;
	int n = 0, r;

	do {
		r = flow_receive(
			&t->flow, atomic_load(&t->flow.report->messages), fd, stream);
		n += r > 0;
	} while (r > 0);
	/* The last connection is reset; MPTCP may have closed it before it was accepted.
	 */
	if (n == 0 && (r == -ECONNRESET || r == -ENOTCONN))
		r = 0;
	if (r == 0 && n > 0)
		r = answer(t, fd);
	return r < 0 ? r : n;
}

static int serve(struct stress *s, void *data)
{
	struct sock *t = data;
	int n;

	do {
		int fd = accept4(t->listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0)
			return -errno;
		n = take_connection(s, t, fd);
		if (n < 0) /* the exit of this process closes the connection */
			return n;
		close(fd);
	} while (n > 0);
	return 0;
}

/* --- sending ------------------------------------------------------------------------ */

/* The kernel reports completed zero-copy calls as a range of numbers. */
static void hear_notices(struct sock *t)
{
	_Alignas(struct cmsghdr) char buf[NOTICE_BYTES];

	while (t->unheard) {
		struct msghdr m = {.msg_control = buf, .msg_controllen = sizeof(buf)};
		struct cmsghdr *c;
		struct sock_extended_err e;

		if (recvmsg(t->fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
			return;
		c = CMSG_FIRSTHDR(&m);
		if (!c)
			return;
		memcpy(&e, CMSG_DATA(c), sizeof(e));
		if (e.ee_origin == SO_EE_ORIGIN_ZEROCOPY)
			t->unheard -= e.ee_data - e.ee_info + 1;
	}
}

/* Returns whether the call can be repeated with a copy, because too many zero-copy calls
 * are pending. */
static bool can_copy_instead(struct sock *t, int error, int *flags)
{
	if (error != ENOBUFS || !(*flags & MSG_ZEROCOPY))
		return false;
	hear_notices(t);
	*flags &= ~MSG_ZEROCOPY;
	return true;
}

static int send_rest(struct sock *t, const char *data, size_t bytes)
{
	int flags = t->flags;

	while (bytes) {
		ssize_t n = send(t->fd, data, bytes, flags);

		if (n < 0 && errno != EINTR && !can_copy_instead(t, errno, &flags))
			return -errno;
		t->unheard += n > 0 && flags & MSG_ZEROCOPY;
		data += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Sends up to VECTOR messages, each in two pieces; returns the number of messages sent
 * whole. */
static int send_vector(struct sock *t, unsigned int n)
{
	struct mmsghdr v[VECTOR] = {0};
	struct iovec piece[VECTOR][2];
	struct flow_message m = {0};
	int sent, r;

	for (unsigned int i = 0; i < n; i++) {
		m = flow_message(&t->flow, t->sent + i);
		piece[i][0] = (struct iovec){m.data, m.bytes / 2};
		piece[i][1] = (struct iovec){m.data + m.bytes / 2, m.bytes - m.bytes / 2};
		v[i].msg_hdr.msg_iov = piece[i];
		v[i].msg_hdr.msg_iovlen = 2;
	}
	if (n == 1) {
		ssize_t bytes = sendmsg(t->fd, &v[0].msg_hdr, t->flags);

		sent = bytes < 0 ? -1 : 1;
		v[0].msg_len = bytes < 0 ? 0 : (unsigned int)bytes;
	} else {
		sent = sendmmsg(t->fd, v, n, t->flags);
	}
	if (sent < 0)
		return errno == EINTR || errno == ENOBUFS ? 0 : -errno;
	t->unheard += t->flags & MSG_ZEROCOPY ? (unsigned int)sent : 0;
	m = flow_message(&t->flow, t->sent + (unsigned int)sent - 1);
	r = send_rest(t, m.data + v[sent - 1].msg_len, m.bytes - v[sent - 1].msg_len);
	return r ? r : sent;
}

/* Sends at least one message; returns their number, or -errno. */
static int send_some(struct stress *s, struct sock *t, unsigned int most)
{
	uint64_t way = s->value[OPTS];
	struct flow_message m = flow_message(&t->flow, t->sent);
	int n = 0, r;

	if (way == BY_RANDOM)
		way = stress_random(&t->random) % BY_RANDOM;
	if (way != BY_SEND)
		n = send_vector(t, way == BY_SENDMSG || most < VECTOR ? 1 : VECTOR);
	if (n)
		return n;
	r = send_rest(t, m.data, m.bytes);
	return r ? r : 1;
}

/* --- connections -------------------------------------------------------------------- */

static int set_options(const struct stress *s, const struct sock *t)
{
	int on = 1;

	if (s->value[NODELAY] && s->value[DOMAIN] != FLOW_UNIX &&
		setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		return -errno;
	if (s->value[ZEROCOPY] &&
		setsockopt(t->fd, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on)) < 0)
		return -errno;
	return 0;
}

static int open_connection(const struct stress *s, struct sock *t)
{
	int type = s->value[TYPE] == STREAM ? SOCK_STREAM : SOCK_SEQPACKET;
	int domain = flow_family((enum flow_domain)s->value[DOMAIN]), r;

	t->fd = socket(domain, type | SOCK_CLOEXEC,
		s->value[PROTOCOL] == MPTCP && domain != AF_UNIX ? IPPROTO_OF_MP : 0);
	if (t->fd < 0)
		return -errno;
	r = set_options(s, t);
	if (!r && connect(t->fd, (void *)&t->address.to, t->address.bytes) < 0)
		r = -errno;
	if (r)
		close(t->fd);
	return r;
}

/* Sends at least one message over one connection. */
static int send_messages(struct stress *s, struct sock *t, unsigned int most)
{
	uint64_t end = t->sent + most;
	int n;

	do {
		n = send_some(s, t, (unsigned int)(end - t->sent));
		if (n < 0)
			return n;
		for (int i = 0; i < n; i++)
			t->bytes += flow_message(&t->flow, t->sent++).bytes;
		hear_notices(t);
	} while (t->sent < end && !stress_stopped(s));
	return shutdown(t->fd, SHUT_WR) < 0 ? -errno : 0;
}

/* The partner reports how many messages it has checked. */
static int hear_answer(struct stress *s, struct sock *t)
{
	uint64_t checked = 0;
	ssize_t n;

	do {
		n = recv(t->fd, &checked, sizeof(checked), MSG_WAITALL);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != sizeof(checked)) /* the partner's report contains the reason */
		return -ECONNRESET;
	if (checked != t->sent)
		stress_fail(s, "%llu messages were checked of %llu sent",
			(unsigned long long)checked, (unsigned long long)t->sent);
	return 0;
}

/* Closes the connection with a reset, if the protocol has one. */
static void close_connection(const struct sock *t)
{
	const struct linger now = {.l_onoff = 1};

	(void)setsockopt(t->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(t->fd);
}

static int one_connection(struct stress *s, struct sock *t)
{
	uint64_t before = t->sent, left = s->ops_max - atomic_load_explicit(&s->slot->ops,
							       memory_order_relaxed);
	int r = open_connection(s, t);

	if (r)
		return r;
	t->unheard = 0;
	r = send_messages(
		s, t, left < PER_CONNECTION ? (unsigned int)left : PER_CONNECTION);
	if (!r)
		r = hear_answer(s, t);
	close_connection(t);
	if (!r) {
		stress_add(s, t->sent - before);
		t->connections++;
	}
	return r;
}

/* Opens a connection without a message. */
static int end_partner(const struct stress *s, struct sock *t)
{
	int r = open_connection(s, t);

	if (!r)
		close_connection(t);
	return r;
}

/* --- the instance ------------------------------------------------------------------- */

static void report(struct stress *s, const struct sock *t)
{
	double seconds = (double)(sm_clock_mono_ns() - s->go_ns) / 1e9;

	stress_metric(s, THROUGHPUT, (double)t->bytes / seconds / 1e6);
	stress_metric(s, CONNECTIONS, (double)t->connections / seconds);
}

static int run(struct stress *s)
{
	struct sock *t = s->data;
	int r = flow_start(s, &t->flow, serve, t);

	if (r)
		return r;
	flow_spoil(s, &t->flow);
	close(t->listener); /* connections to a partner that has exited are refused */
	while (r == 0 && s->slot->outcome == STRESS_PASS && stress_goes_on(s))
		r = one_connection(s, t);
	report(s, t);
	if (!r)
		r = end_partner(s, t);
	r = flow_end(s, &t->flow, r != 0, r, "a connection");
	return s->slot->outcome == STRESS_PASS ? r : -1;
}

static int setup(struct stress *s)
{
	struct sock *t = s->data;
	enum flow_domain domain = (enum flow_domain)s->value[DOMAIN];
	unsigned int port = (unsigned int)s->value[PORT];
	int r = flow_set_up(s, &t->flow, LEAST_BYTES, MOST_BYTES);

	if (r)
		return r;
	t->random = s->seed;
	t->flags = MSG_NOSIGNAL | (s->value[ZEROCOPY] ? MSG_ZEROCOPY : 0);
	t->listener = flow_socket(s, domain,
		s->value[TYPE] == STREAM ? SOCK_STREAM : SOCK_SEQPACKET,
		s->value[PROTOCOL] == MPTCP && domain != FLOW_UNIX ? IPPROTO_OF_MP : 0,
		port ? port + s->instance : 0, &t->address);
	if (t->listener < 0)
		return -1;
	t->fd = t->listener;
	r = set_options(s, t);
	if (r)
		return stress_error(s, STRESS_SKIP, -r, "an option of the socket");
	return listen(t->listener, BACKLOG) < 0
		       ? stress_error(s, STRESS_SKIP, errno, "listen")
		       : 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sock_man[] =
	"metric throughput: 1 MB is 10^6 bytes\n"
	"--port: Instance I uses port N + I.  Instances lack the privilege to use "
	"ports below 1024.\n"
	"--opts send: send(2)\n"
	"--opts sendmsg: sendmsg(2), a message in two pieces\n"
	"--opts sendmmsg: sendmmsg(2), four messages in one call\n"
	"--opts random: one of these, drawn for each call\n"
	"A connection carries up to 64 messages of 16 to 8192 bytes.  All sockets "
	"have loopback addresses or abstract names (unix(7)), so no data leaves "
	"the machine.\n";

const struct stressor stressor_sock = {
	.name = "sock",
	.letter = 'S',
	.does = "connect, send messages to another process and disconnect",
	.op = "one message is sent, received and checked",
	.checks = "all bytes of each message, their order, and the number of "
		  "messages that arrived",
	.needs = "a loopback address, for ipv4 and ipv6",
	.classes = CLASS_NETWORK | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.state = sizeof(struct sock),
	.setup = setup,
	.run = run,
};
