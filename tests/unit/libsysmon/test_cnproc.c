// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "events/cnproc.h"
#include "unit.h"

#define MSG_BYTES 76 /* what Linux sends */

/* One datagram, put together by hand from linux/netlink.h, connector.h and cn_proc.h. */
struct dgram {
	unsigned char b[160];
};

static void put16(struct dgram *d, size_t at, unsigned int v)
{
	uint16_t w = (uint16_t)v;

	memcpy(d->b + at, &w, sizeof(w));
}

static void put32(struct dgram *d, size_t at, uint32_t v)
{
	memcpy(d->b + at, &v, sizeof(v));
}

static struct dgram make(uint32_t what, const uint32_t *words, size_t n)
{
	struct dgram d = {{0}};
	uint64_t stamp = UINT64_C(0x0123456789abcdef);

	put32(&d, 0, MSG_BYTES);
	put16(&d, 4, 3);   /* NLMSG_DONE */
	put32(&d, 16, 1);  /* CN_IDX_PROC */
	put32(&d, 20, 1);  /* CN_VAL_PROC */
	put32(&d, 24, 99); /* seq */
	put16(&d, 32, 40);
	put32(&d, 36, what);
	put32(&d, 40, 5); /* cpu */
	memcpy(d.b + 44, &stamp, sizeof(stamp));
	for (size_t i = 0; i < n; i++)
		put32(&d, 52 + 4 * i, words[i]);
	return d;
}

