// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>

#include "format/value.h"
#include "table_rig.h"

START_TEST(forkstat_rows)
{
	struct sm_value time = wall(UINT64_C(52) * SM_NSEC_PER_SEC);

	begin_forkstat(SM_FORMAT_TABLE, false);
	ROW(time, str("fork"), u64(13896), {0}, {0}, {0}, {0}, str("parent"), none(),
		ARGV("bash\0/dev/fd/3\0"));
	ROW(time, str("exit"), u64(13908), {0}, {0}, {0}, {0}, u64(768), lasted(20000000),
		ARGV("./fs_storm\0kinds\0"));
	ROW(time, str("exec"), u64(13901), {0}, {0}, {0}, {0}, none(), none(),
		ARGV("./fs_storm\0kinds"));
	ROW(time, str("ptrce"), u64(13912), {0}, {0}, {0}, {0}, str("detach"), none(),
		ARGV(""));
	ROW(time, str("lost"), none(), {0}, {0}, {0}, {0}, none(), lasted(30399000000),
		none());
	expect("Time     Event   PID Info   Duration Process\n"
	       "00:00:52 fork  13896 parent          bash /dev/fd/3\n"
	       "00:00:52 exit  13908    768   0.020s ./fs_storm kinds\n"
	       "00:00:52 exec  13901                 ./fs_storm kinds\n"
	       "00:00:52 ptrce 13912 detach\n"
	       "00:00:52 lost      -         30.399s -\n");
	end();
}
END_TEST

START_TEST(forkstat_extra_rows)
{
	struct sm_value time = wall(UINT64_C(94) * SM_NSEC_PER_SEC);

	begin_forkstat(SM_FORMAT_TABLE, true);
	ROW(time, str("fork"), u64(14134), str("root"), str("root"), str("?"), str("┬"),
		str("parent"), none(), ARGV("bash"));
	ROW(time, str("exit"), u64(24334), str("root"), str("root"), str("?"), str("⇥"),
		u64(0), lasted(41000000), ARGV("fs_storm"));
	ROW(time, str("uid"), u64(24334), str("root"), str("root"), str("?"), none(),
		str("daemon"), none(), ARGV("fs_storm"));
	expect("Time     Event   PID     UID    EUID TTY     Info   Duration Process\n"
	       "00:01:34 fork  14134    root    root      ? ┬parent          bash\n"
	       "00:01:34 exit  24334    root    root      ? ⇥     0   0.041s fs_storm\n"
	       "00:01:34 uid   24334    root    root      ?  daemon          fs_storm\n");
	end();
}
END_TEST

START_TEST(wide_values_borrow)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	out.no_header = true;
	ROW(str("abc"), u64(1), str("x"), u64(7));
	ROW(str("abcdefg"), u64(1), str("x"), u64(7));	    /* borrows from b */
	ROW(str("abcdefghi"), u64(1), str("x"), u64(7));    /* all that b has */
	ROW(str("abcdefghij"), u64(1), str("xyz"), u64(7)); /* and from c's padding */
	ROW(str("abcdefghijklmn"), u64(1), str("xyzuv"), u64(7)); /* nothing left */
	ROW(str("a"), u64(123456), str("x"), u64(7)); /* a number into a's padding */
	ROW(str("a"), str("right"), u64(12), u64(12345));
	expect("abc       1 x       7\n"
	       "abcdefg   1 x       7\n"
	       "abcdefghi 1 x       7\n"
	       "abcdefghij 1 xyz    7\n"
	       "abcdefghijklmn 1 xyzuv 7\n"
	       "a    123456 x       7\n"
	       "a     right 12  12345\n");
	end();
}
END_TEST

START_TEST(missing_values)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	ROW(none(), none(), none(), none());
	ROW({.type = SM_VALUE_DOUBLE, .d = NAN},
		{.type = SM_VALUE_DOUBLE, .d = -INFINITY}, str(""), hostile(""));
	expect("A         B C     D\n"
	       "-         - -     -\n"
	       "    -     -\n");
	end();
}
END_TEST

