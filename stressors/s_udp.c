// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The partner sends datagrams, and the instance receives and checks them.  A datagram
 * begins with its number, since some may be lost or arrive late, which is not a
 * failure.  From time to time, the instance reports to the partner how many have
 * arrived, and the partner does not send more than the sockets can hold.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "flow/address.h"
#include "flow/flow.h"

enum { DOMAIN, GRO, LITE, PORT };

static const struct stressor_opt opts[] = {
	[DOMAIN] = {"domain", STRESSOR_CHOICE, "DOMAIN", "select the address family",
		.normal = FLOW_IPV4, .choices = flow_domains},
	[GRO] = {"gro", STRESSOR_FLAG, NULL, "send and receive many datagrams as one",
		.max = 1},
	[LITE] = {"lite", STRESSOR_FLAG, NULL, "use UDP-Lite", .max = 1},
	[PORT] = {"port", STRESSOR_COUNT, "N",
		"set the port of the first instance; 0: a free port for each",
		.max = 65535},
	{0},
};

enum { THROUGHPUT, LOST };

static const struct stressor_metric metrics[] = {
	[THROUGHPUT] = {"throughput", "MB/s", .mean = MEAN_RATE, .headline = "MB/s"},
	[LOST] = {"lost", "datagrams", .mean = MEAN_SUM},
	{0},
};

#define LEAST_BYTES   16u /* least bytes of a datagram, without its number */
#define MOST_BYTES    2040u
#define SEGMENT_BYTES 1024u /* with --udp-gro: bytes of a datagram with its number */
#define BATCH	      16u   /* datagrams per call with --udp-gro */
#define WINDOW	      32u   /* datagrams in flight */
#define TELL_EVERY    8u
#define CONNECT_EVERY 64u
#define WAIT_USEC     5000
#define ROOM	      65536u
/* Missing in older headers. */
#define OPT_SEGMENT	103
#define OPT_GRO		104
#define LITE_PROTOCOL	136
#define LITE_SEND_COVER 10
#define LITE_RECV_COVER 11
#define LITE_COVERED	16 /* bytes covered by the checksum */

struct udp {
	struct flow flow;
	struct flow_address own, others;
	int receiver, sender;
	unsigned int batch;
	uint64_t next, lost, late, bytes;
	char room[ROOM];
};

/* --- the partner -------------------------------------------------------------------- */

/* Returns 1 if the call must be repeated, or -errno. */
static int is_passing(int error)
{
	bool passes = error == EINTR || error == EAGAIN || error == ENOBUFS ||
		      error == ECONNREFUSED;

	return passes ? 1 : -error;
}

static int send_batch(const struct udp *t, uint64_t first)
{
	uint64_t number[BATCH];
	struct iovec v[2 * BATCH];
	struct msghdr h = {.msg_iov = v, .msg_iovlen = 2 * t->batch};

	for (unsigned int i = 0; i < t->batch; i++) {
		struct flow_message m = flow_message(&t->flow, first + i);

		number[i] = first + i;
		v[2 * i] = (struct iovec){&number[i], sizeof(number[i])};
		v[2 * i + 1] = (struct iovec){m.data, m.bytes};
	}
	return sendmsg(t->sender, &h, MSG_NOSIGNAL) < 0 ? is_passing(errno) : 0;
}

/* Reads the reports of the instance until there is room for a batch.  If there is no
 * report, all datagrams may be lost. */
static int hear(const struct udp *t, uint64_t sent, uint64_t *arrived)
{
	while (sent + t->batch - *arrived > WINDOW) {
		uint64_t told;
		ssize_t n = recv(t->sender, &told, sizeof(told), 0);

		if (n < 0 && is_passing(errno) < 0)
			return -errno;
		if (n < 0)
			*arrived = sent;
		else if (told > *arrived && told <= sent)
			*arrived = told;
	}
	return 0;
}