#define MAKE(what, ...)                             \
	make(what, (const uint32_t[]){__VA_ARGS__}, \
		sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static int parse(const struct dgram *d, size_t len, struct sm_proc_event *ev)
{
	uint32_t ack = 0xaaaaaaaa;
	int rc;

	memset(ev, 0xa5, sizeof(*ev));
	rc = sm_cnproc_parse(d->b, len, ev, &ack);
	ck_assert_uint_eq(ack, 0);
	return rc;
}

static struct sm_proc_event parsed(struct dgram d)
{
	struct sm_proc_event ev;

	ck_assert_int_eq(parse(&d, MSG_BYTES, &ev), 0);
	ck_assert_uint_eq(ev.time_ns, UINT64_C(0x0123456789abcdef));
	ck_assert_uint_eq(ev.cpu, 5);
	return ev;
}

static void check_task(
	const struct sm_proc_event *ev, uint32_t what, pid_t pid, pid_t tgid)
{
	ck_assert_uint_eq(ev->what, what);
	ck_assert_int_eq(ev->pid, pid);
	ck_assert_int_eq(ev->tgid, tgid);
}

static void check_parent(const struct sm_proc_event *ev, pid_t ppid, pid_t ptgid)
{
	ck_assert_int_eq(ev->ppid, ppid);
	ck_assert_int_eq(ev->ptgid, ptgid);
}

START_TEST(fork_is_about_the_child)
{
	struct sm_proc_event ev = parsed(MAKE(1, 10, 11, 12, 13));

	check_task(&ev, SM_PROC_FORK, 12, 13);
	check_parent(&ev, 10, 11);
	ck_assert_uint_eq(ev.exit_code, 0);
	ck_assert_int_eq(ev.comm[0], '\0');
}
END_TEST

START_TEST(exec_and_sid_have_the_task_only)
{
	struct sm_proc_event ev = parsed(MAKE(2, 20, 21, 77, 78));

	check_task(&ev, SM_PROC_EXEC, 20, 21);
	check_parent(&ev, 0, 0);
	ev = parsed(MAKE(0x80, 30, 31, 77, 78));
	check_task(&ev, SM_PROC_SID, 30, 31);
	check_parent(&ev, 0, 0);
}
END_TEST

START_TEST(ids_are_real_and_effective)
{
	struct sm_proc_event ev = parsed(MAKE(4, 40, 41, 1000, 0xfffffffe));

	check_task(&ev, SM_PROC_UID, 40, 41);
	ck_assert_uint_eq(ev.rid, 1000);
	ck_assert_uint_eq(ev.eid, 0xfffffffe);
	ev = parsed(MAKE(0x40, 42, 43, 5, 6));
	check_task(&ev, SM_PROC_GID, 42, 43);
	ck_assert_uint_eq(ev.rid, 5);
	ck_assert_uint_eq(ev.eid, 6);
	check_parent(&ev, 0, 0);
}
END_TEST

START_TEST(ptrace_has_the_tracer)
{
	struct sm_proc_event ev = parsed(MAKE(0x100, 50, 51, 52, 53));

	check_task(&ev, SM_PROC_PTRACE, 50, 51);
	check_parent(&ev, 52, 53);
	ev = parsed(MAKE(0x100, 50, 51, 0, 0)); /* detach */
	check_parent(&ev, 0, 0);
}
END_TEST

START_TEST(comm_is_terminated)
{
	struct dgram d = MAKE(0x200, 60, 61);
	struct sm_proc_event ev;

	memcpy(d.b + 60, "fifteen chars!!", 16);
	ev = parsed(d);
	check_task(&ev, SM_PROC_COMM, 60, 61);
	ck_assert_str_eq(ev.comm, "fifteen chars!!");
	memset(d.b + 60, 'x', 16);
	ev = parsed(d);
	ck_assert_str_eq(ev.comm, "xxxxxxxxxxxxxxx");
	check_parent(&ev, 0, 0);
}
END_TEST

START_TEST(coredump_has_the_parent)
{
	struct sm_proc_event ev = parsed(MAKE(0x40000000, 70, 71, 72, 73));

	check_task(&ev, SM_PROC_COREDUMP, 70, 71);
	check_parent(&ev, 72, 73);
}
END_TEST

START_TEST(exit_has_code_signal_and_parent)
{
	struct sm_proc_event ev = parsed(MAKE(0x80000000, 80, 81, 0x8b, 17, 82, 83));

	check_task(&ev, 0x80000000, 80, 81);
	ck_assert_uint_eq(ev.exit_code, 0x8b);
	ck_assert_uint_eq(ev.exit_signal, 17);
	check_parent(&ev, 82, 83);
}
END_TEST

START_TEST(shorter_events_of_old_kernels)
{
	struct dgram d = MAKE(0x80000000, 80, 81, 0x100, 17, 82, 83);
	struct sm_proc_event ev;

	put16(&d, 32, 32); /* without the parent: what is behind is not the event's */
	put32(&d, 0, 68);
	ck_assert_int_eq(parse(&d, 68, &ev), 0);
	ck_assert_uint_eq(ev.exit_code, 0x100);
	check_parent(&ev, 0, 0);
	d = MAKE(0x40000000, 70, 71, 72, 73);
	put16(&d, 32, 24);
	ck_assert_int_eq(parse(&d, MSG_BYTES, &ev), 0);
	check_task(&ev, SM_PROC_COREDUMP, 70, 71);
	check_parent(&ev, 0, 0);
}
END_TEST

START_TEST(longer_events_of_new_kernels)
{
	struct dgram d = MAKE(1, 10, 11, 12, 13);
	struct sm_proc_event ev;

	put16(&d, 32, 80);
	put32(&d, 0, 116);
	ck_assert_int_eq(parse(&d, 116, &ev), 0);
	check_task(&ev, SM_PROC_FORK, 12, 13);
	ck_assert_int_eq(parse(&d, 115, &ev), -EBADMSG);
}
END_TEST

START_TEST(acknowledgement)
{
	struct dgram d = MAKE(0, 22);
	struct sm_proc_event ev;
	uint32_t ack = 0;

	put32(&d, 28, 0xdeadbeef);
	ck_assert_int_eq(sm_cnproc_parse(d.b, MSG_BYTES, &ev, &ack), 0);
	ck_assert_uint_eq(ev.what, SM_PROC_NONE);
	ck_assert_uint_eq(ack, 0xdeadbeef);
	ck_assert_int_eq(ev.pid, 0);
}
END_TEST

START_TEST(malformed_is_refused)
{
	static const struct {
		size_t at;
		uint32_t v;
	} bad[] = {
		{0, 77}, /* nlmsg_len beyond the datagram */
		{0, 75}, /* nlmsg_len shorter than the event */
		{0, 0},
		{0, 0xffffffff},
		{16, 2}, /* another connector */
		{20, 0},
		{32, 41}, /* cn_msg.len beyond nlmsg_len */
		{32, 0xffff},
		{32, 0},
		{32, 31}, /* shorter than a fork */
		{36, 3},  /* two kinds at once */
		{36, 8},  /* an undefined kind */
		{36, 0xffffffff},
	};
	struct sm_proc_event ev;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		struct dgram d = MAKE(1, 10, 11, 12, 13);

		put32(&d, bad[i].at, bad[i].v);
		ck_assert_msg(parse(&d, MSG_BYTES, &ev) == -EBADMSG, "case %zu", i);
	}
}
END_TEST

