// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/history.h"
#include "cli/tty.h"
#include "tui_rig.h"

#define ITEMS 16

static struct sm_history hist;

static void setup(void)
{
	ck_assert_int_eq(sm_history_init(&hist, ITEMS), 0);
}

static void teardown(void)
{
	sm_history_fini(&hist);
}

START_TEST(gaps_are_zeros)
{
	double v[SM_HISTORY_LENGTH];

	ck_assert_uint_eq(sm_history_get(&hist, 0, v), 0);
	ck_assert_uint_eq(sm_history_get(&hist, 7, v), 0);
	sm_history_begin(&hist, 50);
	sm_history_add(&hist, 7, 10, 0);
	sm_history_add(&hist, 7, 11, 0); /* replaces */
	sm_history_begin(&hist, 60);
	sm_history_begin(&hist, 70);
	sm_history_add(&hist, 7, 30, 0);
	sm_history_begin(&hist, 80);
	ck_assert_uint_eq(sm_history_get(&hist, 7, v), 4);
	ck_assert(v[0] == 11 && v[1] == 0 && v[2] == 30 && v[3] == 0);
	ck_assert_uint_eq(sm_history_get(&hist, 0, v), 4);
	ck_assert(v[0] == 50 && v[1] == 60 && v[2] == 70 && v[3] == 80);
}
END_TEST

START_TEST(wraps)
{
	double v[SM_HISTORY_LENGTH];

	for (int i = 1; i <= SM_HISTORY_LENGTH + 5; i++) {
		sm_history_begin(&hist, i);
		sm_history_add(&hist, 1, i, 0);
	}
	ck_assert_uint_eq(sm_history_get(&hist, 1, v), SM_HISTORY_LENGTH);
	ck_assert(v[0] == 6 && v[SM_HISTORY_LENGTH - 1] == SM_HISTORY_LENGTH + 5);
	/* Absent for longer than the ring is. */
	for (int i = 0; i < SM_HISTORY_LENGTH + 7; i++)
		sm_history_begin(&hist, 0);
	ck_assert_uint_eq(sm_history_get(&hist, 1, v), SM_HISTORY_LENGTH);
	for (int i = 0; i < SM_HISTORY_LENGTH; i++)
		ck_assert(v[i] == 0);
	sm_history_add(&hist, 1, 5, 0);
	(void)sm_history_get(&hist, 1, v);
	ck_assert(v[SM_HISTORY_LENGTH - 1] == 5 && v[0] == 0 &&
		  v[SM_HISTORY_LENGTH - 2] == 0);
}
END_TEST

START_TEST(is_bounded)
{
	double v[SM_HISTORY_LENGTH];

	for (uint64_t key = 1; key <= ITEMS; key++) {
		sm_history_begin(&hist, 0);
		sm_history_add(&hist, key, 1, 0);
	}
	sm_history_begin(&hist, 0);
	/* 1 is the oldest, but kept; 2 is replaced. */
	sm_history_add(&hist, 9001, 5, 1);
	ck_assert_uint_gt(sm_history_get(&hist, 1, v), 0);
	ck_assert_uint_eq(sm_history_get(&hist, 2, v), 0);
	ck_assert_uint_gt(sm_history_get(&hist, 3, v), 0);
	ck_assert_uint_eq(sm_history_get(&hist, 9001, v), 1);
	ck_assert_uint_eq(hist.n, ITEMS);
	/* No item of this sample is replaced. */
	for (uint64_t key = 1; key <= 2 * ITEMS; key++)
		sm_history_add(&hist, 10000 + key, 1, 0);
	ck_assert_uint_gt(sm_history_get(&hist, 9001, v), 0);
	ck_assert_uint_eq(hist.n, ITEMS);
	ck_assert_uint_eq(hist.map.used, ITEMS);
}
END_TEST

static struct sm_tui tui;

static void open_screen(int columns)
{
	const char *why = NULL;

	setup();
	rig_open(columns, 4);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	sm_history_begin(&hist, 100);
	sm_history_add(&hist, 7, 50, 0);
	sm_history_begin(&hist, 0);
	sm_history_add(&hist, 7, 25, 0);
}

static void close_screen(void)
{
	sm_tui_close(&tui);
	rig_drain();
	rig_close();
	teardown();
}

START_TEST(line)
{
	open_screen(60);
	sm_history_line(&hist, &tui, 0, 0, 1, SM_STR("all"), "%");
	sm_history_line(&hist, &tui, 1, 7, 0.5, SM_STR("a\x1bname"), "/s");
	ck_assert_str_eq(rig_row(0),
		"all                  \xe2\x96\x88\xe2\x96\x81       "
		"                   max 100.0%");
	ck_assert_str_eq(rig_row(1),
		"a\\x1bname            \xe2\x96\x88\xe2\x96\x85       "
		"                  max 25.0/s");
	close_screen();
	/* The latest values where not all have room; without room the name alone. */
	open_screen(21);
	sm_history_line(&hist, &tui, 0, 7, 1, SM_STR("name"), "%");
	ck_assert_str_eq(rig_row(0), "name    \xe2\x96\x88 max 25.0%");
	rig_resize(19, 4);
	sm_tui_resized(&tui);
	sm_tui_clear(&tui);
	sm_history_line(&hist, &tui, 0, 7, 1, SM_STR("name"), "%");
	ck_assert_str_eq(rig_row(0), "name");
	close_screen();
}
END_TEST

/* The unit of a large value is whole; the line has fewer values instead. */
START_TEST(large)
{
	open_screen(60);
	sm_history_line(&hist, &tui, 0, 0, 104.801, SM_STR("all"), "/s");
	sm_history_line(&hist, &tui, 1, 0, 12345678.9, SM_STR("all"), "/s");
	ck_assert_str_eq(rig_row(0),
		"all                  \xe2\x96\x88\xe2\x96\x81       "
		"                 max 10480.1/s");
	ck_assert_str_eq(rig_row(1),
		"all                  \xe2\x96\x88\xe2\x96\x81       "
		"            max 1234567890.0/s");
	close_screen();
	open_screen(22);
	sm_history_line(&hist, &tui, 0, 7, 12345678.9, SM_STR("all"), "/s");
	ck_assert_str_eq(rig_row(0), "all");
	close_screen();
}
END_TEST

START_TEST(cell)
{
	open_screen(20);
	sm_history_cell(&hist, &tui, 0, 3, 5, 7, 100);
	ck_assert_str_eq(rig_row(0), "   \xe2\x96\x85\xe2\x96\x83");
	sm_history_cell(&hist, &tui, 1, 3, 1, 7, 100);
	ck_assert_str_eq(rig_row(1), "   \xe2\x96\x83");
	sm_history_cell(&hist, &tui, 2, 3, 5, 8, 100);
	ck_assert_str_eq(rig_row(2), "");
	close_screen();
}
END_TEST

static TCase *tc_ring(void)
{
	TCase *tc = tcase_create("ring");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gaps_are_zeros);
	tcase_add_test(tc, wraps);
	tcase_add_test(tc, is_bounded);
	return tc;
}

static TCase *tc_drawing(void)
{
	TCase *tc = tcase_create("drawing");

	tcase_add_test(tc, line);
	tcase_add_test(tc, large);
	tcase_add_test(tc, cell);
	return tc;
}

UNIT_MAIN("history", tc_ring, tc_drawing)