START_TEST(no_trailing_blank)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	out.no_header = true;
	ROW(str("a"), str("b"), str("c"), hostile("d   "));
	ROW(str("a"), str("b"), str("  "), str(""));
	ROW(str("   "), str(""), str(""), str(""));
	expect("a         b c     d\n"
	       "a         b\n"
	       "\n");
	end();
}
END_TEST

/* A name before the last column is one word, unless the output is a terminal. */
START_TEST(names_are_words)
{
	static char args[] = "a b\0c", many[1000];
	const struct sm_value argv = {.type = SM_VALUE_ARGV, .s = {args, sizeof(args)}};
	struct sm_value marked = hostile("x");
	size_t n;

	begin(SM_FORMAT_TABLE, plain, 4);
	out.no_header = true;
	marked.suffix = " [...]";
	ROW(hostile("a b"), hostile(" "), hostile(""), hostile("d e"));
	ROW(argv, str("b c"), marked, argv);
	expect("a\\x20b \\x20 -     d e\n"
	       "a\\x20b\\x20c b c x\\x20[...] a b c\n");
	memset(many, ' ', sizeof(many));
	ROW(sm_value_text(many, sizeof(many)), str(""), str(""), str("d"));
	n = strlen(written());
	ck_assert_uint_eq(n, 4 * sizeof(many) + 3);
	ck_assert_str_eq(text + n - 7, "\\x20 d\n");
	expect(text);
	sm_table_terminal(&out, 80, 0, true);
	ROW(hostile("a b"), hostile(" "), hostile(""), hostile("d e"));
	expect("a b               d e\n");
	end();
}
END_TEST

START_TEST(display_width)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	out.no_header = true;
	ROW(hostile("日本"), str("é"), hostile("e\xCC\x81"), u64(7));
	ROW(hostile("\x1b[m"), u64(1), hostile("\xff"), u64(7));
	expect("日本      é e\xCC\x81       7\n"
	       "\\x1b[m    1 \\xff    7\n");
	out.text_flags = 0;
	ROW(hostile("é"), u64(1), str("x"), u64(7));
	expect("\\xc3\\xa9  1 x       7\n");
	end();
}
END_TEST

START_TEST(types_human)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	out.no_header = true;
	ROW({.type = SM_VALUE_I64, .i = -42},
		{.type = SM_VALUE_FIXED, .scale = 2, .u = 1234},
		{.type = SM_VALUE_BOOL, .b = true}, {.type = SM_VALUE_BOOL, .b = false});
	ROW({.type = SM_VALUE_DOUBLE, .scale = 1, .d = 2.25}, lasted(20000000),
		{.type = SM_VALUE_U64, .u = 9, .suffix = "+"},
		{.type = SM_VALUE_STR, .s = {"ab", 2}, .suffix = "*"});
	expect("  -42 12.34 yes   no\n"
	       "  2.3 0.020s 9+   ab*\n");
	end();
}
END_TEST

START_TEST(headings)
{
	begin(SM_FORMAT_TABLE, plain, 4);
	sm_table_terminal(&out, 80, 5, false); /* 5 lines, one is the cursor's */
	sm_table_set_width(&out, 0, 2);
	for (unsigned int i = 0; i < 5; i++)
		ROW(u64(i), none(), none(), none());
	expect("A      B C     D\n"
	       " 0     - -     -\n"
	       " 1     - -     -\n"
	       " 2     - -     -\n"
	       "A      B C     D\n"
	       " 3     - -     -\n"
	       " 4     - -     -\n");
	sm_table_show(&out, 3, false);
	sm_table_show(&out, 64, false); /* no such column */
	sm_table_header(&out);
	expect("A      B C\n");
	out.no_header = true;
	sm_table_header(&out);
	expect("");
	end();
}
END_TEST

START_TEST(heading_wider_than_column)
{
	static const struct sm_column cols[] = {
		COL("a", "Longer", 3, 0, 0),
		COL("b", "B", 4, SM_ALIGN_RIGHT, 0),
		COL("c", NULL, 4, 0, 0),
		COL("d", "Last", 9, SM_ALIGN_RIGHT, SM_COLUMN_LAST),
	};

	begin(SM_FORMAT_TABLE, cols, 4);
	ROW(u64(1), u64(2), u64(3), str("rest"));
	expect("Longer B Last\n"
	       "  1    2 rest\n");
	end();
}
END_TEST

