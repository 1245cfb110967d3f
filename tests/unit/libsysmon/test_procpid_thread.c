// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of single threads, and those of one line. */
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "fixroot_rig.h"
#include "proc/procpid.h"

#define AFTER_COMM                                                                      \
	" S 7 8 9 34816 10 4194304 1 2 3 4 111 222 -5 -6 20 0 13 0 987654321 1 2 "      \
	"18446744073709551615 1 1 0 0 0 0 0 4096 1 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 " \
	"0\n"

static int read_sched(pid_t tid, uint64_t *run, uint64_t *wait)
{
	*run = *wait = 99;
	return sm_procpid_read_schedstat(&fix, 42, tid, run, wait);
}

static void check_sched(const char *text, int want, uint64_t run, uint64_t wait)
{
	uint64_t got_run, got_wait;

	fix_put("proc/42/schedstat", text);
	ck_assert_msg(read_sched(0, &got_run, &got_wait) == want, "'%s'", text);
	if (want < 0)
		return;
	ck_assert_uint_eq(got_run, run);
	ck_assert_uint_eq(got_wait, wait);
}

START_TEST(schedstat)
{
	check_sched("123 456 7\n", 0, 123, 456);
	check_sched("123 0 7\n", 0, 123, 0);
	check_sched("0 456 7\n", 0, 0, 456);
	check_sched("18446744073709551615 18446744073709551615 18446744073709551615\n", 0,
		UINT64_MAX, UINT64_MAX);
	/* a kernel without them */
	check_sched("0 0 0\n", -ENODATA, 0, 0);
	check_sched("0 0 1\n", -ENODATA, 0, 0);
}
END_TEST

START_TEST(schedstat_malformed)
{
	static const char *const bad[] = {"", "\n", "1", "1\n", "1 \n", "1 x\n", "x 1\n",
		"-1 1 1\n", "1 -1 1\n", "18446744073709551616 1 1\n",
		"1 18446744073709551616 1\n", " \n1 2 3\n"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		check_sched(bad[i], -EBADMSG, 0, 0);
}
END_TEST

START_TEST(schedstat_of_a_thread)
{
	uint64_t run, wait;

	fix_put("proc/42/schedstat", "1 2 3\n");
	fix_put("proc/42/task/43/schedstat", "10 20 30\n");
	ck_assert_int_eq(read_sched(43, &run, &wait), 0);
	ck_assert_uint_eq(run, 10);
	ck_assert_uint_eq(wait, 20);
	ck_assert_int_eq(read_sched(44, &run, &wait), -ENOENT);
	ck_assert_int_eq(read_sched(INT_MAX, &run, &wait), -ENOENT);
	ck_assert_int_eq(
		sm_procpid_read_schedstat(&fix, INT_MAX, 43, &run, &wait), -ENOENT);
}
END_TEST

START_TEST(stat_of_a_thread)
{
	struct sm_pidstat st;

	fix_put("proc/42/stat", "42 (leader)" AFTER_COMM);
	fix_put("proc/42/task/42/stat", "42 (as thread)" AFTER_COMM);
	fix_put("proc/42/task/4194303/stat", "4194303 (worker)" AFTER_COMM);
	ck_assert_int_eq(sm_procpid_read_thread_stat(&fix, 42, 4194303, &st), 0);
	ck_assert_int_eq(st.pid, 4194303);
	ck_assert_str_eq(st.comm, "worker");
	ck_assert_int_eq(sm_procpid_read_thread_stat(&fix, 42, 42, &st), 0);
	ck_assert_str_eq(st.comm, "as thread");
	ck_assert_int_eq(sm_procpid_read_thread_stat(&fix, 42, 0, &st), 0);
	ck_assert_str_eq(st.comm, "leader");
	ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), 0);
	ck_assert_str_eq(st.comm, "leader");
	ck_assert_int_eq(sm_procpid_read_thread_stat(&fix, 42, 7, &st), -ENOENT);
	ck_assert_int_eq(sm_procpid_read_thread_stat(&fix, 41, 42, &st), -ENOENT);
}
END_TEST

START_TEST(no_such_pid)
{
	static const pid_t pids[] = {0, -1, INT_MIN};
	struct sm_root none = SM_ROOT_INIT;
	struct sm_pidstat st;
	uint64_t run, wait;

	for (size_t i = 0; i < SM_ARRAY_SIZE(pids); i++) {
		ck_assert_int_eq(
			sm_procpid_read_thread_stat(&fix, pids[i], 1, &st), -ENOENT);
		ck_assert_int_eq(sm_procpid_read_schedstat(&fix, pids[i], 1, &run, &wait),
			-ENOENT);
	}
	ck_assert_int_eq(sm_procpid_read_thread_stat(&none, 1, 1, &st), -ENOENT);
	ck_assert_int_eq(sm_procpid_read_schedstat(&none, 1, 0, &run, &wait), -ENOENT);
}
END_TEST

