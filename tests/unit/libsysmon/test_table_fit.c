// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables on a terminal: columns that are dropped or cut, and wrapped text. */
#include <errno.h>

#include "table_rig.h"

static const struct sm_column ranked[] = {
	{.head = "A", .width = 4, .align = SM_ALIGN_RIGHT, .priority = 2},
	{.head = "B", .width = 4, .align = SM_ALIGN_RIGHT},
	{.head = "C", .width = 4, .align = SM_ALIGN_RIGHT, .priority = 1},
	{.head = "Name", .width = 6, .align = SM_ALIGN_LEFT, .flags = SM_COLUMN_LAST},
};

static void row_of_width(unsigned int columns, const char *want)
{
	char line[80];

	sm_table_terminal(&out, columns, 0, true);
	sm_table_header(&out);
	ROW(u64(1), u64(2), u64(3), hostile("a long \xE6\x97\xA5 name"));
	expect(want);
	for (const char *p = want, *nl; (nl = strchr(p, '\n')); p = nl + 1) {
		memcpy(line, p, (size_t)(nl - p));
		ck_assert_uint_le(sm_text_width(line, (size_t)(nl - p)), columns);
	}
}

/* The columns of a low priority are dropped first, then the last one is cut. */
START_TEST(fitted_to_a_terminal)
{
	begin(SM_FORMAT_TABLE, ranked, 4);
	row_of_width(
		80, "   A    B    C Name\n   1    2    3 a long \xE6\x97\xA5 name\n");
	row_of_width(25,
		"   A    B    C Name\n   1    2    3 a long \xE6\x97\xA5\xE2\x80\xA6\n");
	row_of_width(21, "   A    B    C Name\n   1    2    3 a lon\xE2\x80\xA6\n");
	row_of_width(20, "   A    B Name\n   1    2 a long \xE6\x97\xA5\xE2\x80\xA6\n");
	row_of_width(15, "   B Name\n   2 a long \xE6\x97\xA5\xE2\x80\xA6\n");
	row_of_width(7, "   B N\xE2\x80\xA6\n   2 a\xE2\x80\xA6\n");
	sm_table_terminal(&out, 0, 0, true);
	ck_assert_uint_eq(sm_table_full_width(&out), 21);
	end();
}
END_TEST

/* Only on a terminal, and only the column that says so. */
START_TEST(cut_at_its_width)
{
	static const struct sm_column cols[] = {{.head = "Group",
							.width = 6,
							.align = SM_ALIGN_LEFT,
							.flags = SM_COLUMN_CUT},
		{.head = "User", .width = 4, .align = SM_ALIGN_LEFT},
		{.head = "Name",
			.width = 4,
			.align = SM_ALIGN_LEFT,
			.flags = SM_COLUMN_LAST}};

	begin(SM_FORMAT_TABLE, cols, 3);
	out.no_header = true;
	ROW(hostile("/a/long/group"), hostile("nobody"), hostile("sh"));
	expect("/a/long/group nobody sh\n");
	sm_table_terminal(&out, 40, 0, true);
	ROW(hostile("/a/long/group"), hostile("nobody"), hostile("sh"));
	expect("/a/lo\xE2\x80\xA6 nobody sh\n");
	ROW(hostile("/short"), hostile("root"), hostile("sh"));
	expect("/short root sh\n");
	end();
}
END_TEST

START_TEST(text_is_fitted)
{
	static char lines[] = "0123456789\nabc";

	begin(SM_FORMAT_TABLE, ranked, 4);
	sm_table_terminal(&out, 5, 0, true);
	sm_table_text(&out, &(struct sm_buf){.p = lines, .len = sizeof(lines) - 1}, 0);
	expect("0123\xE2\x80\xA6\nabc\n");
	end();
}
END_TEST

static const struct sm_column growing[] = {
	{.head = "A", .width = 3, .align = SM_ALIGN_RIGHT, .flags = SM_COLUMN_GROW},
	{.head = "B",
		.width = 3,
		.align = SM_ALIGN_RIGHT,
		.flags = SM_COLUMN_GROW,
		.priority = 1},
	{.head = "C", .width = 3, .align = SM_ALIGN_RIGHT, .flags = SM_COLUMN_GROW},
};

