// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "kernel/timercount.h"
#include "timer_loads_rig.h"

static struct sm_timercount counts;

static void open_counts(bool by_timer)
{
	struct sm_bpf_log log;
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_timercount_open(&counts, &root, by_timer, &log);
	ck_assert_msg(
		err == 0 || err == -EPERM || err == -ENOSYS, "%d: %s", err, log.text);
	permitted = err == 0;
}

static void setup(void)
{
	open_counts(false);
}

static void teardown(void)
{
	sm_timercount_close(&counts);
	sm_root_close(&root);
}

static struct timer_figures timer_read(void)
{
	ck_assert_int_eq(sm_timercount_read(&counts), 0);
	return (struct timer_figures){counts.key, counts.counts, counts.n};
}

static struct sm_timer_losses timer_lost(void)
{
	return sm_timercount_lost(&counts);
}

START_TEST(deleted)
{
	struct sm_timer_counts rest;
	struct sm_timer_key key = {0};
	pid_t pid;

	if (!permitted)
		return;
	pid = run("deleted", sleeps);
	ck_assert_uint_ge(of(pid, SM_TIMER_HR).starts, TIMES);
	for (uint32_t i = 0; i < counts.n; i++)
		if (sm_timer_tid(counts.key[i].owner) == pid) {
			key = counts.key[i];
			ck_assert_int_eq(sm_timercount_delete(&counts, &key, &rest), 0);
			ck_assert_uint_eq(rest.starts, counts.counts[i].starts);
			ck_assert_uint_eq(rest.expiries, counts.counts[i].expiries);
			ck_assert_str_eq(rest.comm, counts.counts[i].comm);
			ck_assert_int_eq(
				sm_timercount_delete(&counts, &key, &rest), -ENOENT);
		}
	ck_assert_uint_eq(of(pid, SM_TIMER_HR).starts, 0);
	ck_assert_uint_eq(timer_lost().events, 0);
	ck_assert_uint_eq(timer_lost().owners, 0);
}
END_TEST

START_TEST(timers_one_by_one)
{
	if (!permitted)
		return;
	sm_timercount_close(&counts);
	sm_root_close(&root);
	open_counts(true);
	timers_are_apart();
}
END_TEST

START_TEST(closed_twice)
{
	sm_timercount_close(&counts);
	ck_assert_int_eq(counts.counts_fd, -1);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	timer_tests(tc);
	tcase_add_test(tc, deleted);
	tcase_add_test(tc, timers_one_by_one);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("timercount", tc_live)