START_TEST(last_need_not_be_last)
{
	static const struct sm_column cols[] = {
		COL("a", "A", 6, 0, SM_COLUMN_LAST),
		COL("b", "B", 3, SM_ALIGN_RIGHT, 0),
	};

	begin(SM_FORMAT_TABLE, cols, 2);
	ROW(hostile("abc"), u64(1));
	ROW(hostile("abcdefghijkl"), u64(1));
	expect("A        B\n"
	       "abc      1\n"
	       "abcdefghijkl 1\n");
	end();
}
END_TEST

START_TEST(argv_human)
{
	static const struct sm_column cols[] = {COL("a", "A", 0, 0, SM_COLUMN_LAST)};

	begin(SM_FORMAT_TABLE, cols, 1);
	out.no_header = true;
	ROW(ARGV("a\0b\0"));
	ROW(ARGV("a\0b"));
	ROW(ARGV("a\0\0b"));
	ROW(ARGV("a\nb\0c"));
	ROW(ARGV(""));
	ROW(ARGV("\0"));
	expect("a b\na b\na  b\na\\x0ab c\n\n\n");
	end();
}
END_TEST

static const struct sm_column time_cols[] = {
	COL("time", "Time", 8, 0, 0),
	COL("x", "X", 1, 0, 0),
};

static void expect_time(
	enum sm_time_style style, unsigned int decimals, uint64_t ns, const char *want)
{
	out.time.style = style;
	out.time.decimals = decimals;
	ROW(wall(ns), str("|"));
	expect(want);
}

START_TEST(time_styles)
{
	begin(SM_FORMAT_TABLE, time_cols, 2);
	out.no_header = true;
	out.time.wall_offset_ns = (int64_t)T0 - 12345678901;
	expect_time(SM_TIME_CLOCK, 0, T0, "13:05:59 |\n");
	expect_time(SM_TIME_CLOCK, 3, T0, "13:05:59.123 |\n");
	expect_time(SM_TIME_CLOCK, 9, T0, "13:05:59.123456789 |\n");
	expect_time(SM_TIME_CLOCK, 0, T0 + SM_NSEC_PER_SEC, "13:06:00 |\n");
	expect_time(SM_TIME_ISO, 0, T0, "2026-11-21T13:05:59+0000 |\n");
	expect_time(SM_TIME_ISO, 6, T0, "2026-11-21T13:05:59.123456+0000 |\n");
	expect_time(SM_TIME_EPOCH, 0, T0, "1795266359 |\n");
	expect_time(SM_TIME_EPOCH, 3, T0, "1795266359.123 |\n");
	expect_time(SM_TIME_MONO, 0, T0, "12.345678 |\n");
	expect_time(SM_TIME_MONO, 9, T0, "12.345678901 |\n");
	expect_time(SM_TIME_MONO, 0, T0 - 12845678901, "-0.500000 |\n");
	expect_time(SM_TIME_DELTA, 3, T0, "0.000000 |\n");
	expect_time(SM_TIME_DELTA, 3, T0 + 1500, "0.000001 |\n");
	expect_time(SM_TIME_DELTA, 9, T0 + 3 * SM_NSEC_PER_SEC, "2.999998500 |\n");
	expect_time(SM_TIME_DELTA, 3, T0 + 2 * SM_NSEC_PER_SEC, "-1.000000 |\n");
	/* The wall clock is set an hour ahead: half a second has passed. */
	out.time.wall_offset_ns += 3600 * (int64_t)SM_NSEC_PER_SEC;
	expect_time(SM_TIME_DELTA, 3, T0 + 3602 * SM_NSEC_PER_SEC + SM_NSEC_PER_SEC / 2,
		"0.500000 |\n");
	expect_time(SM_TIME_CLOCK, 0, 0, "00:00:00 |\n");
	expect_time(SM_TIME_ISO, 9, UINT64_MAX, "2554-07-21T23:34:33.709551615+0000 |\n");
	end();
}
END_TEST

