// SPDX-License-Identifier: GPL-2.0-or-later
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "asleep_rig.h"
#include "base/clock.h"
#include "proc/cpuclock.h"
#include "fixroot_rig.h"

#define BURN_NS (20 * SM_NSEC_PER_MSEC)

static struct sm_root live;

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	fix_open();
}

static void teardown(void)
{
	fix_close();
	sm_root_close(&live);
}

static void burn(clockid_t clock, uint64_t ns)
{
	uint64_t end = sm_clock_ns(clock) + ns;

	while (sm_clock_ns(clock) < end)
		;
}

/* The C library's idea of the same clock. */
START_TEST(clock_ids)
{
	clockid_t id;

	ck_assert_int_eq(sm_cpuclock_id(1), -14); /* ~1 * 8 + 2 */
	ck_assert_int_eq(sm_cpuclock_id(2), -22);
	ck_assert_int_eq(sm_cpuclock_id(4194304), -33554438);
	ck_assert_int_eq(clock_getcpuclockid(getppid(), &id), 0);
	ck_assert_int_eq(sm_cpuclock_id(getppid()), id);
}
END_TEST

/* A child that has used 20 ms, tells its own clock and waits. */
START_TEST(another_process)
{
	uint64_t used, ns, again;
	int from[2], to[2];
	char c = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(from) | pipe(to), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		burn(CLOCK_PROCESS_CPUTIME_ID, BURN_NS);
		used = sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		_exit(write(from[1], &used, sizeof(used)) != sizeof(used) ||
			read(to[0], &c, 1) != 1);
	}
	ck_assert_int_eq(read(from[0], &used, sizeof(used)), sizeof(used));
	ck_assert_uint_ge(used, BURN_NS);
	ck_assert_int_eq(sm_cpuclock_ns(pid, &ns), 0);
	ck_assert_uint_ge(ns, used);
	ck_assert_uint_le(ns, used + BURN_NS);
	/* the clock of a zombie stands still until it is reaped */
	ck_assert_int_eq(write(to[1], &c, 1), 1);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	await_asleep(pid);
	ck_assert_int_eq(sm_cpuclock_ns(pid, &ns), 0);
	ck_assert_uint_ge(ns, used);
	ck_assert_int_eq(sm_cpuclock_ns(pid, &again), 0);
	ck_assert_uint_eq(ns, again);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_cpuclock_ns(pid, &ns), -ESRCH);
	for (int i = 0; i < 2; i++) {
		close(from[i]);
		close(to[i]);
	}
}
END_TEST

static void *burning_thread(void *tid)
{
	*(pid_t *)tid = (pid_t)syscall(SYS_gettid);
	burn(CLOCK_THREAD_CPUTIME_ID, BURN_NS);
	return NULL;
}

START_TEST(dead_threads_count)
{
	uint64_t before, after;
	pthread_t t;
	pid_t tid;

	ck_assert_int_eq(sm_cpuclock_ns(getpid(), &before), 0);
	ck_assert_int_eq(pthread_create(&t, NULL, burning_thread, &tid), 0);
	ck_assert_int_eq(pthread_join(t, NULL), 0);
	ck_assert_int_eq(sm_cpuclock_ns(getpid(), &after), 0);
	ck_assert_uint_ge(after - before, BURN_NS);
}
END_TEST

struct waiting {
	int tell[2], stop[2];
};

static void *waiting_thread(void *ctx)
{
	const struct waiting *w = ctx;
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char c;

	if (write(w->tell[1], &tid, sizeof(tid)) != sizeof(tid))
		abort();
	if (read(w->stop[0], &c, 1) != 0)
		abort();
	return NULL;
}

