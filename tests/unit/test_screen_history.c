// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen_rig.h"

/* --- history
 * --------------------------------------------------------------------------------------
 */

static struct screen_history hist;

static void hist_setup(void)
{
	ck_assert_int_eq(history_init(&hist), 0);
}

static void hist_teardown(void)
{
	history_fini(&hist);
}

START_TEST(history_with_gaps)
{
	double v[SCREEN_HISTORY];

	ck_assert_uint_eq(history_get(&hist, 0, v), 0);
	ck_assert_uint_eq(history_get(&hist, 7, v), 0);
	history_begin(&hist, 50);
	history_add(&hist, 7, 10, 0);
	history_add(&hist, 7, 11, 0); /* replaces */
	history_begin(&hist, 60);
	history_begin(&hist, 70);
	history_add(&hist, 7, 30, 0);
	history_begin(&hist, 80);
	ck_assert_uint_eq(history_get(&hist, 7, v), 4);
	ck_assert(v[0] == 11 && v[1] == 0 && v[2] == 30 && v[3] == 0);
	ck_assert_uint_eq(history_get(&hist, 0, v), 4);
	ck_assert(v[0] == 50 && v[1] == 60 && v[2] == 70 && v[3] == 80);
}
END_TEST

START_TEST(history_wraps)
{
	double v[SCREEN_HISTORY];

	for (int i = 1; i <= SCREEN_HISTORY + 5; i++) {
		history_begin(&hist, i);
		history_add(&hist, 1, i, 0);
	}
	ck_assert_uint_eq(history_get(&hist, 1, v), SCREEN_HISTORY);
	ck_assert(v[0] == 6 && v[SCREEN_HISTORY - 1] == SCREEN_HISTORY + 5);
	/* Away for longer than the ring is. */
	for (int i = 0; i < SCREEN_HISTORY + 7; i++)
		history_begin(&hist, 0);
	ck_assert_uint_eq(history_get(&hist, 1, v), SCREEN_HISTORY);
	for (int i = 0; i < SCREEN_HISTORY; i++)
		ck_assert(v[i] == 0);
	history_add(&hist, 1, 5, 0);
	(void)history_get(&hist, 1, v);
	ck_assert(v[SCREEN_HISTORY - 1] == 5 && v[0] == 0 && v[SCREEN_HISTORY - 2] == 0);
}
END_TEST

START_TEST(history_is_bounded)
{
	double v[SCREEN_HISTORY];

	for (uint64_t id = 1; id <= SCREEN_TASKS_MAX; id++) {
		history_begin(&hist, 0);
		history_add(&hist, id, 1, 0);
	}
	history_begin(&hist, 0);
	/* 1 is the oldest, but kept; 2 goes. */
	history_add(&hist, 9001, 5, 1);
	ck_assert_uint_gt(history_get(&hist, 1, v), 0);
	ck_assert_uint_eq(history_get(&hist, 2, v), 0);
	ck_assert_uint_gt(history_get(&hist, 3, v), 0);
	ck_assert_uint_eq(history_get(&hist, 9001, v), 1);
	ck_assert_uint_eq(hist.n, SCREEN_TASKS_MAX);
	/* None of this sample goes for another. */
	for (uint64_t id = 1; id <= 2 * SCREEN_TASKS_MAX; id++)
		history_add(&hist, 10000 + id, 1, 0);
	ck_assert_uint_gt(history_get(&hist, 9001, v), 0);
	ck_assert_uint_eq(hist.n, SCREEN_TASKS_MAX);
	ck_assert_uint_eq(hist.map.used, SCREEN_TASKS_MAX);
}
END_TEST

START_TEST(history_on_screen)
{
	add(10, "alpha", 100);
	give();
	table[0].used_ns = PCT(50);
	give();
	type("j");
	ck_assert_int_eq(row_with("all CPUs"), 21);
	ck_assert_ptr_eq(strstr(rig_row(22), "alpha"), rig.line);
	ck_assert_ptr_nonnull(strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85 "));
	ck_assert_ptr_nonnull(strstr(rig_row(22), "max 100.0%"));
	/* The same sample, arranged anew, is no further one. */
	sample.t_ns -= SM_NSEC_PER_SEC;
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85 "));
	/* Idle: not in the sample, and still followed. */
	ntable = 0;
	give();
	ck_assert_ptr_nonnull(
		strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85\xe2\x96\x81 "));
}
END_TEST

static TCase *tc_history(void)
{
	TCase *tc = tcase_create("history");

	tcase_add_checked_fixture(tc, hist_setup, hist_teardown);
	tcase_add_test(tc, history_with_gaps);
	tcase_add_test(tc, history_wraps);
	tcase_add_test(tc, history_is_bounded);
	return tc;
}

static TCase *tc_on_screen(void)
{
	TCase *tc = tcase_create("on screen");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, history_on_screen);
	return tc;
}

UNIT_MAIN("screen history", tc_history, tc_on_screen)