static int send_all(struct stress *s, void *data)
{
	struct udp *t = data;
	uint64_t sent = 0, arrived = 0;
	int r = 0;

	flow_spoil(s, &t->flow);
	while (r >= 0 && !stress_stopped(s)) {
		if (sent % CONNECT_EVERY == 0 &&
			connect(t->sender, (void *)&t->own.to, t->own.bytes) < 0)
			return -errno;
		r = hear(t, sent, &arrived);
		if (!r)
			r = send_batch(t, sent);
		sent += r == 0 ? t->batch : 0;
	}
	return r < 0 ? r : 0;
}

/* --- the instance ------------------------------------------------------------------- */

/* Counts a datagram: the next one, one that follows lost ones, or one that was counted as
 * lost. */
static void count(struct udp *t, uint64_t number)
{
	if (number < t->next) {
		t->late++;
		return;
	}
	t->lost += number - t->next;
	t->next = number + 1;
}

static int tell(const struct udp *t)
{
	ssize_t n =
		send(t->receiver, &t->next, sizeof(t->next), MSG_DONTWAIT | MSG_NOSIGNAL);

	return n < 0 && is_passing(errno) < 0 ? -errno : 0;
}

static int take(struct stress *s, struct udp *t, const char *got, size_t bytes)
{
	uint64_t number = 0;

	if (bytes >= sizeof(number))
		memcpy(&number, got, sizeof(number));
	else
		return stress_fail(s, "a datagram of %zu bytes", bytes);
	if (!flow_check(&t->flow, number, got + sizeof(number), bytes - sizeof(number)))
		return -1;
	count(t, number);
	t->bytes += bytes;
	stress_add(s, 1);
	return number % TELL_EVERY == TELL_EVERY - 1 ? tell(t) : 0;
}

/* Returns the size of each datagram except the last one, of several that arrived as one.
 */
static size_t size_of_each(struct msghdr *h, size_t bytes)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(h);
	int size = 0;

	if (c && c->cmsg_level == IPPROTO_UDP && c->cmsg_type == OPT_GRO)
		memcpy(&size, CMSG_DATA(c), sizeof(size));
	return size > 0 ? (size_t)size : bytes;
}

static int receive(struct stress *s, struct udp *t)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct iovec v = {t->room, sizeof(t->room)};
	struct msghdr h = {.msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control)};
	ssize_t n = recvmsg(t->receiver, &h, 0);
	size_t each;
	int r = 0;

	if (n < 0)
		return is_passing(errno);
	each = size_of_each(&h, (size_t)n);
	for (size_t at = 0; at < (size_t)n && r == 0 && stress_goes_on(s); at += each) {
		size_t left = (size_t)n - at;

		r = take(s, t, t->room + at, left < each ? left : each);
	}
	return r;
}

static void report(struct stress *s, const struct udp *t)
{
	double seconds = (double)(sm_clock_mono_ns() - s->go_ns) / 1e9;
	/* Some may have arrived twice. */
	uint64_t lost = t->lost > t->late ? t->lost - t->late : 0;

	stress_metric(s, THROUGHPUT, (double)t->bytes / seconds / 1e6);
	stress_metric(s, LOST, (double)lost);
}

static int run(struct stress *s)
{
	struct udp *t = s->data;
	int r = flow_start(s, &t->flow, send_all, t);

	if (r)
		return r;
	while (r >= 0 && stress_goes_on(s)) {
		r = receive(s, t);
		if (r > 0 && flow_has_ended(&t->flow))
			break;
	}
	report(s, t);
	r = flow_end(s, &t->flow, !flow_has_ended(&t->flow), r < 0 ? r : 0, "recvmsg");
	return s->slot->outcome == STRESS_PASS ? r : -1;
}

/* --- setup -------------------------------------------------------------------------- */

