// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/table.h"
#include "cli/tty.h"
#include "tui_rig.h"

#define MANY 12

enum { NAME, COUNT, RATE, HIST, TEXT, NCOLUMNS };

static const struct sm_column columns[NCOLUMNS] = {
	[NAME] = {.head = "Name", .width = 5, .align = SM_ALIGN_LEFT},
	[COUNT] = {.head = "N", .width = 3, .align = SM_ALIGN_RIGHT, .priority = 3},
	[RATE] = {.head = "Rate",
		.width = 6,
		.align = SM_ALIGN_RIGHT,
		.decimals = 2,
		.priority = 2},
	[HIST] = {.head = "Hist", .width = 4, .align = SM_ALIGN_LEFT, .priority = 1},
	[TEXT] = {.head = "Text",
		.width = 8,
		.align = SM_ALIGN_LEFT,
		.flags = SM_COLUMN_LAST},
};

static struct sm_tui tui;
static struct sm_tui_table table;
static uint64_t keys[MANY];
static const char *text, *suffix;
static double rate;
static unsigned int rest, rows_asked;

static struct sm_value bytes(const char *s)
{
	return (struct sm_value){.type = SM_VALUE_TEXT, .s = {s, strlen(s)}};
}

static void row(void *ctx, size_t i, struct sm_value *v)
{
	ck_assert_ptr_eq(ctx, &table);
	for (int col = 0; col < NCOLUMNS; col++)
		ck_assert_int_eq(v[col].type, SM_VALUE_NONE);
	rest = table.rest;
	rows_asked++;
	v[NAME] = bytes("n\x1b-long");
	v[COUNT] = (struct sm_value){.type = SM_VALUE_U64, .u = i};
	if (i != 1)
		v[RATE] = (struct sm_value){.type = SM_VALUE_DOUBLE, .d = rate};
	v[TEXT] = bytes(text);
	v[TEXT].suffix = suffix;
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	(void)ctx;
	return i == 0 && col == COUNT ? SM_TUI_BOLD : SM_TUI_NORMAL;
}

static void setup(void)
{
	const char *why = NULL;

	rig_open(40, 6);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	ck_assert_int_eq(sm_tui_table_init(&table, columns, NCOLUMNS), 0);
	ck_assert_int_eq(sm_history_init(&table.values, 4), 0);
	sm_history_begin(&table.values, 0);
	sm_history_add(&table.values, 1000, 50, 0);
	table.history = HIST;
	table.history_max = 100;
	table.none = "no rows";
	table.row = row;
	table.style = style;
	table.ctx = &table;
	for (size_t i = 0; i < MANY; i++)
		keys[i] = 1000 + i;
	sm_list_set(&table.list, keys, 2);
	table.matched = 2;
	rate = 12.345;
	text = "a text";
	suffix = NULL;
	rows_asked = 0;
}

static void teardown(void)
{
	sm_tui_table_fini(&table);
	sm_tui_close(&tui);
	rig_drain();
	rig_close();
}

static void draw(int lines)
{
	sm_tui_clear(&tui);
	sm_tui_table_draw(&table, &tui, 0, lines);
}

static void resize(int width)
{
	rig_resize(width, 6);
	sm_tui_resized(&tui);
	draw(5);
}

static enum sm_tui_hit click(int line, int column, int *order)
{
	tui.mouse_row = line;
	tui.mouse_column = column;
	return sm_tui_table_click(&table, &tui, order);
}

START_TEST(clicks)
{
	int order = -2;

	table.orders[NAME] = 7;
	table.orders[TEXT] = 3;
	draw(5);
	ck_assert_int_eq(click(2, 0, &order), SM_TUI_HIT_ROW);
	ck_assert_uint_eq(table.list.at, 1);
	ck_assert_int_eq(click(2, 30, &order), SM_TUI_HIT_SELECTED);
	ck_assert_int_eq(
		click(3, 0, &order), SM_TUI_HIT_NOTHING); /* below the last row */
	ck_assert_int_eq(click(5, 0, &order), SM_TUI_HIT_NOTHING); /* below the table */
	ck_assert_int_eq(order, -2);
	ck_assert_int_eq(click(0, 4, &order), SM_TUI_HIT_HEAD);
	ck_assert_int_eq(order, 7);
	ck_assert_int_eq(
		click(0, 5, &order), SM_TUI_HIT_NOTHING); /* the space before N */
	table.orders[COUNT] = 0;
	ck_assert_int_eq(click(0, 5, &order), SM_TUI_HIT_HEAD);
	ck_assert_int_eq(order, 0);
	ck_assert_int_eq(click(0, 39, &order), SM_TUI_HIT_HEAD);
	ck_assert_int_eq(order, 3);
	draw(1); /* without a header */
	ck_assert_int_eq(click(0, 0, &order), SM_TUI_HIT_SELECTED);
}
END_TEST

