// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/items.h"
#include "cli/tty.h"
#include "tui_opened_rig.h"
START_TEST(figures)
{
	struct sm_items l = sm_items_begin(&tui, 1);

	sm_items_add(&l, SM_TUI_NORMAL, "CPU %.1f%%", 45.0);
	sm_items_count(&l, SM_TUI_NORMAL, 0, "tasks");
	sm_items_count(&l, SM_TUI_NORMAL, 3, "tasks");
	sm_items_text(&l, SM_TUI_ACCENT, "name", SM_STR("s\x1b\xe6\x97\xa5"));
	ck_assert_str_eq(rig_row(1), "CPU 45.0%  3 tasks  name s\\x1b\xe6\x97\xa5");
	ck_assert_int_eq(l.at, 32);
	/* One that does not fit is left out, and all after it. */
	sm_items_add(&l, SM_TUI_NORMAL, "1234567");
	sm_items_add(&l, SM_TUI_NORMAL, "12");
	ck_assert_int_eq(l.at, 32);
	l = sm_items_begin(&tui, 2);
	l.limit = 6;
	sm_items_add(&l, SM_TUI_NORMAL, "12");
	sm_items_add(&l, SM_TUI_NORMAL, "34");
	sm_items_add(&l, SM_TUI_NORMAL, "5");
	ck_assert_str_eq(rig_row(2), "12  34");
}
END_TEST

START_TEST(a_text_is_no_format)
{
	struct sm_items l = sm_items_begin(&tui, 0);

	sm_items_text(&l, SM_TUI_NORMAL, "%s", SM_STR("%n%s"));
	sm_items_text(&l, SM_TUI_NORMAL, "none", (struct sm_str){NULL, 0});
	ck_assert_str_eq(rig_row(0), "%s %n%s  none");
}
END_TEST

static const struct sm_items_part parts[SM_ITEMS_PARTS] = {{"user", 'u', SM_TUI_LOW},
	{"system", 's', SM_TUI_HIGH}, {"iowait", 'w', SM_TUI_MIDDLE},
	{"steal", 't', SM_TUI_ACCENT}};

static int draw_bars(int max_lines, const struct sm_items_bar *bar, unsigned int n)
{
	const struct sm_items_bars b = {parts, bar, n, "CPUs"};

	sm_tui_clear(&tui);
	return sm_items_bars(&tui, 0, max_lines, &b);
}

static short pair_at(int row, int column)
{
	wchar_t ch[CCHARW_MAX + 1];
	attr_t attr;
	short pair = -1;
	cchar_t cc;

	ck_assert_int_eq(mvin_wch(row, column, &cc), OK);
	(void)getcchar(&cc, ch, &attr, &pair, NULL);
	return pair;
}

START_TEST(bars)
{
	static const struct sm_items_bar bar[] = {
		{50, {50}}, {-1, {0}}, {100, {100}}, {0, {0}}, {25, {25}}};
	static const struct sm_items_bar absent[] = {{-1, {0}}, {-1, {0}}};

	ck_assert_int_eq(draw_bars(3, bar, 5), 2);
	ck_assert_str_eq(rig_row(0), "0 \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
				     "\xe2\x96\x88     | 50.0  2 "
				     "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
				     "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
				     "\xe2\x96\x88\xe2\x96\x88|100.0");
	ck_assert_str_eq(rig_row(1), "3           |  0.0  4 \xe2\x96\x88\xe2\x96\x88"
				     "\xe2\x96\x8c       | 25.0");
	/* Narrower ones on fewer lines; one for all, then with a cell for each. */
	ck_assert_int_eq(draw_bars(1, bar, 5), 1);
	ck_assert_ptr_nonnull(strstr(rig_row(0), "4 \xe2\x96\x88"));
	resize(20, 6);
	ck_assert_int_eq(draw_bars(1, bar, 5), 1);
	ck_assert_str_eq(
		rig_row(0), "4 CPUs \xe2\x96\x88\xe2\x96\x88\xe2\x96\x8e  | 43.8");
	ck_assert_int_eq(draw_bars(0, bar, 5), 0);
	ck_assert_int_eq(draw_bars(3, absent, 2), 0);
	ck_assert_int_eq(draw_bars(3, NULL, 0), 0);
}
END_TEST

START_TEST(parts_of_a_bar)
{
	static const struct sm_items_bar bar = {70, {40, 30, 15, 15}};

	ck_assert_int_eq(draw_bars(1, &bar, 1), 1);
	/* 30 cells: 12, 9, 4 or 5, the rest. */
	ck_assert_str_eq(rig_row(0) + strlen(rig_row(0)) - 6, "| 70.0");
	for (int column = 2; column < 32; column++)
		ck_assert_int_eq(pair_at(0, column), column < 14       ? SM_TUI_LOW
						     : column < 23     ? SM_TUI_HIGH
						     : column < 2 + 26 ? SM_TUI_MIDDLE
								       : SM_TUI_ACCENT);
	tui.color = false;
	ck_assert_int_eq(draw_bars(1, &bar, 1), 1);
	ck_assert_str_eq(rig_row(0), "0 uuuuuuuuuuuussssssssswwwwwtttt| 70.0");
}
END_TEST

START_TEST(a_cell_for_each)
{
	struct sm_items_bar bar[45] = {0};

	bar[0] = (struct sm_items_bar){100, {100}};
	bar[29] = (struct sm_items_bar){50, {50}};
	bar[30] = (struct sm_items_bar){-1, {0}};
	bar[31] = (struct sm_items_bar){100, {100}};
	ck_assert_int_eq(draw_bars(3, bar, 45), 3);
	ck_assert_ptr_eq(strstr(rig_row(0), "44 CPUs "), rig.line);
	ck_assert_ptr_eq(
		strstr(rig_row(1), " 0 \xe2\x96\x88\xe2\x96\x81\xe2\x96\x81"), rig.line);
	ck_assert_ptr_eq(
		strstr(rig_row(2), "30  \xe2\x96\x88\xe2\x96\x81\xe2\x96\x81"), rig.line);
	ck_assert_int_eq(pair_at(1, 32), SM_TUI_MIDDLE);
	/* No room for all of them. */
	ck_assert_int_eq(draw_bars(2, bar, 45), 1);
	ck_assert_str_eq(rig_row(1), "");
}
END_TEST

static TCase *tc_items(void)
{
	TCase *tc = tcase_create("items");

	tcase_add_checked_fixture(tc, tui_setup, tui_teardown);
	tcase_add_test(tc, figures);
	tcase_add_test(tc, a_text_is_no_format);
	tcase_add_test(tc, bars);
	tcase_add_test(tc, parts_of_a_bar);
	tcase_add_test(tc, a_cell_for_each);
	return tc;
}

UNIT_MAIN("items", tc_items)
