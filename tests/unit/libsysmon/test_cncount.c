// SPDX-License-Identifier: GPL-2.0-or-later
/* On the running kernel, where it lets us: the counters in the kernel against a second
 * listener that reads every event, and against what we did ourselves. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "events/cncount.h"
#include "unit.h"

#define MINE 40u

static struct sm_cnproc socket_, other;
static struct sm_cncount counter;
static bool permitted;

static bool listen_on(struct sm_cnproc *c, size_t rcvbuf)
{
	int rc = sm_cnproc_open(c, rcvbuf);

	if (rc < 0) {
		ck_assert(rc == -EPERM || rc == -EPROTONOSUPPORT);
		return false;
	}
	rc = sm_cnproc_listen(c, 500);
	if (rc == 0)
		return true;
	ck_assert(rc == -EPERM || rc == -ETIMEDOUT || rc == -ECONNREFUSED);
	sm_cnproc_close(c);
	return false;
}

static bool is_before_5_5(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname u;

	ck_assert_int_eq(uname(&u), 0);
	ck_assert_int_eq(sscanf(u.release, "%u.%u", &major, &minor), 2);
	return major < 5 || (major == 5 && minor < 5);
}

static void setup(void)
{
	int err;

	socket_ = other = (struct sm_cnproc)SM_CNPROC_INIT;
	permitted = false;
	if (!listen_on(&socket_, 0))
		return;
	err = sm_cncount_open(&counter, &socket_);
	/* Before Linux 5.5 there is no such map: -EINVAL. */
	ck_assert(err == 0 || err == -EPERM || err == -ENOSYS ||
		  (err == -EINVAL && is_before_5_5()));
	ck_assert(err == 0 || !counter.counters.values);
	permitted = err == 0;
}

static void teardown(void)
{
	if (permitted)
		sm_cncount_close(&counter);
	sm_cnproc_close(&socket_);
	sm_cnproc_close(&other);
}

static struct sm_cncounts now(void)
{
	struct sm_cncounts c;

	sm_cncount_read(&counter, &c);
	return c;
}

