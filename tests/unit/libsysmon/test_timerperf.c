// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <sched.h>

#include "timer_loads_rig.h"
#include "timers/timerperf.h"

static struct sm_timerperf perf;

static void open_rings(size_t bytes)
{
	int err = sm_timerperf_open(&perf, &root, bytes);

	ck_assert_msg(
		err == 0 || err == -EPERM || err == -EACCES || err == -ENOENT, "%d", err);
	permitted = err == 0;
}

static pid_t idler[CPU_SETSIZE];

static void be_busy_on(int cpu, int ready)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)sched_setaffinity(0, sizeof(one), &one);
	(void)sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		;
}

/*
 * Something runs on each CPU whenever nothing else does.  Seen on a virtual machine with
 * Linux 6.18: perf(1), too, has no event of the idle task of any CPU but the first, and
 * does not count them as lost (tracefs and BPF have them).
 */
static void keep_cpus_busy(void)
{
	cpu_set_t all;
	int p[2];
	char ready;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	ck_assert_int_eq(pipe(p), 0);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &all))
			continue;
		idler[i] = fork();
		if (idler[i] == 0)
			be_busy_on(i, p[1]);
		ck_assert_int_eq(read(p[0], &ready, 1), 1);
	}
	close(p[0]);
	close(p[1]);
}

static void let_cpus_sleep(void)
{
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (idler[i] > 0) {
			kill(idler[i], SIGKILL);
			waitpid(idler[i], NULL, 0);
		}
}

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	open_rings(SM_TIMERPERF_RING_BYTES);
}

static void teardown(void)
{
	sm_timerperf_close(&perf);
	sm_root_close(&root);
}

static void setup_busy(void)
{
	keep_cpus_busy();
	setup();
}

static void teardown_busy(void)
{
	let_cpus_sleep();
	teardown();
}

static struct timer_figures timer_read(void)
{
	const struct sm_timermodel *m = &perf.feed.model;

	sm_timerperf_read(&perf);
	ck_assert_uint_eq(perf.corrupt, 0);
	return (struct timer_figures){m->key, m->counts, m->n};
}

static struct sm_timer_losses timer_lost(void)
{
	return sm_timerperf_lost(&perf);
}

START_TEST(nothing_is_lost)
{
	if (!able())
		return;
	(void)run("sleeps", sleeps); /* until none is */
	ck_assert_uint_eq(timer_lost().owners, 0);
}
END_TEST

START_TEST(timers_one_by_one)
{
	if (!able())
		return;
	perf.feed.model.by_timer = true;
	timers_are_apart();
}
END_TEST

START_TEST(losses_are_counted)
{
	if (!able())
		return;
	sm_timerperf_close(&perf);
	open_rings(16384);
	ck_assert_uint_eq(perf.ring_bytes, 16384);
	losses_add_up();
}
END_TEST

START_TEST(half_full_is_readable)
{
	struct pollfd fd[1024];

	if (!able() || perf.n > SM_ARRAY_SIZE(fd))
		return;
	sm_timerperf_close(&perf);
	open_rings(16384);
	(void)run_once("arms", arms);
	for (unsigned int i = 0; i < perf.n; i++)
		fd[i] = (struct pollfd){
			.fd = sm_timerperf_fd(&perf, i), .events = POLLIN};
	ck_assert_int_ge(poll(fd, perf.n, 0), 1);
}
END_TEST

START_TEST(closed_twice)
{
	unsigned int before;

	sm_timerperf_close(&perf);
	before = unit_open_fds();
	open_rings(65536);
	sm_timerperf_close(&perf);
	sm_timerperf_close(&perf);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

/* One load is enough to see that it works; the model has tests of its own. */
static TCase *tc_loads(void)
{
	TCase *tc = tcase_create("loads");

	tcase_add_checked_fixture(tc, setup_busy, teardown_busy);
	if (!unit_live()) {
		tcase_add_test(tc, sleeps_expire);
		tcase_add_test(tc, names_change);
		return tc;
	}
	timer_tests(tc);
	tcase_add_test(tc, nothing_is_lost);
	tcase_add_test(tc, timers_one_by_one);
	return tc;
}

static TCase *tc_rings(void)
{
	TCase *tc = tcase_create("rings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, losses_are_counted);
	tcase_add_test(tc, half_full_is_readable);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("timerperf", tc_loads, tc_rings)