START_TEST(cut_datagrams_are_refused)
{
	struct dgram d = MAKE(0x80000000, 80, 81, 0, 17, 82, 83);
	struct sm_proc_event ev;

	for (size_t len = 0; len < MSG_BYTES; len++) {
		unsigned char *copy = malloc(len ? len : 1);
		uint32_t ack;

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, d.b, len);
		ck_assert_int_eq(sm_cnproc_parse(copy, len, &ev, &ack), -EBADMSG);
		free(copy);
	}
}
END_TEST

/* --- a socket pair in the kernel's place --- */

static struct sm_cnproc c;
static int peer;

static void setup(void)
{
	int s[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, s), 0);
	ck_assert_int_eq(sm_cnproc_adopt(&c, s[0]), 0);
	ck_assert_int_eq(c.fd, s[0]);
	ck_assert_uint_gt(c.rcvbuf_bytes, 0);
	peer = s[1];
}

static void teardown(void)
{
	sm_cnproc_close(&c);
	ck_assert_int_eq(c.fd, -1);
	sm_cnproc_close(&c);
	close(peer);
}

static void feed(struct dgram d, size_t len)
{
	ck_assert_int_eq(send(peer, d.b, len, 0), (ssize_t)len);
}

START_TEST(read_of_an_empty_queue)
{
	struct sm_proc_event ev[4];

	ck_assert_int_eq(sm_cnproc_read(&c, ev, 4), 0);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 0), 0);
	ck_assert_uint_eq(c.received, 0);
}
END_TEST

START_TEST(read_keeps_the_order_and_the_limit)
{
	struct sm_proc_event ev[8];

	for (uint32_t i = 0; i < 8; i++)
		feed(MAKE(2, 100 + i, 200 + i), MSG_BYTES);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 3), 3);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(ev[i].pid, 100 + i);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), 5);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(ev[i].pid, 103 + i);
	ck_assert_uint_eq(c.received, 8);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), 0);
}
END_TEST

START_TEST(read_passes_over_what_is_not_an_event)
{
	struct sm_proc_event ev[8];
	struct dgram big = MAKE(1, 10, 11, 12, 13);

	feed(MAKE(0x10, 1, 2), MSG_BYTES); /* unknown kind */
	feed(MAKE(0, 0), MSG_BYTES);	   /* somebody's acknowledgement */
	feed(MAKE(1, 10, 11, 12, 13), MSG_BYTES);
	feed(MAKE(1, 10, 11, 12, 13), 0);  /* empty datagram */
	feed(MAKE(1, 10, 11, 12, 13), 60); /* cut */
	feed(big, sizeof(big.b));	   /* more than a vector holds */
	feed(MAKE(2, 20, 21), MSG_BYTES);
	/* Two vectors at a time: batches of rubbish alone must not look like the end. */
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 2), 2);
	check_task(&ev[0], SM_PROC_FORK, 12, 13);
	check_task(&ev[1], SM_PROC_EXEC, 20, 21);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 2), 0);
	ck_assert_uint_eq(c.received, 2);
}
END_TEST