static int set_option(
	struct stress *s, int fd, int level, int option, int value, const char *name)
{
	if (setsockopt(fd, level, option, &value, sizeof(value)) < 0)
		return stress_error(s, STRESS_SKIP, errno, "the option %s", name);
	return 0;
}

static int set_options(struct stress *s, struct udp *t)
{
	const struct timeval wait = {.tv_usec = WAIT_USEC};
	bool ip = s->value[DOMAIN] != FLOW_UNIX;
	int r = 0;

	if (setsockopt(t->receiver, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) < 0 ||
		setsockopt(t->sender, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) < 0)
		return stress_error(s, STRESS_FAIL, errno, "SO_RCVTIMEO");
	if (ip && s->value[LITE])
		r = set_option(s, t->sender, LITE_PROTOCOL, LITE_SEND_COVER, LITE_COVERED,
			"UDPLITE_SEND_CSCOV");
	if (!r && ip && s->value[LITE])
		r = set_option(s, t->receiver, LITE_PROTOCOL, LITE_RECV_COVER,
			LITE_COVERED, "UDPLITE_RECV_CSCOV");
	if (!r && t->batch > 1)
		r = set_option(s, t->receiver, IPPROTO_UDP, OPT_GRO, 1, "UDP_GRO");
	if (!r && t->batch > 1)
		r = set_option(s, t->sender, IPPROTO_UDP, OPT_SEGMENT, SEGMENT_BYTES,
			"UDP_SEGMENT");
	return r;
}

static int setup(struct stress *s)
{
	struct udp *t = s->data;
	enum flow_domain domain = (enum flow_domain)s->value[DOMAIN];
	unsigned int port = (unsigned int)s->value[PORT];
	bool ip = domain != FLOW_UNIX, gro = ip && s->value[GRO];
	int protocol = ip && s->value[LITE] ? LITE_PROTOCOL : 0;
	int r = flow_set_up(s, &t->flow,
		gro ? SEGMENT_BYTES - sizeof(uint64_t) : LEAST_BYTES,
		gro ? SEGMENT_BYTES - sizeof(uint64_t) : MOST_BYTES);

	if (r)
		return r;
	if (protocol && gro)
		return stress_skip(s, "UDP-Lite does not support UDP_SEGMENT");
	t->batch = gro ? BATCH : 1;
	t->receiver = flow_socket(
		s, domain, SOCK_DGRAM, protocol, port ? port + s->instance : 0, &t->own);
	if (t->receiver < 0)
		return -1;
	t->sender = flow_socket(s, domain, SOCK_DGRAM, protocol, 0, &t->others);
	if (t->sender < 0)
		return -1;
	if (connect(t->receiver, (void *)&t->others.to, t->others.bytes) < 0)
		return stress_error(s, STRESS_FAIL, errno, "connect");
	return set_options(s, t);
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_udp_man[] =
	"metric throughput: datagrams that arrived; 1 MB is 10^6 bytes\n"
	"metric lost: datagrams that did not arrive later either\n"
	"--port: Instance I receives at port N + I.  Instances lack the privilege "
	"to use ports below 1024.\n"
	"--gro: This uses UDP_SEGMENT and UDP_GRO; for ipv4 and ipv6 only.\n"
	"--lite: See udplite(7); for ipv4 and ipv6 only, and not with --udp-gro.\n"
	"Datagrams have 24 to 2048 bytes; with --udp-gro, 1024.  Lost datagrams "
	"are counted.  All sockets have loopback addresses or abstract names "
	"(unix(7)), so no data leaves the machine.\n";

const struct stressor stressor_udp = {
	.name = "udp",
	.does = "send datagrams to another process",
	.op = "one datagram is received and checked",
	.checks = "all bytes of each datagram that arrives",
	.needs = "a loopback address, for ipv4 and ipv6",
	.classes = CLASS_NETWORK | CLASS_OS,
	.opts = opts,
	.metrics = metrics,
	.state = sizeof(struct udp),
	.setup = setup,
	.run = run,
};