/* The end of an exec of what is there is soon, too. */
static pid_t vfork_one(bool exec)
{
	pid_t pid = vfork();

	if (pid == 0) {
		if (exec)
			execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	return pid;
}

static void run_children(unsigned int n, bool exec)
{
	for (unsigned int i = 0; i < n; i++) {
		pid_t pid = vfork_one(exec);

		ck_assert_int_ge(pid, 0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
}

/* The exit event follows after wait(2) returns. */
static void await_exits(uint64_t want)
{
	uint64_t end = sm_clock_mono_ns() + 20 * SM_NSEC_PER_SEC;

	while (now().exits < want && sm_clock_mono_ns() < end)
		usleep(1000);
}

static void *nothing(void *arg)
{
	return arg;
}

static void run_threads(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		pthread_t t;

		ck_assert_int_eq(pthread_create(&t, NULL, nothing, NULL), 0);
		ck_assert_int_eq(pthread_join(t, NULL), 0);
	}
}

START_TEST(every_child_is_counted)
{
	struct sm_cncounts before, after;

	if (!permitted)
		return;
	before = now();
	run_children(MINE, false);
	await_exits(before.exits + MINE);
	after = now();
	/* what others did meanwhile only adds */
	ck_assert_uint_ge(after.forks, before.forks + MINE);
	ck_assert_uint_ge(after.exits, before.exits + MINE);
	before = after;
	run_children(MINE, true);
	await_exits(before.exits + MINE);
	after = now();
	ck_assert_uint_ge(after.forks, before.forks + MINE);
	ck_assert_uint_ge(after.execs, before.execs + MINE);
	ck_assert_uint_ge(after.exits, before.exits + MINE);
}
END_TEST

struct tally {
	struct sm_cncounts processes;
	unsigned int all;
};

/* What another listener has got up to now. */
static void tally_other(struct tally *t)
{
	struct sm_proc_event ev[64];
	ssize_t n;

	do {
		n = sm_cnproc_read(&other, ev, 64);
		ck_assert_int_ge(n, 0);
		for (ssize_t i = 0; i < n; i++) {
			bool process = ev[i].pid == ev[i].tgid;

			t->all++;
			t->processes.forks += process && ev[i].what == SM_PROC_FORK;
			t->processes.execs += process && ev[i].what == SM_PROC_EXEC;
			t->processes.exits +=
				process && ev[i].what == (uint32_t)SM_PROC_EXIT;
		}
	} while (n > 0);
}

static bool equal(const struct sm_cncounts *a, const struct sm_cncounts *b)
{
	return a->forks == b->forks && a->execs == b->execs && a->exits == b->exits;
}

/* The counters before and after our reading of the queue are the same: then what it had
 * is all there is. */
static bool is_quiet(struct tally *t, struct sm_cncounts *c)
{
	struct sm_cncounts again;

	*c = now();
	usleep(2000);
	tally_other(t);
	again = now();
	return equal(c, &again);
}

/* False: this machine is never quiet. */
static bool await_quiet(struct tally *t, struct sm_cncounts *c)
{
	int tries = 200;

	while (!is_quiet(t, c) && tries)
		tries--;
	return tries > 0;
}

/* Threads and all other kinds are left out, exactly. */
START_TEST(equals_what_a_reader_counts)
{
	struct tally t = {{0, 0, 0}, 0}, start;
	struct sm_cncounts c, base;

	if (!permitted || !listen_on(&other, 8 << 20) || !await_quiet(&t, &base))
		return;
	start = t;
	run_threads(50);
	run_children(10, true);
	run_children(10, false);
	ck_assert_int_eq(prctl(PR_SET_NAME, "renamed"), 0); /* an event of another kind */
	await_exits(base.exits + 20);
	if (!await_quiet(&t, &c))
		return;
	ck_assert_int_eq(sm_cnproc_update_lost(&other), 0);
	ck_assert_uint_ge(t.all - start.all, 100 + 20 * 2 + 10 + 1);
	ck_assert_uint_eq(
		c.forks - base.forks, t.processes.forks - start.processes.forks);
	ck_assert_uint_eq(
		c.execs - base.execs, t.processes.execs - start.processes.execs);
	ck_assert_uint_eq(
		c.exits - base.exits, t.processes.exits - start.processes.exits);
	ck_assert_uint_ge(c.forks - base.forks, 20);
}
END_TEST

/* Nothing is queued: no wake-up, and no loss. */
START_TEST(nothing_is_queued)
{
	struct pollfd p = {.fd = socket_.fd, .events = POLLIN};
	struct sm_proc_event ev[64];
	struct sm_cncounts before;

	if (!permitted)
		return;
	while (sm_cnproc_read(&socket_, ev, 64) > 0)
		; /* of before the counter */
	before = now();
	/* far more than the default buffer takes */
	run_children(400, false);
	ck_assert_int_eq(poll(&p, 1, 20), 0);
	ck_assert_int_eq(sm_cnproc_read(&socket_, ev, 64), 0);
	ck_assert_int_eq(sm_cnproc_update_lost(&socket_), 0);
	await_exits(before.exits + 400);
	ck_assert_uint_ge(now().forks, before.forks + 400);
	ck_assert_uint_ge(now().exits, before.exits + 400);
}
END_TEST

/* ---- without privileges ---- */

static int set_caps(uint64_t caps)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];

	for (int i = 0; i < 2; i++)
		d[i] = (struct __user_cap_data_struct){
			.effective = (uint32_t)(caps >> 32 * i),
			.permitted = (uint32_t)(caps >> 32 * i)};
	return (int)syscall(SYS_capset, &h, d);
}

static int goes_on(void)
{
	struct sm_cncounts before;

	if (set_caps(0) < 0)
		return 1;
	before = now();
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 2;
	}
	await_exits(before.exits + 5);
	if (now().forks < before.forks + 5 || now().exits < before.exits + 5)
		return 3;
	return 0;
}

/* With no capability at all a second one is refused, and leaves nothing behind. */
static int is_refused(void)
{
	struct sm_cncount second;
	int fd = dup(2), after, err;

	close(fd);
	if (set_caps(0) < 0)
		return 1;
	err = sm_cncount_open(&second, &socket_);
	after = dup(2);
	if (err == 0) /* kernel.unprivileged_bpf_disabled = 0 */
		return second.counters.values ? 0 : 2;
	if (err != -EPERM || second.counters.values || after != fd)
		return 3;
	sm_cncount_close(&second);
	return 0;
}

/* CAP_BPF is enough. */
static int is_allowed(void)
{
	struct sm_cncount second;

	if (set_caps(UINT64_C(1) << 39) < 0)
		return 1;
	return sm_cncount_open(&second, &socket_) == 0 ? 0 : 2;
}

static void in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(fn());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(status == 0, "status 0x%x", status);
}

/* The mapping and the socket hold the rest. */
START_TEST(no_fd_stays)
{
	struct sm_cncount second;
	int before = dup(2), after;

	close(before);
	if (!permitted)
		return;
	ck_assert_int_eq(sm_cncount_open(&second, &socket_), 0);
	after = dup(2);
	ck_assert_int_eq(after, before);
	close(after);
	for (int fd = before; fd < before + 4; fd++)
		ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	sm_cncount_close(&second);
	ck_assert_ptr_null(second.counters.values);
}
END_TEST

