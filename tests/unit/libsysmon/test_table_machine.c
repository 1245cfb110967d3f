// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows for programs: CSV, JSON, and the times in them. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>

#include "format/value.h"
#include "table_rig.h"

static const struct sm_column time_cols[] = {
	COL("time", "Time", 8, 0, 0),
	COL("x", "X", 1, 0, 0),
};

START_TEST(csv_rows)
{
	begin_forkstat(SM_FORMAT_CSV, false);
	ROW(wall(T0), str("exit"), u64(1), {0}, {0}, {0}, {0}, none(), lasted(20000000),
		ARGV("a,b\0\"c\"\0"));
	ROW(none(), hostile("x\ny"), u64(2), {0}, {0}, {0}, {0},
		{.type = SM_VALUE_U64, .u = 9, .suffix = "+"}, lasted(1), ARGV("a\0\0b"));
	ROW(none(), {.type = SM_VALUE_BOOL, .b = true},
		{.type = SM_VALUE_DOUBLE, .d = NAN}, {0}, {0}, {0}, {0},
		{.type = SM_VALUE_I64, .i = -1},
		{.type = SM_VALUE_FIXED, .scale = 3, .u = 5}, ARGV("\0"));
	sm_table_terminal(&out, 80, 5, true); /* a second header row would be data */
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
	begin_forkstat(SM_FORMAT_JSON, true);
	ROW(wall(T0), str("exit"), u64(1), none(), none(), none(), str("┬"), u64(3),
		lasted(20000000), ARGV("/bin/true\0a b\0"));
	ROW(none(), hostile("\"\n"), {.type = SM_VALUE_BOOL, .b = true},
		{.type = SM_VALUE_BOOL}, {.type = SM_VALUE_I64, .i = -7},
		{.type = SM_VALUE_FIXED, .scale = 2, .u = 150, .suffix = "%"}, none(),
		{.type = SM_VALUE_DOUBLE, .scale = 1, .d = INFINITY},
		{.type = SM_VALUE_DOUBLE, .scale = 2, .d = 0.5}, ARGV(""));
	expect("{\"type\":\"event\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
	       "\"event\":\"exit\",\"pid\":1,\"info\":3,\"duration_s\":0.020000000,"
	       "\"argv\":[\"/bin/true\",\"a b\"]}\n"
	       "{\"type\":\"event\",\"event\":\"\\\"\\u000a\",\"pid\":true,\"uid\":false,"
	       "\"euid\":-7,\"tty\":1.50,\"duration_s\":0.50,\"argv\":[]}\n");
	end();
}
END_TEST

