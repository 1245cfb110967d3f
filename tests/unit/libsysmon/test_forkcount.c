// SPDX-License-Identifier: GPL-2.0-or-later
/* On the running kernel, where it lets us: against the forks of this test, and against
 * the line "processes" of /proc/stat, which counts threads too. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/forkcount.h"
#include "proc/procstat.h"
#include "unit.h"

#define CHILDREN 50u
#define THREADS	 200u
/* Forks of other programs that /proc/stat counted before its first reading and the
 * program after that. */
#define UNDER_WAY 16u

static struct sm_root root;
static struct sm_forkcount counter;
static bool permitted;

static void setup(void)
{
	struct sm_bpf_log log = {0};
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_forkcount_open(&counter, &root, &log);
	ck_assert_msg(err == 0 || err == -EPERM || err == -ENOSYS || err == -ENOENT,
		"%d: %s", err, log.text);
	permitted = err == 0;
}

static void teardown(void)
{
	sm_forkcount_close(&counter);
	sm_root_close(&root);
}

static uint64_t stat_processes(void)
{
	struct sm_procstat_file f;
	struct sm_procstat s = {0};
	uint64_t n;

	ck_assert_int_eq(sm_procstat_open(&f, &root), 0);
	ck_assert_int_eq(sm_procstat_read(&f, &s), 0);
	n = s.processes;
	sm_procstat_close(&f);
	sm_procstat_fini(&s);
	return n;
}

static void fork_children(unsigned int n)
{
	while (n--) {
		pid_t pid = fork();
		int status;

		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			_exit(0);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	}
}

static void *nothing(void *arg)
{
	return arg;
}

static void make_threads(unsigned int n)
{
	pthread_t t;

	while (n--) {
		ck_assert_int_eq(pthread_create(&t, NULL, nothing, NULL), 0);
		ck_assert_int_eq(pthread_join(t, NULL), 0);
	}
}

START_TEST(processes_count_and_threads_do_not)
{
	uint64_t forks, all;

	if (!permitted) {
		unit_skip("no permission to load the program, or no BTF");
		return;
	}
	all = stat_processes();
	forks = sm_forkcount_read(&counter);
	fork_children(CHILDREN);
	make_threads(THREADS);
	forks = sm_forkcount_read(&counter) - forks;
	all = stat_processes() - all;
	ck_assert_uint_ge(forks, CHILDREN);
	ck_assert_uint_le(forks + THREADS, all + UNDER_WAY);
}
END_TEST

START_TEST(closed_twice)
{
	sm_forkcount_close(&counter);
	ck_assert_int_eq(counter.attach_fd, -1);
}
END_TEST

static TCase *tc_forkcount(void)
{
	TCase *tc = tcase_create("forkcount");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, processes_count_and_threads_do_not);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("forkcount", tc_forkcount)