START_TEST(privileges)
{
	if (!permitted)
		return;
	in_child(goes_on);
	in_child(is_allowed);
	in_child(is_refused);
}
END_TEST

/* Nothing that a file or another socket would do. */
START_TEST(no_such_socket)
{
	struct sm_cnproc none = SM_CNPROC_INIT;
	struct sm_cncount c;
	int err = sm_cncount_open(&c, &none);

	ck_assert(err == -EBADF || err == -EPERM || err == -ENOSYS || err == -EINVAL);
	ck_assert(permitted == (err == -EBADF) || !permitted);
	ck_assert_ptr_null(c.counters.values);
	sm_cncount_close(&c);
}
END_TEST

/* The program on hand-made datagrams: one end of a socket pair takes filters as well. */
static void send_event(int fd, uint32_t what, const uint32_t ids[4], size_t len)
{
	unsigned char m[76] = {0};

	memcpy(m + 36, &what, sizeof(what));
	memcpy(m + 52, ids, 16);
	ck_assert_int_eq(send(fd, m, len, 0), (long)len);
}

static void expect_counts(uint64_t forks, uint64_t execs, uint64_t exits)
{
	struct sm_cncounts c = now();

	ck_assert_uint_eq(c.forks, forks);
	ck_assert_uint_eq(c.execs, execs);
	ck_assert_uint_eq(c.exits, exits);
}

START_TEST(datagrams)
{
	static const uint32_t process[4] = {7, 7, 9, 9}, thread[4] = {8, 7, 10, 9};
	static const uint32_t child_is_thread[4] = {7, 7, 10, 9},
			      of_a_thread[4] = {8, 7, 9, 9};
	struct sm_cnproc c = SM_CNPROC_INIT;
	char buf[128];
	int sv[2];

	if (!permitted)
		return;
	sm_cncount_close(&counter);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sv), 0);
	c.fd = sv[0];
	ck_assert_int_eq(sm_cncount_open(&counter, &c), 0);
	expect_counts(0, 0, 0);
	send_event(sv[1], SM_PROC_FORK, process, 76);
	expect_counts(1, 0, 0);
	send_event(sv[1], SM_PROC_FORK, child_is_thread, 76);
	expect_counts(1, 0, 0);
	send_event(sv[1], SM_PROC_FORK, of_a_thread, 76);
	expect_counts(2, 0, 0);
	send_event(sv[1], SM_PROC_EXEC, process, 76);
	send_event(sv[1], SM_PROC_EXEC, thread, 76);
	send_event(sv[1], SM_PROC_EXEC, of_a_thread, 76);
	expect_counts(2, 1, 0);
	send_event(sv[1], (uint32_t)SM_PROC_EXIT, process, 76);
	send_event(sv[1], (uint32_t)SM_PROC_EXIT, thread, 76);
	send_event(sv[1], (uint32_t)SM_PROC_EXIT, child_is_thread, 76);
	expect_counts(2, 1, 2);
	for (unsigned int bit = 0; bit < 32; bit++) {
		uint32_t what = UINT32_C(1) << bit;

		if (what != SM_PROC_FORK && what != SM_PROC_EXEC &&
			what != (uint32_t)SM_PROC_EXIT)
			send_event(sv[1], what, process, 76);
	}
	send_event(sv[1], SM_PROC_NONE, process, 76);
	send_event(sv[1], UINT32_MAX, process, 76);
	send_event(sv[1], SM_PROC_FORK | SM_PROC_EXEC, process, 76);
	/* too short to hold the ids */
	send_event(sv[1], SM_PROC_FORK, process, 67);
	send_event(sv[1], SM_PROC_FORK, process, 39);
	send_event(sv[1], SM_PROC_FORK, process, 1);
	expect_counts(2, 1, 2);
	send_event(sv[1], SM_PROC_FORK, process, 68);
	expect_counts(3, 1, 2);
	ck_assert_int_eq(recv(sv[0], buf, sizeof(buf), MSG_DONTWAIT), -1);
	ck_assert_int_eq(errno, EAGAIN);
	close(sv[0]);
	close(sv[1]);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, every_child_is_counted);
	tcase_add_test(tc, equals_what_a_reader_counts);
	tcase_add_test(tc, nothing_is_queued);
	tcase_add_test(tc, no_fd_stays);
	tcase_add_test(tc, privileges);
	tcase_add_test(tc, no_such_socket);
	tcase_add_test(tc, datagrams);
	return tc;
}

UNIT_MAIN("cncount", tc_live)
