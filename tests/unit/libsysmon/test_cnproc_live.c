// SPDX-License-Identifier: GPL-2.0-or-later
/* The connector of the running kernel, or the error that this kernel or namespace gives.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/clock.h"
#include "events/cnproc.h"
#include "unit.h"

#define CHILDREN 500

static pid_t mine[CHILDREN];

static pid_t vfork_one(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(3);
	return pid;
}

static void spawn(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = vfork_one();

		ck_assert_int_ge(pid, 0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
		mine[i] = pid;
	}
}

static bool is_mine(pid_t pid, int n)
{
	for (int i = 0; i < n; i++)
		if (mine[i] == pid)
			return true;
	return false;
}

/* False where this kernel or namespace gives us no events; how is asserted. */
static bool listen_live(struct sm_cnproc *l, size_t rcvbuf)
{
	int rc = sm_cnproc_open(l, rcvbuf);

	if (rc < 0) {
		ck_assert(rc == -EPERM || rc == -EPROTONOSUPPORT);
		return false;
	}
	rc = sm_cnproc_listen(l, 500);
	if (rc == 0)
		return true;
	ck_assert(rc == -EPERM || rc == -ETIMEDOUT || rc == -ECONNREFUSED);
	sm_cnproc_close(l);
	return false;
}

struct tally {
	int forks, exits, others;
	uint64_t all;
};

static void count_mine(const struct sm_proc_event *ev, int n, struct tally *t)
{
	t->all++;
	if (!is_mine(ev->pid, n))
		return;
	if (ev->what == SM_PROC_FORK) {
		t->forks++;
		ck_assert_int_eq(ev->ptgid, getpid());
	} else if (ev->what == (uint32_t)SM_PROC_EXIT) {
		t->exits++;
		ck_assert_uint_eq(ev->exit_code, 3 << 8);
		ck_assert(ev->ppid == 0 || ev->ppid == getpid());
	} else {
		t->others++;
	}
}

/* What is queued now, or up to max. */
static void drain(struct sm_cnproc *l, int n, size_t max, struct tally *t)
{
	struct sm_proc_event ev[64];
	ssize_t got;

	do {
		got = sm_cnproc_read(l, ev, max < 64 ? max : 64);
		ck_assert_int_ge(got, 0);
		for (ssize_t i = 0; i < got; i++)
			count_mine(&ev[i], n, t);
		max -= (size_t)got;
	} while (got > 0 && max > 0);
}

/* Until all have exited; an exit may come late, after our waitpid(). */
static struct tally collect(struct sm_cnproc *l, int n, int want_exits)
{
	struct pollfd p = {.fd = l->fd, .events = POLLIN};
	uint64_t end = sm_clock_mono_ns() + 20 * SM_NSEC_PER_SEC;
	struct tally t = {0, 0, 0, 0};

	while (t.exits < want_exits && sm_clock_mono_ns() < end) {
		ck_assert_int_ge(poll(&p, 1, 100), 0);
		drain(l, n, SIZE_MAX, &t);
	}
	return t;
}

/* Of 50 events all are there, but for those that were lost in the storms of other
 * programs. */
static void expect_50(int seen, int64_t lost)
{
	ck_assert_int_le(seen, 50);
	ck_assert_int_ge(seen + lost, 50);
}

START_TEST(live_every_child_is_seen)
{
	struct sm_cnproc l;
	struct tally t;
	int64_t lost;

	if (!listen_live(&l, 1 << 20))
		return;
	ck_assert_int_eq(fcntl(l.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_uint_gt(l.rcvbuf_bytes, 0);
	spawn(50);
	t = collect(&l, 50, 50);
	lost = sm_cnproc_update_lost(&l);
	expect_50(t.forks, lost);
	expect_50(t.exits, lost);
	ck_assert_int_eq(t.others, 0);
	ck_assert_uint_eq(l.received, t.all);
	sm_cnproc_close(&l);
}
END_TEST

START_TEST(live_filter)
{
	struct sm_cnproc l;
	struct tally t;

	if (!listen_live(&l, 1 << 20))
		return;
	ck_assert_int_eq(sm_cnproc_filter(&l, (uint32_t)SM_PROC_EXIT), 0);
	spawn(50);
	t = collect(&l, 50, 50);
	ck_assert_int_eq(t.forks, 0);
	expect_50(t.exits, sm_cnproc_update_lost(&l));
	sm_cnproc_close(&l);
}
END_TEST

START_TEST(live_overflow_is_counted)
{
	uint64_t end = sm_clock_mono_ns() + 20 * SM_NSEC_PER_SEC;
	struct sm_cnproc l;
	struct tally t = {0, 0, 0, 0};

	if (!listen_live(&l, 4096))
		return;
	spawn(CHILDREN);
	do { /* the last exits may come late */
		drain(&l, CHILDREN, SIZE_MAX, &t);
		ck_assert_int_ge(sm_cnproc_update_lost(&l), 0);
	} while (t.all + l.lost < 2 * CHILDREN && sm_clock_mono_ns() < end);
	ck_assert_uint_gt(l.lost, 0);
	ck_assert_int_lt(t.forks + t.exits, 2 * CHILDREN);
	/* What others did meanwhile only adds. */
	ck_assert_uint_ge(t.all + l.lost, 2 * CHILDREN);
	sm_cnproc_close(&l);
}
END_TEST

/* Without NETLINK_NO_ENOBUFS all is dropped until the queue has been emptied. */
START_TEST(live_overflow_does_not_congest)
{
	struct sm_cnproc l;
	struct tally t = {0, 0, 0, 0};

	if (!listen_live(&l, 4096))
		return;
	/* Others may take the room that we make: some tries. */
	for (int i = 0; i < 50 && t.forks == 0; i++) {
		spawn(20);
		mine[0] = 0;
		drain(&l, 1, 5, &t);
		spawn(1);
		drain(&l, 1, SIZE_MAX, &t);
	}
	ck_assert_int_gt(t.forks, 0);
	sm_cnproc_close(&l);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_every_child_is_seen);
	tcase_add_test(tc, live_filter);
	tcase_add_test(tc, live_overflow_is_counted);
	tcase_add_test(tc, live_overflow_does_not_congest);
	return tc;
}

UNIT_MAIN("cnproc_live", tc_live)
