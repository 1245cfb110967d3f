// SPDX-License-Identifier: GPL-2.0-or-later
/* On the running kernel, where it lets us: which events the filter diverts, on hand-made
 * datagrams and on the connector's own. */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "events/cnring.h"
#include "unit.h"

#define MSG_BYTES 76
#define MASK	  ((uint32_t)SM_PROC_FORK | SM_PROC_EXEC | (uint32_t)SM_PROC_EXIT)

static struct sm_root root;
static struct sm_cnproc c;
static struct sm_cnring r;
static struct sm_proc_event ev[8192];
static int peer;
static bool permitted;

static void open_ring(void)
{
	int err = sm_cnring_open(&r, &root, &c, MASK);

	permitted = err == 0;
	ck_assert_msg(err == 0 || err == -EPERM || err == -ENOENT || err == -ENOSYS ||
			      err == -EACCES || err == -EINVAL,
		"%s", strerror(-err));
	ck_assert(permitted == (r.on.values != NULL));
}

static void setup_pair(void)
{
	int sv[2];

	peer = -1;
	permitted = false;
	ck_assert_int_eq(sm_root_open(&root, "/"), 0);
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sv), 0);
	ck_assert_int_eq(sm_cnproc_adopt(&c, sv[0]), 0);
	peer = sv[1];
	if (getgid() == 0)
		open_ring();
}

static void teardown(void)
{
	sm_cnring_close(&r);
	sm_cnproc_close(&c);
	sm_root_close(&root);
	close(peer);
}

static void put_event(unsigned char m[MSG_BYTES], uint32_t what, uint32_t pid)
{
	const uint32_t len = MSG_BYTES, one = 1;
	const uint64_t time_ns = 1000 + pid;
	const uint16_t cn_len = 40;

	memset(m, 0, MSG_BYTES);
	memcpy(m, &len, 4);
	memcpy(m + 16, &one, 4);
	memcpy(m + 20, &one, 4);
	memcpy(m + 32, &cn_len, 2);
	memcpy(m + 36, &what, 4);
	memcpy(m + 44, &time_ns, 8);
	for (int at = 52; at < 68; at += 4)
		memcpy(m + at, &pid, 4);
}

/* Where the kernel has the sender's port of a netlink datagram, here it has the sender's
 * group, 0. */
static bool feed(uint32_t what, uint32_t pid)
{
	const struct ucred me = {.pid = getpid()};
	unsigned char m[MSG_BYTES];
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(me))];
	} control = {.head = {.cmsg_len = CMSG_LEN(sizeof(me)),
			     .cmsg_level = SOL_SOCKET,
			     .cmsg_type = SCM_CREDENTIALS}};
	struct iovec iov = {m, sizeof(m)};
	const struct msghdr h = {.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};

	put_event(m, what, pid);
	memcpy(CMSG_DATA(&control.head), &me, sizeof(me));
	return sendmsg(peer, &h, 0) == MSG_BYTES;
}

static void expect_ring(pid_t pid)
{
	ck_assert_int_eq(sm_cnring_read(&r, &c, ev, 8), pid ? 1 : 0);
	if (pid)
		ck_assert_int_eq(ev[0].pid, pid);
}

static void expect_queue(pid_t pid)
{
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), pid ? 1 : 0);
	if (pid)
		ck_assert_int_eq(ev[0].pid, pid);
}

START_TEST(only_while_it_is_on)
{
	if (!permitted)
		return;
	ck_assert(feed(SM_PROC_EXEC, 7));
	expect_ring(0);
	expect_queue(7);
	sm_cnring_divert(&r, true);
	c.clock_offset_ns = 5;
	ck_assert(feed(SM_PROC_EXEC, 8));
	expect_queue(0);
	expect_ring(8);
	ck_assert_uint_eq(ev[0].what, SM_PROC_EXEC);
	ck_assert_uint_eq(ev[0].time_ns, 1008 + 5);
	sm_cnring_divert(&r, false);
	ck_assert(feed(SM_PROC_EXEC, 9));
	expect_ring(0);
	expect_queue(9);
}
END_TEST

