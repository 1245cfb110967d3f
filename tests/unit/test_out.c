// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <math.h>

#include "out_rig.h"

enum { TIME, EVENT, PID, UID, EUID, TTY, GLYPH, INFO, DURATION, PROCESS };

static const struct sm_col forkstat[] = {
	[TIME] = {"time", "Time", 8, 0, 0, NULL},
	[EVENT] = {"event", "Event", 5, SM_ALIGN_LEFT, 0, NULL},
	[PID] = {"pid", "PID", 5, SM_ALIGN_RIGHT, 0, NULL},
	[UID] = {"uid", "UID", 7, SM_ALIGN_RIGHT, 0, NULL},
	[EUID] = {"euid", "EUID", 7, SM_ALIGN_RIGHT, 0, NULL},
	[TTY] = {"tty", "TTY", 6, SM_ALIGN_RIGHT, SM_COL_HEAD_LEFT, NULL},
	[GLYPH] = {NULL, "", 1, 0, SM_COL_GLUED | SM_COL_BLANK, NULL},
	[INFO] = {"info", "Info", 6, 0, SM_COL_BLANK, NULL},
	[DURATION] = {"duration_s", "Duration", 8, 0, SM_COL_BLANK, NULL},
	[PROCESS] = {"argv", "Process", 0, 0, SM_COL_LAST, NULL},
};

static void begin_forkstat(enum sm_face face, bool extra)
{
	begin(face, forkstat, SM_ARRAY_SIZE(forkstat));
	for (unsigned int i = UID; i <= GLYPH; i++)
		sm_out_show(&out, i, extra);
}