/* CSV and JSON follow the style, except that a clock is for people only. */
START_TEST(machine_times)
{
	static const struct {
		enum sm_time_style style;
		const char *csv, *json;
	} t[] = {{SM_TIME_CLOCK, "2026-11-21T13:05:59.123456789Z",
			 "\"2026-11-21T13:05:59.123456789Z\""},
		{SM_TIME_ISO, "2026-11-21T13:05:59.123456789Z",
			"\"2026-11-21T13:05:59.123456789Z\""},
		{SM_TIME_EPOCH, "1795266359.123456789", "1795266359.123456789"},
		{SM_TIME_MONO, "12.345678901", "12.345678901"},
		{SM_TIME_DELTA, "0.000000000", "0.000000000"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		for (int format = SM_FORMAT_CSV; format <= SM_FORMAT_JSON; format++) {
			char want[100];

			begin((enum sm_format)format, time_cols, 1);
			out.no_header = true;
			sm_table_set_time(&out, 0, t[i].style, 3);
			out.time.wall_offset_ns = (int64_t)T0 - 12345678901;
			ROW(wall(T0));
			if (format == SM_FORMAT_CSV)
				snprintf(want, sizeof(want), "%s\n", t[i].csv);
			else
				snprintf(want, sizeof(want),
					"{\"type\":\"event\",\"time\":%s}\n", t[i].json);
			expect(want);
			end();
		}
	}
}
END_TEST

/* Columns of one group are members of one object; without a value it has no key, and
 * without members there is no object. */
START_TEST(json_groups)
{
	static const struct sm_column cols[] = {{.key = "a"},
		{.key = "b_pct", .group = "cpu", .member = "b"},
		{.key = "c_pct", .group = "cpu", .member = "c"},
		{.key = "d_w", .group = "power", .member = "d"}, {.key = "e"}};
	struct sm_json j;

	begin(SM_FORMAT_JSON, cols, 5);
	ROW(u64(1), u64(2), u64(3), u64(4), u64(5));
	ROW(u64(1), none(), hostile("\xff"), none(), u64(5));
	ROW(none(), none(), none(), u64(4), none());
	ROW(none(), none(), none(), none(), none());
	sm_table_record(&out, &j, "summary", T0);
	sm_json_double(&j, "missing", NAN, 3);
	sm_json_u64(&j, "n", 7);
	ck_assert(sm_table_record_end(&out, &j, 1));
	expect("{\"type\":\"event\",\"a\":1,\"cpu\":{\"b\":2,\"c\":3},"
	       "\"power\":{\"d\":4},\"e\":5}\n"
	       "{\"type\":\"event\",\"a\":1,\"cpu\":{\"c\":\"\xef\xbf\xbd\","
	       "\"c_b64\":\"/w==\"},\"e\":5}\n"
	       "{\"type\":\"event\",\"power\":{\"d\":4}}\n"
	       "{\"type\":\"event\"}\n"
	       "{\"type\":\"summary\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
	       "\"n\":7}\n");
	end();
}
END_TEST

START_TEST(json_argv)
{
	static const struct sm_column cols[] = {COL("argv", NULL, 0, 0, 0)};

	begin(SM_FORMAT_JSON, cols, 1);
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
	begin(SM_FORMAT_JSON, plain, 4);
	sm_table_json_header(&out, "forkstat", "1.0", "ab-cd", T0);
	sm_table_json_header(&out, "forkstat", "1.0", NULL, 0);
	sm_table_header(&out);
	expect("{\"type\":\"header\",\"tool\":\"forkstat\",\"version\":\"1.0\","
	       "\"schema\":1,"
	       "\"boot_id\":\"ab-cd\",\"start\":\"2026-11-21T13:05:59.123456789Z\"}\n"
	       "{\"type\":\"header\",\"tool\":\"forkstat\",\"version\":\"1.0\","
	       "\"schema\":1,"
	       "\"start\":\"1970-01-01T00:00:00.000000000Z\"}\n");
	out.format = SM_FORMAT_TABLE;
	sm_table_json_header(&out, "forkstat", "1.0", NULL, 0);
	expect("");
	end();
}
END_TEST

START_TEST(free_text)
{
	struct sm_buf b = {0};

	begin(SM_FORMAT_TABLE, plain, 4);
	sm_buf_str(&b, "two\nlines\n");
	ck_assert(sm_table_text(&out, &b, 2));
	expect("two\nlines\n");
	b.err = -12;
	ck_assert(!sm_table_text(&out, &b, 2));
	ck_assert_uint_eq(sink.dropped, 2);
	sm_buf_reset(&b);
	out.format = SM_FORMAT_CSV;
	sm_buf_str(&b, "text");
	ck_assert(sm_table_text(&out, &b, 1));
	expect("");
	sm_buf_fini(&b);
	end();
}
END_TEST

START_TEST(refused_rows)
{
	struct sm_value row[] = {u64(1), u64(2), u64(3), u64(4)};
	int full;

	begin(SM_FORMAT_TABLE, plain, 4);
	sm_sink_close(&sink);
	full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(full, 0);
	ck_assert_int_eq(sm_sink_init(&sink, full, 50), 0);
	ck_assert(sm_table_row(&out, row));
	ck_assert(!sm_table_row(&out, row));
	ck_assert(!sm_table_row(&out, row));
	ck_assert_uint_eq(sink.dropped, 2);
	close(full);
	end();
}
END_TEST

/* There is no limit on their number. */

static TCase *tc_machine(void)
{
	TCase *t = tcase_create("machine");

	tcase_add_test(t, csv_rows);
	tcase_add_test(t, json_rows);
	tcase_add_test(t, machine_times);
	tcase_add_test(t, json_groups);
	tcase_add_test(t, json_argv);
	tcase_add_test(t, json_header);
	tcase_add_test(t, free_text);
	tcase_add_test(t, refused_rows);
	return t;
}

UNIT_MAIN("table_machine", tc_machine)