START_TEST(rows)
{
	draw(5);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Hist Text");
	ck_assert_str_eq(
		rig_row(1), "n\\x1\xe2\x80\xa6   0  12.35 \xe2\x96\x85    a text");
	/* A missing value is blank, and an item without a history. */
	ck_assert_str_eq(rig_row(2), "n\\x1\xe2\x80\xa6   1             a text");
	ck_assert_str_eq(rig_row(3), "");
	ck_assert(rig_attr(1, 8) & A_BOLD);
	ck_assert(!(rig_attr(2, 8) & A_BOLD));
	ck_assert_uint_eq(rows_asked, 2);
	ck_assert_uint_eq(rest, 18);
}
END_TEST

START_TEST(wide_values)
{
	rate = 99999.5;
	text = "a text that has no room";
	draw(5);
	ck_assert_str_eq(rig_row(1), "n\\x1\xe2\x80\xa6   0 100000 \xe2\x96\x85    "
				     "a text that has n\xe2\x80\xa6");
	/* A suffix is seen all the same. */
	suffix = " (mark)";
	draw(5);
	ck_assert_ptr_nonnull(strstr(rig_row(1), " a text tha\xe2\x80\xa6 (mark)"));
	/* But not instead of the text. */
	suffix = " (a long mark)";
	draw(5);
	ck_assert_ptr_nonnull(strstr(rig_row(1), " a text that has n\xe2\x80\xa6"));
	/* A long suffix of a short text is truncated, too. */
	text = "a text";
	draw(5);
	ck_assert_ptr_nonnull(strstr(rig_row(1), " a text (a long ma\xe2\x80\xa6"));
}
END_TEST

START_TEST(columns_that_have_room)
{
	resize(30);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Hist Text");
	resize(29);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Text");
	ck_assert_uint_eq(rest, 12);
	resize(25);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Text");
	resize(24);
	ck_assert_str_eq(rig_row(0), "Name    N Text");
	resize(17);
	ck_assert_str_eq(rig_row(0), "Name  Text");
	resize(3);
	ck_assert_str_eq(rig_row(0), "Nam");
	ck_assert_uint_eq(rest, 0);
}
END_TEST

START_TEST(selection_and_range)
{
	cchar_t cc;
	wchar_t ch[CCHARW_MAX + 1];
	attr_t attr;
	short pair;

	sm_list_set(&table.list, keys, MANY);
	table.matched = 20;
	draw(5);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Hist Text        1-4/20");
	ck_assert_uint_eq(rows_asked, 4);
	sm_list_select(&table.list, 7);
	table.sorted = RATE;
	draw(5);
	ck_assert_str_eq(rig_row(0), "Name    N   Rate Hist Text        5-8/20");
	ck_assert_ptr_eq(strstr(rig_row(4), "n\\x1\xe2\x80\xa6   7"), rig.line);
	/* All of the row, and the heading of the column sorted by. */
	(void)mvin_wch(4, 39, &cc);
	(void)getcchar(&cc, ch, &attr, &pair, NULL);
	ck_assert_int_eq(pair, SM_TUI_SELECTED);
	(void)mvin_wch(0, 13, &cc);
	(void)getcchar(&cc, ch, &attr, &pair, NULL);
	ck_assert_int_eq(pair, SM_TUI_SELECTED);
	(void)mvin_wch(0, 1, &cc);
	(void)getcchar(&cc, ch, &attr, &pair, NULL);
	ck_assert_int_ne(pair, SM_TUI_SELECTED);
	resize(16); /* a heading without room before the range */
	ck_assert_str_eq(rig_row(0), "Name      5-8/20");
}
END_TEST

START_TEST(few_lines)
{
	draw(1);
	ck_assert_ptr_eq(strstr(rig_row(0), "n\\x1\xe2\x80\xa6   0"), rig.line);
	ck_assert_uint_eq(rows_asked, 1);
	draw(0);
	ck_assert_str_eq(rig_row(0), "");
	sm_list_set(&table.list, NULL, 0);
	draw(5);
	ck_assert_str_eq(rig_row(1), "no rows");
}
END_TEST

static TCase *tc_table(void)
{
	TCase *tc = tcase_create("table");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rows);
	tcase_add_test(tc, clicks);
	tcase_add_test(tc, wide_values);
	tcase_add_test(tc, columns_that_have_room);
	tcase_add_test(tc, selection_and_range);
	tcase_add_test(tc, few_lines);
	return tc;
}

UNIT_MAIN("tui_table", tc_table)