START_TEST(time_zone)
{
	begin(SM_FORMAT_TABLE, time_cols, 2);
	setenv("TZ", "XXX-05:30", 1);
	tzset();
	out.no_header = true;
	expect_time(SM_TIME_ISO, 3, T0, "2026-11-21T18:35:59.123+0530 |\n");
	expect_time(SM_TIME_CLOCK, 0, T0, "18:35:59 |\n");
	sm_table_fini(&out);
	sm_table_init(&out, SM_FORMAT_CSV, time_cols, 2, "event", &sink);
	out.no_header = true;
	expect_time(SM_TIME_CLOCK, 0, T0, "2026-11-21T13:05:59.123456789Z,|\n");
	end();
}
END_TEST

/* sm_table_full_width() is the width that is printed. */
START_TEST(time_widths)
{
	static const unsigned int decimals[] = {0, 3, 6, 9};

	begin(SM_FORMAT_TABLE, time_cols, 1);
	out.no_header = true;
	for (int style = SM_TIME_CLOCK; style <= SM_TIME_EPOCH; style++) {
		for (size_t i = 0; i < SM_ARRAY_SIZE(decimals); i++) {
			out.time.style = (enum sm_time_style)style;
			out.time.decimals = decimals[i];
			ROW(wall(T0));
			ck_assert_uint_eq(
				sm_value_time_width(out.time.style, decimals[i]),
				strlen(written()) - 1);
			ck_assert_int_eq(ftruncate(file, 0), 0);
			lseek(file, 0, SEEK_SET);
		}
	}
	ck_assert_uint_eq(sm_value_time_width(SM_TIME_MONO, 0), strlen("1234567.123456"));
	ck_assert_uint_eq(sm_value_time_width(SM_TIME_DELTA, 9), strlen("123.123456789"));
	end();
}
END_TEST

START_TEST(many_columns)
{
	static struct sm_column cols[300];
	static struct sm_value vals[300];
	static char want[700];

	for (int i = 0; i < 300; i++) {
		cols[i] = (struct sm_column)COL("k", "H", 1, 0, 0);
		vals[i] = u64((uint64_t)i % 10);
		want[2 * i] = (char)('0' + i % 10);
		want[2 * i + 1] = i == 299 ? '\n' : ' ';
	}
	begin(SM_FORMAT_TABLE, cols, 300);
	ck_assert_int_eq(sm_table_error(&out), 0);
	out.no_header = true;
	ck_assert(sm_table_row(&out, vals));
	expect(want);
	end();
}
END_TEST

/* A table may be made before its columns are known. */
START_TEST(columns_later)
{
	const uint16_t *shown;

	begin(SM_FORMAT_CSV, NULL, 0);
	sm_table_columns(&out, plain, 3);
	ck_assert_uint_eq(sm_table_shown(&out, &shown), 3);
	ROW(u64(1), none(), u64(3));
	sm_table_columns(&out, plain, 65536); /* more than 16 bits can number */
	ck_assert_int_eq(sm_table_error(&out), -ENOMEM);
	ck_assert(!sm_table_row(&out, NULL));
	ck_assert_uint_eq(sink.dropped, 1);
	expect("a,b,c\n1,,3\n");
	end();
}
END_TEST

START_TEST(decimals_units_and_scale)
{
	static const struct sm_column cols[] = {
		{.key = "pct",
			.head = "%",
			.width = 6,
			.decimals = 2,
			.machine_decimals = 4},
		{.key = "f_khz",
			.head = "Freq",
			.width = 9,
			.decimals = 2,
			.scale = 1e-6,
			.unit = " GHz"},
		{.key = "n", .head = "N", .width = 4},
	};
	const struct sm_value row[] = {{.type = SM_VALUE_DOUBLE, .d = 12.34567},
		{.type = SM_VALUE_DOUBLE, .d = 1652000},
		{.type = SM_VALUE_DOUBLE, .d = 7, .scale = 1}};

	begin(SM_FORMAT_TABLE, cols, 3);
	ck_assert(sm_table_row(&out, row));
	expect("%      Freq      N\n 12.35  1.65 GHz  7.0\n");
	sm_table_fini(&out);
	sm_table_init(&out, SM_FORMAT_CSV, cols, 3, "event", &sink);
	ck_assert(sm_table_row(&out, row));
	expect("pct,f_khz,n\n12.3457,1652000,7.0\n");
	end();
}
END_TEST