START_TEST(a_thread_is_no_process)
{
	struct waiting w;
	pthread_t t;
	uint64_t ns = 7;
	pid_t tid;

	ck_assert_int_eq(pipe(w.tell) | pipe(w.stop), 0);
	ck_assert_int_eq(pthread_create(&t, NULL, waiting_thread, &w), 0);
	ck_assert_int_eq(read(w.tell[0], &tid, sizeof(tid)), sizeof(tid));
	ck_assert_int_ne(tid, getpid());
	ck_assert_int_eq(sm_cpuclock_ns(tid, &ns), -ESRCH);
	ck_assert_uint_eq(ns, 7);
	close(w.stop[1]);
	ck_assert_int_eq(pthread_join(t, NULL), 0);
	close(w.stop[0]);
	close(w.tell[0]);
	close(w.tell[1]);
}
END_TEST

START_TEST(no_such_process)
{
	static const pid_t pids[] = {
		0, -1, INT32_MIN, 4194305, 1 << 28, 1 << 29, INT32_MAX - 1, INT32_MAX};
	uint64_t ns = 7;

	for (size_t i = 0; i < SM_ARRAY_SIZE(pids); i++)
		ck_assert_int_eq(sm_cpuclock_ns(pids[i], &ns), -ESRCH);
	ck_assert_uint_eq(ns, 7);
}
END_TEST

static bool proc_is_of_our_namespace(void)
{
	char self[32] = "", pid[32];

	ck_assert_int_gt(readlink("/proc/self", self, sizeof(self) - 1), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return strcmp(self, pid) == 0;
}

START_TEST(usable_here)
{
	struct sm_root same = live;

	ck_assert_int_eq(sm_cpuclock_usable(&live), proc_is_of_our_namespace());
	same.live = false;
	ck_assert(!sm_cpuclock_usable(&same));
	same = live;
	same.real_proc = false;
	ck_assert(!sm_cpuclock_usable(&same));
}
END_TEST

/* The clocks are this machine's, whatever the tree says. */
START_TEST(not_usable_on_a_prepared_root)
{
	struct sm_root none = SM_ROOT_INIT;
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ck_assert_int_eq(rmdir(fix_path("proc/self/ns")), 0);
	ck_assert_int_eq(rmdir(fix_path("proc/self")), 0);
	fix_link("proc/self", pid);
	ck_assert(!sm_cpuclock_usable(&fix));
	fix.live = fix.real_proc = true;
	ck_assert(sm_cpuclock_usable(&fix)); /* so it was only that */
	ck_assert_int_eq(unlink(fix_path("proc/self")), 0);
	ck_assert(!sm_cpuclock_usable(&fix));
	fix_link("proc/self", "1x");
	ck_assert(!sm_cpuclock_usable(&fix));
	ck_assert_int_eq(unlink(fix_path("proc/self")), 0);
	fix_link("proc/self", "11111111111111111111111");
	ck_assert(!sm_cpuclock_usable(&fix));
	none.live = none.real_proc = true;
	ck_assert(!sm_cpuclock_usable(&none));
}
END_TEST

enum { NO_NAMESPACE = 77 };

/* A new pid namespace that still sees the old /proc: its process 1 is another's. */
static int in_new_namespace(void)
{
	pid_t pid;
	int status;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) < 0)
		return NO_NAMESPACE;
	pid = fork();
	if (pid < 0)
		return NO_NAMESPACE;
	if (pid == 0)
		_exit(getpid() != 1 || sm_cpuclock_usable(&live));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
								    : 2;
}

START_TEST(not_usable_with_a_foreign_proc)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(in_new_namespace());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_NAMESPACE)
		printf("# no pid namespace of our own to be had\n");
	else
		ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

static TCase *tc_cpuclock(void)
{
	TCase *tc = tcase_create("cpuclock");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, clock_ids);
	tcase_add_test(tc, another_process);
	tcase_add_test(tc, dead_threads_count);
	tcase_add_test(tc, a_thread_is_no_process);
	tcase_add_test(tc, no_such_process);
	tcase_add_test(tc, usable_here);
	tcase_add_test(tc, not_usable_on_a_prepared_root);
	tcase_add_test(tc, not_usable_with_a_foreign_proc);
	return tc;
}

UNIT_MAIN("cpuclock", tc_cpuclock)