static void *feeder(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < 1000; i++) {
		struct dgram d = MAKE(2, i, i);

		if (send(peer, d.b, MSG_BYTES, 0) != MSG_BYTES)
			break;
	}
	return NULL;
}

START_TEST(read_of_many_batches)
{
	struct sm_proc_event ev[150]; /* 64 + 64 + 22 vectors */
	uint32_t next = 0;
	pthread_t t;

	ck_assert_int_eq(pthread_create(&t, NULL, feeder, NULL), 0);
	while (next < 1000) {
		struct pollfd p = {.fd = c.fd, .events = POLLIN};
		ssize_t n;

		ck_assert_int_eq(poll(&p, 1, -1), 1);
		n = sm_cnproc_read(&c, ev, SM_ARRAY_SIZE(ev));
		ck_assert_int_ge(n, 0);
		for (ssize_t i = 0; i < n; i++)
			ck_assert_int_eq(ev[i].pid, (pid_t)next++);
	}
	ck_assert_int_eq(pthread_join(t, NULL), 0);
	ck_assert_uint_eq(c.received, 1000);
}
END_TEST

START_TEST(read_of_a_bad_fd_is_an_error)
{
	struct sm_cnproc bad;
	struct sm_proc_event ev;
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_cnproc_adopt(&bad, p[0]), 0);
	ck_assert_int_eq(sm_cnproc_read(&bad, &ev, 1), -ENOTSOCK);
	ck_assert_int_eq(sm_cnproc_update_lost(&bad), 0);
	ck_assert_int_eq(sm_cnproc_filter(&bad, SM_PROC_ALL), -ENOTSOCK);
	ck_assert_int_eq(sm_cnproc_listen(&bad, 10), -ENOTSOCK);
	sm_cnproc_close(&bad);
	close(p[1]);
}
END_TEST

/* A check that is due long after the last event, and what is read after it. */
static int check_after(uint64_t ns, struct sm_proc_event *ev, ssize_t *n)
{
	static uint64_t now = 1;
	int rc;

	now += ns;
	rc = sm_cnproc_check(&c, now);
	ck_assert_uint_gt(c.check_ns, now);
	*n = sm_cnproc_read(&c, ev, 4);
	return rc;
}

#define MINUTE (60 * SM_NSEC_PER_SEC)

START_TEST(check_is_silent_while_events_come)
{
	struct sm_proc_event ev[4];
	ssize_t n;

	for (int i = 0; i < 20; i++) {
		feed(MAKE(2, 1, 1), MSG_BYTES);
		ck_assert_int_eq(check_after(MINUTE, ev, &n), 0);
		ck_assert_int_eq(n, 1);
	}
}
END_TEST

START_TEST(check_discards_its_own_event_only)
{
	const uint32_t self = (uint32_t)getpid();
	struct sm_proc_event ev[4];
	ssize_t n;

	c.check_ns = 0;
	feed(MAKE(0x200, self, self), MSG_BYTES);
	feed(MAKE(0x200, self + 1, self + 1), MSG_BYTES);
	feed(MAKE(2, self, self), MSG_BYTES);
	feed(MAKE(0x200, self, self),
		MSG_BYTES); /* another one is somebody else's doing */
	ck_assert_int_eq(check_after(0, ev, &n), 0);
	ck_assert_int_eq(n, 3);
	ck_assert_uint_eq(c.received, 3);
	ck_assert_int_eq(ev[0].pid, (pid_t)self + 1);
	ck_assert_uint_eq(ev[1].what, 2);
	ck_assert_uint_eq(ev[2].what, 0x200);
}
END_TEST