START_TEST(only_what_was_asked_for)
{
	if (!permitted)
		return;
	for (int on = 0; on < 2; on++) {
		sm_cnring_divert(&r, on);
		for (unsigned int bit = 0; bit < 32; bit++) {
			uint32_t what = UINT32_C(1) << bit;

			ck_assert(feed(what, 100 + bit));
			expect_ring(on && (what & MASK) ? (pid_t)(100 + bit) : 0);
			expect_queue(!on && (what & MASK) ? (pid_t)(100 + bit) : 0);
		}
		ck_assert(feed(SM_PROC_NONE, 1));
		expect_ring(0);
		expect_queue(0);
	}
}
END_TEST

/* What is in the ring is older than what is in the queue. */
START_TEST(the_order_is_kept)
{
	if (!permitted)
		return;
	ck_assert(feed(SM_PROC_FORK, 1));
	sm_cnring_divert(&r, true);
	ck_assert(feed(SM_PROC_FORK, 2)); /* behind the first */
	expect_ring(0);
	ck_assert_int_eq(sm_cnproc_read(&c, ev, 8), 2);
	ck_assert_int_eq(ev[1].ppid, 2);
	ck_assert(feed(SM_PROC_EXEC, 3));
	expect_ring(3);
}
END_TEST

/* Far more events than fit: the rest is queued until the queue is full as well. */
START_TEST(a_full_ring_loses_nothing)
{
	ssize_t in_ring, in_queue;
	uint32_t sent = 0;

	if (!permitted)
		return;
	sm_cnring_divert(&r, true);
	while (sent < 8000 && feed(SM_PROC_EXEC, sent + 1))
		sent++;
	in_ring = sm_cnring_read(&r, &c, ev, 1000);
	ck_assert_int_eq(in_ring, 1000);
	in_ring += sm_cnring_read(&r, &c, ev + 1000, 7000);
	ck_assert_int_eq(in_ring, SM_CNRING_BYTES / (SM_CNPROC_EVENT_BYTES + 8));
	in_queue = sm_cnproc_read(&c, ev + in_ring, SM_ARRAY_SIZE(ev) - (size_t)in_ring);
	ck_assert_int_gt(in_queue, 0);
	ck_assert_int_eq(in_ring + in_queue, sent);
	for (uint32_t i = 0; i < sent; i++)
		ck_assert_int_eq(ev[i].pid, (pid_t)i + 1);
	ck_assert_uint_eq(c.received, sent);
	ck_assert(feed(SM_PROC_EXEC, 9999));
	expect_ring(9999);
}
END_TEST

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* But the program's, of the last one. */
START_TEST(no_fd_stays)
{
	struct sm_cnring second;
	int before = open_fds();

	if (!permitted)
		return;
	ck_assert_int_eq(sm_cnring_open(&second, &root, &c, MASK), 0);
	ck_assert_int_eq(open_fds(), before);
	sm_cnring_close(&second);
	ck_assert_ptr_null(second.on.values);
}
END_TEST

/* --- the connector ----------------------------------------------------------------- */

static void setup_live(void)
{
	int rc;

	peer = -1;
	permitted = false;
	ck_assert_int_eq(sm_root_open(&root, "/"), 0);
	c = (struct sm_cnproc)SM_CNPROC_INIT;
	rc = sm_cnproc_open(&c, 64 << 20);
	if (rc == 0)
		rc = sm_cnproc_listen(&c, 500);
	ck_assert(rc == 0 || rc == -EPERM || rc == -EPROTONOSUPPORT || rc == -ETIMEDOUT ||
		  rc == -ECONNREFUSED);
	if (rc == 0)
		open_ring();
	if (!permitted)
		return;
	while (sm_cnproc_read(&c, ev, SM_ARRAY_SIZE(ev)) > 0)
		; /* of before the ring */
	sm_cnring_divert(&r, true);
}

static struct watched {
	pid_t pid;
	unsigned int seen, in_ring;
	bool exited;
} child;

/* Of the n events in ev: a number may be given again after the exit. */
static void look_for_child(ssize_t n, bool ring)
{
	ck_assert_int_ge(n, 0);
	for (ssize_t i = 0; i < n && !child.exited; i++)
		if (ev[i].pid == child.pid) {
			child.seen++;
			child.in_ring += ring;
			child.exited = ev[i].what == (uint32_t)SM_PROC_EXIT;
		}
}