/* A mark has a place of its own: it moves neither its value nor the next one. */
START_TEST(marks)
{
	static const struct sm_column cols[] = {
		COL("w", "Watts", 6, SM_ALIGN_RIGHT, SM_COLUMN_MARK),
		COL("x", "X", 3, SM_ALIGN_RIGHT, 0)};

	begin(SM_FORMAT_TABLE, cols, 2);
	ROW(u64(12), u64(1));
	ROW({.type = SM_VALUE_U64, .u = 12, .suffix = "E"}, u64(1));
	ROW({.type = SM_VALUE_U64, .u = 12345678, .suffix = "*"}, u64(1));
	sm_table_rule(&out);
	expect(" Watts    X\n"
	       "    12    1\n"
	       "    12E   1\n"
	       "12345678* 1\n"
	       "------  ---\n");
	end();
}
END_TEST

START_TEST(columns_grow_at_the_next_heading)
{
	static const struct sm_column cols[] = {
		COL("w", "W", 3, SM_ALIGN_RIGHT, SM_COLUMN_GROW),
		COL("x", "X", 1, SM_ALIGN_RIGHT, 0)};

	begin(SM_FORMAT_TABLE, cols, 2);
	ROW(u64(123456), u64(1));
	ROW(u64(1), u64(1));
	sm_table_header(&out);
	ROW(u64(1), u64(1));
	expect("  W X\n123456 1\n  1 1\n     W X\n     1 1\n");
	end();
}
END_TEST

START_TEST(inline_headings)
{
	static const struct sm_column cols[] = {
		COL(NULL, "fork", 0, SM_ALIGN_LEFT, SM_COLUMN_INLINE),
		{.head = "exec",
			.align = SM_ALIGN_LEFT,
			.flags = SM_COLUMN_INLINE,
			.unit = "/s"}};

	begin(SM_FORMAT_TABLE, cols, 2);
	out.no_header = true;
	ROW(u64(1), u64(22));
	expect("fork 1 exec 22/s\n");
	end();
}
END_TEST

/* Bounds of each unit, and of the rounding to the next one. */
START_TEST(cpu_time)
{
	static const struct {
		uint64_t ms;
		const char *human;
	} t[] = {{0, "0.00s"}, {12764, "12.76s"}, {59994, "59.99s"}, {59996, "1.00m"},
		{90000, "1.30m"}, {3599400, "59.59m"}, {3599600, "1.00h"},
		{7500000, "2.05h"}, {86400000, "1.00d"}, {280800000, "3.25d"},
		{604800000, "1.00w"}, {31536000000, "1.00y"}};

	begin(SM_FORMAT_TABLE, plain, 4);
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		ck_assert_str_eq(cell(0, (struct sm_value){.type = SM_VALUE_CPU_TIME,
						 .u = t[i].ms * SM_NSEC_PER_MSEC}),
			t[i].human);
	end();
}
END_TEST

static TCase *tc_human(void)
{
	TCase *t = tcase_create("human");

	tcase_add_test(t, forkstat_rows);
	tcase_add_test(t, forkstat_extra_rows);
	tcase_add_test(t, wide_values_borrow);
	tcase_add_test(t, missing_values);
	tcase_add_test(t, no_trailing_blank);
	tcase_add_test(t, names_are_words);
	tcase_add_test(t, display_width);
	tcase_add_test(t, types_human);
	tcase_add_test(t, headings);
	tcase_add_test(t, heading_wider_than_column);
	tcase_add_test(t, last_need_not_be_last);
	tcase_add_test(t, argv_human);
	tcase_add_test(t, many_columns);
	tcase_add_test(t, columns_later);
	tcase_add_test(t, decimals_units_and_scale);
	tcase_add_test(t, marks);
	tcase_add_test(t, columns_grow_at_the_next_heading);
	tcase_add_test(t, inline_headings);
	tcase_add_test(t, cpu_time);
	return t;
}

static TCase *tc_time(void)
{
	TCase *t = tcase_create("time");

	tcase_add_test(t, time_styles);
	tcase_add_test(t, time_zone);
	tcase_add_test(t, time_widths);
	return t;
}

UNIT_MAIN("table", tc_human, tc_time)