START_TEST(check_reports_that_no_event_comes)
{
	char before[SM_TASK_COMM_LEN] = "", after[SM_TASK_COMM_LEN] = "";
	struct sm_proc_event ev[4];
	ssize_t n;

	prctl(PR_GET_NAME, before);
	feed(MAKE(2, 1, 1), MSG_BYTES);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 4), 1);
	ck_assert_int_eq(check_after(0, ev, &n), 0); /* notes the event */
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(check_after(i ? SM_NSEC_PER_SEC : MINUTE, ev, &n), 0);
	ck_assert_int_eq(check_after(SM_NSEC_PER_SEC - 1, ev, &n), 0); /* not due */
	ck_assert_int_eq(check_after(1, ev, &n), -ENOTCONN);
	prctl(PR_GET_NAME, after);
	ck_assert_str_eq(before, after);
}
END_TEST

START_TEST(check_forgets_a_failure)
{
	struct sm_proc_event ev[4];
	ssize_t n;

	c.check_ns = 0;
	for (int i = 0; i < 20; i++) {
		if (i % 5 == 4)
			feed(MAKE(0x200, (uint32_t)getpid(), 1), MSG_BYTES);
		ck_assert_int_eq(check_after(MINUTE, ev, &n), 0);
		ck_assert_int_eq(n, 0);
	}
}
END_TEST

/* What we have sent: its length, the acknowledgement number and the operation's words. */
static size_t sent(uint32_t *ack, uint32_t op[2])
{
	unsigned char b[128];
	ssize_t n = recv(peer, b, sizeof(b), 0);
	uint32_t len, id[2];
	uint16_t op_len;

	ck_assert_int_ge(n, 40);
	memcpy(&len, b, 4);
	memcpy(id, b + 16, 8);
	memcpy(ack, b + 28, 4);
	memcpy(&op_len, b + 32, 2);
	ck_assert_uint_eq(len, (size_t)n);
	ck_assert_uint_eq(id[0], 1);
	ck_assert_uint_eq(id[1], 1);
	ck_assert_uint_eq(op_len, (size_t)n - 36);
	ck_assert_uint_le(op_len, 8);
	memcpy(op, b + 36, op_len);
	return (size_t)n;
}

/* A kernel that has events under way, answers somebody else first, then us. */
static void *fake_kernel(void *err)
{
	struct dgram d = MAKE(2, 1, 1);
	uint32_t ack, op[2];

	if (sent(&ack, op) != 40 || op[0] != 1)
		return NULL;
	feed(d, MSG_BYTES);
	d = MAKE(0, 22);
	put32(&d, 28, ack);
	feed(d, MSG_BYTES);
	d = make(0, err, 1);
	put32(&d, 28, ack + 1);
	feed(d, MSG_BYTES);
	feed(MAKE(2, 2, 2), MSG_BYTES);
	return NULL;
}

static int listen_to(uint32_t err)
{
	pthread_t t;
	int rc;

	ck_assert_int_eq(pthread_create(&t, NULL, fake_kernel, &err), 0);
	rc = sm_cnproc_listen(&c, 5000);
	ck_assert_int_eq(pthread_join(t, NULL), 0);
	return rc;
}

START_TEST(listen_discards_up_to_our_acknowledgement)
{
	struct sm_proc_event ev[4];
	uint32_t ack, op[2] = {0, 0};

	feed(MAKE(2, 9, 9), MSG_BYTES); /* of before */
	ck_assert_int_eq(listen_to(0), 0);
	ck_assert(c.acked);
	ck_assert(c.listening);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 4), 1);
	ck_assert_int_eq(ev[0].pid, 2);
	ck_assert_uint_eq(c.received, 1);
	sm_cnproc_close(&c);
	ck_assert_uint_eq(sent(&ack, op), 40);
	ck_assert_uint_eq(op[0], 2); /* PROC_CN_MCAST_IGNORE */
}
END_TEST

START_TEST(listen_reports_the_kernels_error)
{
	ck_assert_int_eq(listen_to(EPERM), -EPERM);
	ck_assert(!c.acked);
	ck_assert_int_eq(listen_to(EINVAL), -EINVAL);
	ck_assert_int_eq(listen_to(0xffffffff), -EPROTO); /* no success, whatever it is */
}
END_TEST

