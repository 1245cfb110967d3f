// SPDX-License-Identifier: GPL-2.0-or-later
/* Page faults of a child's threads, against the number of pages that they touch. */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "events/perfthreads.h"
#include "fixroot_rig.h"

enum { EARLY = 100, PAGES = 50 };

static struct sm_root live;
static struct sm_perfthreads p;
static const struct perf_event_attr faults = {
	.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS};
static int said[2], told[2];
static pid_t pid;
static pthread_barrier_t start;

static void *touch(void *arg)
{
	volatile char *at;

	pthread_barrier_wait(&start);
	at = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	madvise((void *)(uintptr_t)at, PAGES * 4096, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		at[i * 4096] = 1;
	return arg;
}

/* Threads that are there before the events, and one that starts later. */
static void child(void)
{
	pthread_t thread[EARLY + 1];
	pthread_attr_t small;
	char b = 0;

	pthread_barrier_init(&start, NULL, EARLY + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < EARLY; i++)
		pthread_create(&thread[i], &small, touch, NULL);
	(void)!write(said[1], &b, 1);
	(void)!read(told[0], &b, 1);
	pthread_create(&thread[EARLY], &small, touch, NULL);
	for (int i = 0; i <= EARLY; i++)
		pthread_join(thread[i], NULL);
	(void)!write(said[1], &b, 1);
	(void)!read(told[0], &b, 1);
	_exit(0);
}

static void setup(void)
{
	char b;

	ck_assert_int_eq(sm_root_open(&live, "/"), 0);
	ck_assert_int_eq(pipe(said), 0);
	ck_assert_int_eq(pipe(told), 0);
	pid = fork();
	if (pid == 0)
		child();
	ck_assert_int_eq(read(said[0], &b, 1), 1);
}

static void teardown(void)
{
	sm_perfthreads_close(&p);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(said[i]);
		close(told[i]);
	}
	sm_root_close(&live);
}

START_TEST(all_threads)
{
	unsigned int fds = unit_open_fds();
	uint64_t before, n;
	char b = 0;

	if (sm_perfthreads_open(&p, &live, pid, &faults) < 0) {
		unit_skip("perf events are refused");
		return;
	}
	ck_assert_uint_eq(p.n, EARLY + 1);
	ck_assert_uint_eq(unit_open_fds(), fds + EARLY + 2); /* and the guard */
	ck_assert_int_eq(sm_perfthreads_read(&p, &before), 0);
	ck_assert_int_eq(write(told[1], &b, 1), 1);
	ck_assert_int_eq(read(said[0], &b, 1), 1);
	ck_assert_int_eq(sm_perfthreads_read(&p, &n), 0);
	ck_assert_uint_ge(n - before, (EARLY + 1) * PAGES);
	ck_assert_uint_lt(n - before, (EARLY + 1) * (PAGES + 50));
	sm_perfthreads_close(&p);
	ck_assert_uint_eq(unit_open_fds(), fds);
	ck_assert_int_eq(sm_perfthreads_read(&p, &n), -ENODATA);
}
END_TEST

START_TEST(errors)
{
	const struct perf_event_attr no_such = {.type = UINT32_MAX};
	unsigned int fds = unit_open_fds();
	uint64_t n;
	int err = sm_perfthreads_open(&p, &live, pid, &no_such);

	ck_assert_int_lt(err, 0);
	ck_assert_int_eq(sm_perfthreads_read(&p, &n), err);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	err = sm_perfthreads_open(&p, &live, pid, &faults);
	ck_assert(err == -ESRCH || err == -EACCES || err == -EPERM || err == -ENOSYS);
	ck_assert_uint_eq(unit_open_fds(), fds);
}
END_TEST

static TCase *tc_perfthreads(void)
{
	TCase *tc = tcase_create("perfthreads");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_threads);
	tcase_add_test(tc, errors);
	return tc;
}

UNIT_MAIN("perfthreads", tc_perfthreads)