/* No row of a fitted table wraps: a wide value costs the least important column. */
START_TEST(fitted_again_to_a_wide_value)
{
	begin(SM_FORMAT_TABLE, growing, 3);
	sm_table_terminal(&out, 11, 0, true);
	ROW(u64(1), u64(2), u64(3));
	ROW(u64(1), u64(2), u64(123456));
	ROW(u64(1), u64(2), u64(3));
	expect("  A   B   C\n  1   2   3\n"
	       "  A      C\n  1 123456\n  1      3\n");
	end();
}
END_TEST

/* Columns that are never dropped are cut at the edge of the terminal. */
START_TEST(narrower_than_the_columns)
{
	begin(SM_FORMAT_TABLE, growing, 3);
	sm_table_terminal(&out, 7, 0, true);
	ROW(u64(1), u64(2), u64(3));
	expect("  A   C\n  1   3\n");
	sm_table_terminal(&out, 6, 0, true);
	ROW(u64(1), u64(2), u64(3));
	ROW(u64(1), u64(2), u64(12345));
	expect("  1  \xe2\x80\xa6\n  A  \xe2\x80\xa6\n  1 1\xe2\x80\xa6\n");
	sm_table_terminal(&out, 6, 0, false); /* not a terminal */
	ROW(u64(1), u64(2), u64(3));
	expect("  1   2     3\n");
	end();
}
END_TEST

START_TEST(grown_before_statistics)
{
	begin(SM_FORMAT_TABLE, growing, 3);
	ROW(u64(12345), u64(2), u64(3));
	sm_table_grow(&out);
	sm_table_rule(&out);
	ROW(u64(1), u64(2), u64(3));
	expect("  A   B   C\n12345 2   3\n"
	       "----- --- ---\n    1   2   3\n");
	/* not beyond the terminal */
	sm_table_terminal(&out, 13, 0, true);
	ROW(u64(1), u64(1234), u64(3));
	sm_table_grow(&out);
	ROW(u64(1), u64(2), u64(3));
	expect("    1 1234  3\n    1   2   3\n");
	end();
}
END_TEST

#define MAY   SM_TABLE_MAY_BREAK
#define MIGHT SM_TABLE_MIGHT_BREAK

/* At marks first, at blanks where that is not enough, and never within a word. */
START_TEST(text_is_wrapped)
{
	static char lines[] =
		"  1 busy CPU   10.0 W   " MAY "+- 0.2  " MAY "(9.5 to " MIGHT "10.5)\n"
		"abc de " MAY "f\n\n"
		"a_word_of_21_columns_ " MAY "x";
	static const struct sm_buf b = {.p = lines, .len = sizeof(lines) - 1};

	begin(SM_FORMAT_TABLE, ranked, 4);
	sm_table_terminal(&out, 45, 0, true);
	sm_table_wrap(&out, &b, 0);
	expect("  1 busy CPU   10.0 W   +- 0.2  (9.5 to 10.5)\nabc de f\n\n"
	       "a_word_of_21_columns_ x\n");
	sm_table_terminal(&out, 44, 0, true);
	sm_table_wrap(&out, &b, 0);
	expect("  1 busy CPU   10.0 W   +- 0.2\n    (9.5 to 10.5)\nabc de f\n\n"
	       "a_word_of_21_columns_ x\n");
	sm_table_terminal(&out, 17, 0, true);
	sm_table_wrap(&out, &b, 0);
	expect("  1 busy CPU\n    10.0 W\n    +- 0.2\n    (9.5 to 10.5)\nabc de f\n\n"
	       "a_word_of_21_columns_\n  x\n");
	sm_table_terminal(&out, 16, 0, true);
	sm_table_wrap(&out, &b, 0);
	expect("  1 busy CPU\n    10.0 W\n    +- 0.2\n    (9.5 to\n    10.5)\nabc de "
	       "f\n\n"
	       "a_word_of_21_columns_\n  x\n");
	sm_table_terminal(&out, 17, 0, false);
	sm_table_wrap(&out, &b, 0);
	expect("  1 busy CPU   10.0 W   +- 0.2  (9.5 to 10.5)\nabc de f\n\n"
	       "a_word_of_21_columns_ x\n");
	end();
}
END_TEST