START_TEST(listen_without_an_answer_times_out)
{
	ck_assert_int_eq(sm_cnproc_listen(&c, 40), -ETIMEDOUT);
	ck_assert(!c.acked);
	ck_assert_int_eq(sm_cnproc_listen(&c, 0), -ETIMEDOUT);
}
END_TEST

START_TEST(filter_drops_in_the_socket)
{
	struct sm_proc_event ev[8];
	uint32_t ack, op[2] = {0, 0};

	ck_assert_int_eq(sm_cnproc_filter(&c, SM_PROC_EXEC | (uint32_t)SM_PROC_EXIT), 0);
	ck_assert_uint_eq(sent(&ack, op), 44);
	ck_assert_uint_eq(op[0], 1);
	ck_assert_uint_eq(op[1], 0x80000002);
	feed(MAKE(1, 10, 11, 12, 13), MSG_BYTES);
	feed(MAKE(2, 20, 21), MSG_BYTES);
	feed(MAKE(0x200, 30, 31), MSG_BYTES);
	feed(MAKE(0x80000000, 40, 41), MSG_BYTES);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), 2);
	check_task(&ev[0], SM_PROC_EXEC, 20, 21);
	check_task(&ev[1], 0x80000000, 40, 41);
	/* a new filter takes the old one's place */
	ck_assert_int_eq(sm_cnproc_filter(&c, SM_PROC_ALL), 0);
	ck_assert_uint_eq(sent(&ack, op), 44);
	ck_assert_uint_eq(op[1], 0xc00003c7);
	feed(MAKE(0x200, 30, 31), MSG_BYTES);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), 1);
}
END_TEST

START_TEST(nothing_is_lost_on_a_socket_pair)
{
	ck_assert_int_eq(sm_cnproc_update_lost(&c), 0);
	ck_assert_uint_eq(c.lost, 0);
	/* The counter has 32 bits: from 2^32 - 3 to 0 are 3 events. */
	c.lost_seen = UINT32_MAX - 2;
	ck_assert_int_eq(sm_cnproc_update_lost(&c), 3);
	ck_assert_uint_eq(c.lost, 3);
	ck_assert_int_eq(sm_cnproc_update_lost(&c), 0);
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, fork_is_about_the_child);
	tcase_add_test(tc, exec_and_sid_have_the_task_only);
	tcase_add_test(tc, ids_are_real_and_effective);
	tcase_add_test(tc, ptrace_has_the_tracer);
	tcase_add_test(tc, comm_is_terminated);
	tcase_add_test(tc, coredump_has_the_parent);
	tcase_add_test(tc, exit_has_code_signal_and_parent);
	tcase_add_test(tc, shorter_events_of_old_kernels);
	tcase_add_test(tc, longer_events_of_new_kernels);
	tcase_add_test(tc, acknowledgement);
	tcase_add_test(tc, malformed_is_refused);
	tcase_add_test(tc, cut_datagrams_are_refused);
	return tc;
}

static TCase *tc_socket(void)
{
	TCase *tc = tcase_create("socket");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, read_of_an_empty_queue);
	tcase_add_test(tc, read_keeps_the_order_and_the_limit);
	tcase_add_test(tc, read_passes_over_what_is_not_an_event);
	tcase_add_test(tc, read_of_many_batches);
	tcase_add_test(tc, read_of_a_bad_fd_is_an_error);
	tcase_add_test(tc, check_is_silent_while_events_come);
	tcase_add_test(tc, check_discards_its_own_event_only);
	tcase_add_test(tc, check_reports_that_no_event_comes);
	tcase_add_test(tc, check_forgets_a_failure);
	tcase_add_test(tc, listen_discards_up_to_our_acknowledgement);
	tcase_add_test(tc, listen_reports_the_kernels_error);
	tcase_add_test(tc, listen_without_an_answer_times_out);
	tcase_add_test(tc, filter_drops_in_the_socket);
	tcase_add_test(tc, nothing_is_lost_on_a_socket_pair);
	return tc;
}

UNIT_MAIN("cnproc", tc_parse, tc_socket)