START_TEST(forkstat_rows)
{
	struct sm_val time = wall(UINT64_C(52) * SM_NSEC_PER_SEC);

	begin_forkstat(SM_FACE_HUMAN, false);
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
	struct sm_val time = wall(UINT64_C(94) * SM_NSEC_PER_SEC);

	begin_forkstat(SM_FACE_HUMAN, true);
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

static const struct sm_col plain[] = {
	{"a", "A", 5, 0, 0, NULL},
	{"b", "B", 5, SM_ALIGN_RIGHT, 0, NULL},
	{"c", "C", 5, SM_ALIGN_LEFT, 0, NULL},
	{"d", "D", 3, 0, 0, NULL},
};

START_TEST(wide_values_borrow)
{
	begin(SM_FACE_HUMAN, plain, 4);
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
	begin(SM_FACE_HUMAN, plain, 4);
	ROW(none(), none(), none(), none());
	ROW({.type = SM_VAL_DOUBLE, .d = NAN}, {.type = SM_VAL_DOUBLE, .d = -INFINITY},
		str(""), hostile(""));
	expect("A         B C     D\n"
	       "-         - -     -\n"
	       "    -     -\n");
	end();
}
END_TEST

START_TEST(no_trailing_blank)
{
	begin(SM_FACE_HUMAN, plain, 4);
	out.no_header = true;
	ROW(str("a"), str("b"), str("c"), hostile("d   "));
	ROW(str("a"), str("b"), hostile("  "), str(""));
	ROW(hostile("   "), str(""), str(""), str(""));
	expect("a         b c     d\n"
	       "a         b\n"
	       "\n");
	end();
}
END_TEST

START_TEST(display_width)
{
	begin(SM_FACE_HUMAN, plain, 4);
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
	begin(SM_FACE_HUMAN, plain, 4);
	out.no_header = true;
	ROW({.type = SM_VAL_I64, .i = -42}, {.type = SM_VAL_FIXED, .scale = 2, .u = 1234},
		{.type = SM_VAL_BOOL, .b = true}, {.type = SM_VAL_BOOL, .b = false});
	ROW({.type = SM_VAL_DOUBLE, .scale = 1, .d = 2.25}, lasted(20000000),
		{.type = SM_VAL_U64, .u = 9, .suffix = "+"},
		{.type = SM_VAL_STR, .s = {"ab", 2}, .suffix = "*"});
	expect("  -42 12.34 yes   no\n"
	       "  2.3 0.020s 9+   ab*\n");
	end();
}
END_TEST

START_TEST(headings)
{
	begin(SM_FACE_HUMAN, plain, 4);
	out.repeat_rows = 2;
	out.width[0] = 2;
	for (unsigned int i = 0; i < 5; i++)
		ROW(u64(i), none(), none(), none());
	expect("A      B C     D\n"
	       " 0     - -     -\n"
	       " 1     - -     -\n"
	       "A      B C     D\n"
	       " 2     - -     -\n"
	       " 3     - -     -\n"
	       "A      B C     D\n"
	       " 4     - -     -\n");
	sm_out_show(&out, 3, false);
	sm_out_show(&out, 64, false); /* no such column */
	sm_out_header(&out);
	expect("A      B C\n");
	out.no_header = true;
	sm_out_header(&out);
	expect("");
	end();
}
END_TEST

START_TEST(heading_wider_than_column)
{
	static const struct sm_col cols[] = {
		{"a", "Longer", 3, 0, 0, NULL},
		{"b", "B", 4, SM_ALIGN_RIGHT, 0, NULL},
		{"c", NULL, 4, 0, 0, NULL},
		{"d", "Last", 9, SM_ALIGN_RIGHT, SM_COL_LAST, NULL},
	};

	begin(SM_FACE_HUMAN, cols, 4);
	ROW(u64(1), u64(2), u64(3), str("rest"));
	expect("Longer B Last\n"
	       "  1    2 rest\n");
	end();
}
END_TEST

START_TEST(last_need_not_be_last)
{
	static const struct sm_col cols[] = {
		{"a", "A", 6, 0, SM_COL_LAST, NULL},
		{"b", "B", 3, SM_ALIGN_RIGHT, 0, NULL},
	};

	begin(SM_FACE_HUMAN, cols, 2);
	ROW(hostile("abc"), u64(1));
	ROW(hostile("abcdefghijkl"), u64(1));
	expect("A        B\n"
	       "abc      1\n"
	       "abcdefghijkl 1\n");
	end();
}
END_TEST

START_TEST(long_text_is_cut)
{
	static const struct sm_col cols[] = {{"a", "A", 0, 0, SM_COL_LAST, NULL}};

	begin(SM_FACE_HUMAN, cols, 1);
	out.no_header = true;
	out.max_text = 8;
	ROW(hostile("12345678"));
	ROW(hostile("123456789"));
	ROW(hostile("1234é6789")); /* é is bytes 5 and 6: it would be cut in half */
	ROW(hostile("1234\xf0\x9f\x90\xa7"
		    "9"));
	ROW(ARGV("a\0b\0c\0d\0e\0"));
	ROW(hostile("\x80\x80\x80\x80\x80\x80\x80\x80\x80"));
	ROW(str("ours is never cut"));
	expect("12345678\n"
	       "12345…\n"
	       "1234…\n"
	       "1234…\n"
	       "a b c…\n"
	       "\\x80\\x80\\x80\\x80\\x80…\n"
	       "ours is never cut\n");
	out.text_flags = 0;
	ROW(hostile("123456789"));
	expect("12345...\n");
	end();
}
END_TEST

START_TEST(argv_human)
{
	static const struct sm_col cols[] = {{"a", "A", 0, 0, SM_COL_LAST, NULL}};

	begin(SM_FACE_HUMAN, cols, 1);
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

static const struct sm_col time_cols[] = {
	{"time", "Time", 8, 0, 0, NULL},
	{"x", "X", 1, 0, 0, NULL},
};

static void expect_time(
	enum sm_time_style style, unsigned int decimals, uint64_t ns, const char *want)
{
	out.time_style = style;
	out.time_decimals = decimals;
	ROW(wall(ns), str("|"));
	expect(want);
}

START_TEST(time_styles)
{
	begin(SM_FACE_HUMAN, time_cols, 2);
	out.no_header = true;
	out.wall_offset_ns = (int64_t)T0 - 12345678901;
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
	out.wall_offset_ns += 3600 * (int64_t)SM_NSEC_PER_SEC;
	expect_time(SM_TIME_DELTA, 3, T0 + 3602 * SM_NSEC_PER_SEC + SM_NSEC_PER_SEC / 2,
		"0.500000 |\n");
	expect_time(SM_TIME_CLOCK, 0, 0, "00:00:00 |\n");
	expect_time(SM_TIME_ISO, 9, UINT64_MAX, "2554-07-21T23:34:33.709551615+0000 |\n");
	end();
}
END_TEST

START_TEST(time_zone)
{
	begin(SM_FACE_HUMAN, time_cols, 2);
	setenv("TZ", "XXX-05:30", 1);
	tzset();
	out.no_header = true;
	expect_time(SM_TIME_ISO, 3, T0, "2026-11-21T18:35:59.123+0530 |\n");
	expect_time(SM_TIME_CLOCK, 0, T0, "18:35:59 |\n");
	sm_out_fini(&out);
	sm_out_init(&out, SM_FACE_CSV, time_cols, 2, "event", &sink);
	out.no_header = true;
	expect_time(SM_TIME_CLOCK, 0, T0, "2026-11-21T13:05:59.123456789Z,|\n");
	end();
}
END_TEST

/* The width that is told is the width that is printed. */
START_TEST(time_widths)
{
	static const unsigned int decimals[] = {0, 3, 6, 9};

	begin(SM_FACE_HUMAN, time_cols, 1);
	out.no_header = true;
	for (int style = SM_TIME_CLOCK; style <= SM_TIME_EPOCH; style++) {
		for (size_t i = 0; i < SM_ARRAY_SIZE(decimals); i++) {
			out.time_style = (enum sm_time_style)style;
			out.time_decimals = decimals[i];
			ROW(wall(T0));
			ck_assert_uint_eq(sm_out_time_width(out.time_style, decimals[i]),
				strlen(written()) - 1);
			ck_assert_int_eq(ftruncate(file, 0), 0);
			lseek(file, 0, SEEK_SET);
		}
	}
	ck_assert_uint_eq(sm_out_time_width(SM_TIME_MONO, 0), strlen("1234567.123456"));
	ck_assert_uint_eq(sm_out_time_width(SM_TIME_DELTA, 9), strlen("123.123456789"));
	end();
}
END_TEST

START_TEST(csv_rows)
{
	begin_forkstat(SM_FACE_CSV, false);
	ROW(wall(T0), str("exit"), u64(1), {0}, {0}, {0}, {0}, none(), lasted(20000000),
		ARGV("a,b\0\"c\"\0"));
	ROW(none(), hostile("x\ny"), u64(2), {0}, {0}, {0}, {0},
		{.type = SM_VAL_U64, .u = 9, .suffix = "+"}, lasted(1), ARGV("a\0\0b"));
	ROW(none(), {.type = SM_VAL_BOOL, .b = true}, {.type = SM_VAL_DOUBLE, .d = NAN},
		{0}, {0}, {0}, {0}, {.type = SM_VAL_I64, .i = -1},
		{.type = SM_VAL_FIXED, .scale = 3, .u = 5}, ARGV("\0"));
	out.repeat_rows = 1; /* a second header row would be data */
	ROW({0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0});
	expect("time,event,pid,info,duration_s,argv\n"
	       "2026-11-21T13:05:59.123456789Z,exit,1,,0.020000000,\"a,b \"\"c\"\"\"\n"
	       ",x\\x0ay,2,9,0.000000001,a  b\n"
	       ",1,,-1,0.005,\n"
	       ",,,,,\n");
	end();
}
END_TEST

START_TEST(json_rows)
{
	begin_forkstat(SM_FACE_JSON, true);
	out.time_style = SM_TIME_MONO; /* for people only */
	ROW(wall(T0), str("exit"), u64(1), none(), none(), none(), str("┬"), u64(3),
		lasted(20000000), ARGV("/bin/true\0a b\0"));
	ROW(none(), hostile("\"\n"), {.type = SM_VAL_BOOL, .b = true},
		{.type = SM_VAL_BOOL}, {.type = SM_VAL_I64, .i = -7},
		{.type = SM_VAL_FIXED, .scale = 2, .u = 150, .suffix = "%"}, none(),
		{.type = SM_VAL_DOUBLE, .scale = 1, .d = INFINITY},
		{.type = SM_VAL_DOUBLE, .scale = 2, .d = 0.5}, ARGV(""));
	expect("{\"type\":\"event\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
	       "\"event\":\"exit\",\"pid\":1,\"info\":3,\"duration_s\":0.020000000,"
	       "\"argv\":[\"/bin/true\",\"a b\"]}\n"
	       "{\"type\":\"event\",\"event\":\"\\\"\\u000a\",\"pid\":true,\"uid\":false,"
	       "\"euid\":-7,\"tty\":1.50,\"duration_s\":0.50,\"argv\":[]}\n");
	end();
}
END_TEST

START_TEST(json_argv)
{
	static const struct sm_col cols[] = {{"argv", NULL, 0, 0, 0, NULL}};

	begin(SM_FACE_JSON, cols, 1);
	ROW(ARGV("a\0b\0"));
	ROW(ARGV("a\0b"));
	ROW(ARGV("a\0\0b"));
	ROW(ARGV("\0"));
	ROW(ARGV("a\0\0"));
	ROW(ARGV("ok\0\xff\0"));
	expect("{\"type\":\"event\",\"argv\":[\"a\",\"b\"]}\n"
	       "{\"type\":\"event\",\"argv\":[\"a\",\"b\"]}\n"
	       "{\"type\":\"event\",\"argv\":[\"a\",\"\",\"b\"]}\n"
	       "{\"type\":\"event\",\"argv\":[\"\"]}\n"
	       "{\"type\":\"event\",\"argv\":[\"a\",\"\"]}\n"
	       "{\"type\":\"event\",\"argv\":[\"ok\",\"\xef\xbf\xbd\"],"
	       "\"argv_b64\":\"b2sA/wA=\"}\n");
	end();
}
END_TEST

START_TEST(json_header)
{
	begin(SM_FACE_JSON, plain, 4);
	sm_out_json_header(&out, "forkstat", "1.0", "ab-cd", T0);
	sm_out_json_header(&out, "forkstat", "1.0", NULL, 0);
	sm_out_header(&out);
	expect("{\"type\":\"header\",\"tool\":\"forkstat\",\"version\":\"1.0\","
	       "\"schema\":1,"
	       "\"boot_id\":\"ab-cd\",\"start\":\"2026-11-21T13:05:59.123456789Z\"}\n"
	       "{\"type\":\"header\",\"tool\":\"forkstat\",\"version\":\"1.0\","
	       "\"schema\":1,"
	       "\"start\":\"1970-01-01T00:00:00.000000000Z\"}\n");
	out.face = SM_FACE_HUMAN;
	sm_out_json_header(&out, "forkstat", "1.0", NULL, 0);
	expect("");
	end();
}
END_TEST

START_TEST(free_text)
{
	struct sm_buf b = {0};

	begin(SM_FACE_HUMAN, plain, 4);
	sm_buf_str(&b, "two\nlines\n");
	ck_assert(sm_out_text(&out, &b, 2));
	expect("two\nlines\n");
	b.err = -12;
	ck_assert(!sm_out_text(&out, &b, 2));
	ck_assert_uint_eq(sink.dropped, 2);
	sm_buf_reset(&b);
	out.face = SM_FACE_CSV;
	sm_buf_str(&b, "text");
	ck_assert(sm_out_text(&out, &b, 1));
	expect("");
	sm_buf_fini(&b);
	end();
}
END_TEST

START_TEST(refused_rows)
{
	struct sm_val row[] = {u64(1), u64(2), u64(3), u64(4)};
	int full;

	begin(SM_FACE_HUMAN, plain, 4);
	sm_sink_close(&sink);
	full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(full, 0);
	ck_assert_int_eq(sm_sink_init(&sink, full, 50), 0);
	ck_assert(sm_out_row(&out, row));
	ck_assert(!sm_out_row(&out, row));
	ck_assert(!sm_out_row(&out, row));
	ck_assert_uint_eq(sink.dropped, 2);
	close(full);
	end();
}
END_TEST

/* The widest table there may be, and columns beyond it. */
START_TEST(sixty_four_columns)
{
	struct sm_col cols[65];
	struct sm_val vals[65];
	char want[200] = "";

	for (int i = 0; i < 65; i++) {
		cols[i] = (struct sm_col){"k", "H", 1, 0, 0, NULL};
		vals[i] = u64((uint64_t)i % 10);
	}
	begin(SM_FACE_HUMAN, cols, 65);
	out.no_header = true;
	ck_assert_uint_eq(out.show, UINT64_MAX);
	for (int i = 0; i < 64; i++) {
		char cell[] = {(char)('0' + i % 10), i == 63 ? '\n' : ' ', '\0'};

		strcat(want, cell);
	}
	ck_assert(sm_out_row(&out, vals));
	expect(want);
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
	tcase_add_test(t, display_width);
	tcase_add_test(t, types_human);
	tcase_add_test(t, headings);
	tcase_add_test(t, heading_wider_than_column);
	tcase_add_test(t, last_need_not_be_last);
	tcase_add_test(t, long_text_is_cut);
	tcase_add_test(t, argv_human);
	tcase_add_test(t, sixty_four_columns);
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

static TCase *tc_machine(void)
{
	TCase *t = tcase_create("machine");

	tcase_add_test(t, csv_rows);
	tcase_add_test(t, json_rows);
	tcase_add_test(t, json_argv);
	tcase_add_test(t, json_header);
	tcase_add_test(t, free_text);
	tcase_add_test(t, refused_rows);
	return t;
}

UNIT_MAIN("out", tc_human, tc_time, tc_machine)