/* The heading of the table comes again by the lines that the text has after it was split.
 */
START_TEST(wrapped_lines_are_counted)
{
	static char line[] = "abc " MAY "def " MAY "ghi\n";
	static const struct sm_buf b = {.p = line, .len = sizeof(line) - 1};

	begin(SM_FORMAT_TABLE, ranked, 4);
	sm_table_terminal(&out, 6, 100, true);
	sm_table_wrap(&out, &b, 0);
	ck_assert_uint_eq(out.since_header, 3);
	out.format = SM_FORMAT_CSV;
	ck_assert(sm_table_wrap(&out, &b, 0));
	expect("abc\n  def\n  ghi\n");
	end();
}
END_TEST

START_TEST(wrapped_text_that_failed)
{
	struct sm_buf b = {.err = -12};

	begin(SM_FORMAT_TABLE, plain, 4);
	ck_assert(!sm_table_wrap(&out, &b, 2));
	ck_assert_uint_eq(sink.dropped, 2);
	end();
}
END_TEST

/* A row that wraps takes several lines of the terminal. */
START_TEST(heading_before_it_scrolls_away)
{
	begin(SM_FORMAT_TABLE, ranked, 4);
	sm_table_terminal(
		&out, 12, 10, false); /* two lines each: three rows, the cursor */
	for (int i = 0; i < 4; i++)
		ROW(u64(1), u64(2), u64(3), str("x"));
	expect("   A    B    C Name\n   1    2    3 x\n   1    2    3 x\n"
	       "   1    2    3 x\n   A    B    C Name\n   1    2    3 x\n");
	end();
}
END_TEST

/* A screen draws the cells itself. */
START_TEST(screens)
{
	static const struct sm_column cols[] = {
		{.head = "%CPU", .width = 6, .align = SM_ALIGN_RIGHT, .decimals = 2},
		{.key = "not for people"},
		{.head = "Time", .width = 7, .priority = 1},
		{.head = "Task", .width = 8, .flags = SM_COLUMN_LAST | SM_COLUMN_BLANK},
	};
	struct sm_value pct = {.type = SM_VALUE_DOUBLE, .d = 12.345};
	const uint16_t *shown;

	begin(SM_FORMAT_TABLE, cols, 4);
	ck_assert_uint_eq(sm_table_shown(&out, &shown), 3);
	ck_assert_uint_eq(shown[2], 3);
	sm_table_terminal(&out, 22, 0, true);
	ck_assert_uint_eq(sm_table_shown(&out, &shown), 2);
	sm_table_set_head(&out, 3, "Group");
	ck_assert_str_eq(sm_table_head(&out, 3), "Group");
	ck_assert_uint_eq(sm_table_width(&out, 2), 7);
	ck_assert(sm_table_right(&out, 0, &pct));
	ck_assert_str_eq(cell(0, pct), "12.35");
	pct.d = 12345.678; /* fewer decimals rather than a cell that is too wide */
	ck_assert_str_eq(cell(0, pct), "12346");
	pct.d = 1234567;
	ck_assert_str_eq(cell(0, pct), "1234567");
	ck_assert_str_eq(cell(2, none()), "-");
	ck_assert_str_eq(cell(3, none()), "");
	ck_assert_str_eq(cell(3, hostile("a\nb")), "a\\x0ab");
	end();
}
END_TEST

static TCase *tc_fit(void)
{
	TCase *t = tcase_create("fit");

	tcase_add_test(t, fitted_to_a_terminal);
	tcase_add_test(t, cut_at_its_width);
	tcase_add_test(t, text_is_fitted);
	tcase_add_test(t, text_is_wrapped);
	tcase_add_test(t, fitted_again_to_a_wide_value);
	tcase_add_test(t, narrower_than_the_columns);
	tcase_add_test(t, grown_before_statistics);
	tcase_add_test(t, wrapped_lines_are_counted);
	tcase_add_test(t, wrapped_text_that_failed);
	tcase_add_test(t, heading_before_it_scrolls_away);
	tcase_add_test(t, screens);
	return t;
}

UNIT_MAIN("table_fit", tc_fit)