/* Newlines in the name do not end the line; nor does what is longer than can be. */
START_TEST(lines_that_are_not_one)
{
	static char text[8192];
	struct sm_pidstat st;

	fix_put("proc/42/stat", "42 (a\nb\n)" AFTER_COMM);
	ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), 0);
	ck_assert_str_eq(st.comm, "a\nb\n");
	memset(text, '1', sizeof(text));
	fix_put_bytes("proc/42/stat", text, sizeof(text));
	ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), -EBADMSG);
	fix_put("proc/42/stat", "42 (x)" AFTER_COMM);
	ck_assert_int_eq(truncate(fix_path("proc/42/stat"), 20), 0);
	ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), -EBADMSG);
}
END_TEST

/* Planted in a prepared root: neither may hang us, which the time limit of the test
 * finds. */
START_TEST(fifos_and_directories)
{
	struct sm_pidstat st;
	uint64_t run, wait;

	fix_mkdir("proc/42/task/43");
	ck_assert_int_eq(mkfifo(fix_path("proc/42/stat"), 0644), 0);
	ck_assert_int_eq(mkfifo(fix_path("proc/42/task/43/schedstat"), 0644), 0);
	ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), -EBADMSG);
	ck_assert_int_eq(sm_procpid_read_schedstat(&fix, 42, 43, &run, &wait), -EBADMSG);
	fix_mkdir("proc/42/schedstat");
	ck_assert_int_eq(sm_procpid_read_schedstat(&fix, 42, 0, &run, &wait), -EISDIR);
}
END_TEST

/* One open, one read, one close: a scan does it for every process. */
START_TEST(one_read)
{
	struct sm_pidstat st;
	uint64_t before, after;

	if (!fix_reads_counted())
		return;
	fix_put("proc/42/stat", "42 (x)" AFTER_COMM);
	before = fix_reads();
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(sm_procpid_read_stat(&fix, 42, &st), 0);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 10);
}
END_TEST

static int stop_thread[2];
static pid_t thread_id;
static int thread_up[2];

static void *thread(void *arg)
{
	char c;

	(void)arg;
	thread_id = (pid_t)syscall(SYS_gettid);
	if (write(thread_up[1], "x", 1) != 1 || read(stop_thread[0], &c, 1) != 0)
		return (void *)&thread_id;
	return NULL;
}

static void burn_ms(unsigned int ms)
{
	struct timespec ts;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	while (ts.tv_sec == 0 && ts.tv_nsec < (long)ms * 1000000);
}

START_TEST(live)
{
	struct sm_root real;
	struct sm_pidstat st;
	uint64_t run = 0, wait, before;
	pthread_t t;
	char c;
	int err;

	ck_assert_int_eq(sm_root_open(&real, NULL), 0);
	ck_assert_int_eq(pipe(stop_thread), 0);
	ck_assert_int_eq(pipe(thread_up), 0);
	ck_assert_int_eq(pthread_create(&t, NULL, thread, NULL), 0);
	ck_assert_int_eq(read(thread_up[0], &c, 1), 1);
	ck_assert_int_eq(sm_procpid_read_thread_stat(&real, getpid(), thread_id, &st), 0);
	ck_assert_int_eq(st.pid, thread_id);
	ck_assert_int_eq(sm_procpid_read_thread_stat(&real, getpid(), getpid(), &st), 0);
	ck_assert_int_eq(st.pid, getpid());
	err = sm_procpid_read_schedstat(&real, getpid(), 0, &before, &wait);
	/* CONFIG_SCHED_INFO */
	ck_assert(err == 0 || err == -ENOENT || err == -ENODATA);
	if (err == 0) {
		burn_ms(20);
		ck_assert_int_eq(
			sm_procpid_read_schedstat(&real, getpid(), 0, &run, &wait), 0);
		ck_assert_uint_ge(run, 10000000);
	}
	close(stop_thread[1]);
	ck_assert_int_eq(pthread_join(t, NULL), 0);
	sm_root_close(&real);
}
END_TEST

static TCase *tc_threads(void)
{
	TCase *tc = tcase_create("threads");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, schedstat);
	tcase_add_test(tc, schedstat_malformed);
	tcase_add_test(tc, schedstat_of_a_thread);
	tcase_add_test(tc, stat_of_a_thread);
	tcase_add_test(tc, no_such_pid);
	tcase_add_test(tc, lines_that_are_not_one);
	tcase_add_test(tc, fifos_and_directories);
	tcase_add_test(tc, one_read);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live);
	return tc;
}

UNIT_MAIN("procpid_thread", tc_threads, tc_live)