/* The ring may have been full of other processes' events: then the child's are in the
 * queue. */
static void read_until_exit(void)
{
	uint64_t end = sm_clock_mono_ns() + 20 * SM_NSEC_PER_SEC;

	while (!child.exited && sm_clock_mono_ns() < end) {
		struct pollfd p = {.fd = c.fd, .events = POLLIN};
		int queued = poll(&p, 1, 0);

		look_for_child(sm_cnring_read(&r, &c, ev, SM_ARRAY_SIZE(ev)), true);
		if (queued > 0)
			look_for_child(sm_cnproc_read(&c, ev, SM_ARRAY_SIZE(ev)), false);
		else if (!child.exited)
			usleep(1000);
	}
	ck_assert(child.exited);
	ck_assert_uint_eq(child.seen, 2);
}

/* Returns how many of the children's 80 events came through the ring. */
static unsigned int run_children(void)
{
	unsigned int in_ring = 0;

	for (int i = 0; i < 40; i++) {
		child = (struct watched){.pid = fork()};
		if (child.pid == 0)
			_exit(3);
		ck_assert_int_gt(child.pid, 0);
		ck_assert_int_eq(waitpid(child.pid, NULL, 0), child.pid);
		read_until_exit();
		in_ring += child.in_ring;
	}
	return in_ring;
}

START_TEST(the_kernels_events)
{
	if (!permitted)
		return;
	ck_assert_uint_gt(run_children(), 0);
	ck_assert_int_eq(sm_cnproc_update_lost(&c), 0);
}
END_TEST

/* The check of cnproc has a filter of its own meanwhile. */
START_TEST(silence)
{
	if (!permitted)
		return;
	sm_cnring_divert(&r, false);
	c.mask = MASK;
	c.checked = c.received;
	ck_assert_int_eq(sm_cnproc_check(&c, c.check_ns), 0);
	while (sm_cnproc_read(&c, ev, SM_ARRAY_SIZE(ev)) > 0)
		;
	sm_cnring_divert(&r, true);
	ck_assert_uint_gt(run_children(), 0);
}
END_TEST

/* A privileged process can send to the socket: queued, where the sender's address shows.
 */
START_TEST(foreign_datagrams)
{
	struct sockaddr_nl to = {.nl_family = AF_NETLINK};
	socklen_t len = sizeof(to);
	struct pollfd p = {.fd = c.fd, .events = POLLIN};
	unsigned char m[MSG_BYTES];
	ssize_t n;

	if (!permitted)
		return;
	ck_assert_int_eq(getsockname(c.fd, (struct sockaddr *)&to, &len), 0);
	to.nl_groups = 0;
	peer = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
	ck_assert_int_ge(peer, 0);
	put_event(m, SM_PROC_EXEC, 0x7abcdef0);
	ck_assert_int_eq(
		sendto(peer, m, sizeof(m), 0, (struct sockaddr *)&to, sizeof(to)),
		MSG_BYTES);
	ck_assert_int_eq(poll(&p, 1, 5000), 1);
	n = sm_cnring_read(&r, &c, ev, SM_ARRAY_SIZE(ev));
	ck_assert_int_ge(n, 0);
	n += sm_cnproc_read(&c, ev + n, SM_ARRAY_SIZE(ev) - (size_t)n);
	for (ssize_t i = 0; i < n; i++)
		ck_assert_int_ne(ev[i].pid, 0x7abcdef0);
}
END_TEST

static TCase *tc_pair(void)
{
	TCase *tc = tcase_create("datagrams");

	tcase_add_checked_fixture(tc, setup_pair, teardown);
	tcase_add_test(tc, only_while_it_is_on);
	tcase_add_test(tc, only_what_was_asked_for);
	tcase_add_test(tc, the_order_is_kept);
	tcase_add_test(tc, a_full_ring_loses_nothing);
	tcase_add_test(tc, no_fd_stays);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("connector");

	tcase_add_checked_fixture(tc, setup_live, teardown);
	tcase_add_test(tc, the_kernels_events);
	tcase_add_test(tc, silence);
	tcase_add_test(tc, foreign_datagrams);
	return tc;
}

UNIT_MAIN("cnring", tc_pair, tc_live)
