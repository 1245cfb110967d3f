// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat_view_rig.h"

#define FLOOR32 " 25.24  24.27   0.97  1579 R    0  12.76s ./floor32\n"

START_TEST(the_table_of_the_original)
{
	struct row r[2] = {floor32(), floor32()};

	r[1].used_ns = 291300000;
	r[1].usr_ns = 262100000;
	r[1].sys_ns = 29100000;
	r[1].pid = 5420;
	r[1].cpu = 1;
	r[1].total_ns = UINT64_C(3210000000);
	r[1].cmd = CMD("na\xc3\xafve");
	begin();
	show(r, 2);
	ck_assert_str_eq(content(human_path),
		HEADING "\n" FLOOR32
			" 29.13  26.21   2.91  5420 R    1   3.21s na\xc3\xafve\n\n");
	ck_assert_uint_eq(v.samples, 1);
	ck_assert_uint_eq(v.rows, 2);
}
END_TEST

START_TEST(each_sample_has_a_heading)
{
	begin();
	show_one(floor32());
	show(NULL, 0);
	ck_assert_str_eq(content(human_path), HEADING "\n" FLOOR32 "\n" HEADING "\n\n");
}
END_TEST

START_TEST(no_header)
{
	o.app.no_header = true;
	begin();
	view_start(&v, "b");
	show_one(floor32());
	show_one(floor32());
	ck_assert_str_eq(content(human_path), FLOOR32 FLOOR32);
	content(csv_path);
	ck_assert_int_eq(strncmp(content_of, "2026-11-21T", 11), 0);
}
END_TEST

START_TEST(the_first_sample_shows_nothing)
{
	begin();
	sample.dt_ns = 0;
	show(NULL, 0);
	ck_assert_str_eq(content(human_path), "");
	ck_assert_str_eq(content(json_path), "");
	ck_assert_uint_eq(v.samples, 0);
}
END_TEST

START_TEST(a_sample_is_one_write)
{
	struct stat st;

	begin();
	show_one(floor32());
	ck_assert_int_eq(stat(human_path, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	ck_assert_uint_gt(v.outputs->sink[0].queued_bytes, 0);
	ck_assert_int_eq(outputs_flush(v.outputs), 0);
	ck_assert_uint_eq(v.outputs->sink[0].queued_bytes, 0);
}
END_TEST

START_TEST(totals)
{
	o.total = true;
	rows.total = (struct row){.kind = ROW_GROUP,
		.dt_ns = SM_NSEC_PER_SEC,
		.used_ns = 1557200000,
		.usr_ns = 1184100000,
		.sys_ns = 373100000};
	rows.shown = rows.total;
	rows.shown.used_ns = 291300000;
	begin();
	show(NULL, 0);
	ck_assert_str_eq(content(human_path), HEADING "\n155.72 118.41  37.31 Total\n\n");
	o.app.limit = 1;
	show(NULL, 0);
	ck_assert(has(human_path, HEADING "\n 29.13 118.41  37.31 Shown\n"
					  "155.72 118.41  37.31 Total\n\n"));
}
END_TEST

START_TEST(total_of_waiting)
{
	o.total = o.wait = true;
	rows.total = (struct row){.kind = ROW_GROUP,
		.flags = ROW_HAS_WAIT,
		.dt_ns = SM_NSEC_PER_SEC,
		.wait_ns = 3 * PCT};
	begin();
	show(NULL, 0);
	ck_assert_str_eq(content(human_path),
		"  %CPU   %USR   %SYS   PID S  CPU    Time  %WAIT Task\n"
		"  0.00   0.00   0.00 Total                  3.00\n\n");
}
END_TEST

/* The minimum of a sum is not the sum of the minima. */
START_TEST(total_of_sub_samples)
{
	o.total = true;
	o.subsamples = 2;
	rows.total.dt_ns = SM_NSEC_PER_SEC;
	rows.total.min_pct = 1;
	begin();
	show(NULL, 0);
	ck_assert(has(human_path, " Task\n  0.00   0.00   0.00 Total\n\n"));
}
END_TEST

/* As Debian's cpustat 0.02.19 shows them, fed with such a /proc. */
START_TEST(cpu_times)
{
	static const struct {
		uint64_t centi;
		const char *text;
	} t[] = {{0, "0.00s"}, {505, "5.05s"}, {5995, "59.95s"}, {6004, "1.00m"},
		{6050, "1.01m"}, {9005, "1.30m"}, {9595, "1.36m"}, {12000, "2.00m"},
		{360004, "1.00h"}, {366005, "1.01h"}, {630005, "1.45h"},
		{719005, "2.00h"}, {8640004, "1.00d"}, {12960005, "1.50d"},
		{17000005, "1.97d"}, {60480004, "1.00w"}, {90720005, "1.50w"},
		{120000005, "1.98w"}, {262980004, "4.35w"},
		{UINT64_C(3144960004), "52.00w"}, {UINT64_C(3153600004), "1.00y"},
		{UINT64_C(4733640005), "1.50y"}, {UINT64_C(31557600005), "10.01y"},
		{UINT64_C(450000000005), "142.69y"}};
	struct row r = floor32();
	char want[64];

	o.app.no_header = true;
	begin();
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		r.total_ns = t[i].centi * 10000000;
		show_one(r);
		snprintf(want, sizeof(want), "R    0 %7s ./floor32\n", t[i].text);
		content(human_path);
		ck_assert_str_eq(content_of + strlen(content_of) - strlen(want), want);
	}
}
END_TEST

/* What rounding makes 60 seconds is a minute. */
START_TEST(cpu_time_never_shows_sixty)
{
	struct row r = floor32();

	o.app.no_header = true;
	begin();
	r.total_ns = UINT64_C(59996000000);
	show_one(r);
	ck_assert(has(human_path, "   1.00m ./"));
	r.total_ns = UINT64_C(3599600000000);
	show_one(r);
	ck_assert(has(human_path, "   1.00h ./"));
	r.total_ns = UINT64_C(86399000000000);
	show_one(r);
	ck_assert(has(human_path, "   1.00d ./"));
	r.total_ns = UINT64_MAX;
	show_one(r);
	ck_assert(has(human_path, " 584.94y ./"));
}
END_TEST

START_TEST(missing_values)
{
	struct row r[5] = {floor32(), residual(ROW_SOFTIRQ), residual(ROW_IRQ),
		residual(ROW_UNACCOUNTED), residual(ROW_OTHERS)};

	r[0].kind = ROW_EXITED;
	r[0].state = 0;
	r[0].cpu = -1;
	r[0].total_ns = 0;
	o.app.no_header = true;
	begin();
	show(r, 5);
	ck_assert_str_eq(content(human_path),
		" 25.24  24.27   0.97  1579 -    -       - ./floor32 (exited children)\n"
		"  2.00   0.00   2.00     - -    -       - [softirq]\n"
		"  2.00   0.00   2.00     - -    -       - [irq]\n"
		"  2.00   0.00   2.00     - -    -       - [unaccounted]\n"
		"  2.00   0.00   2.00     - -    -   0.02s (other tasks)\n");
}
END_TEST

START_TEST(numbers_are_never_cut)
{
	struct row r = floor32();

	o.app.no_header = true;
	r.used_ns = 12000 * PCT;
	r.cpu = 12345;
	begin();
	show_one(r);
	ck_assert_str_eq(content(human_path),
		"12000.00 24.27  0.97  1579 R 12345 12.76s ./floor32\n");
	r.dt_ns = 0; /* no time, no percentage */
	show_one(r);
	ck_assert(has(human_path, "\n  0.00   0.00   0.00  1579 R"));
}
END_TEST

START_TEST(pid_widens_with_pid_max)
{
	struct row r = floor32();

	r.pid = 4194303;
	begin_with(4194304);
	show_one(r);
	ck_assert_str_eq(content(human_path),
		"  %CPU   %USR   %SYS     PID S  CPU    Time Task\n"
		" 25.24  24.27   0.97 4194303 R    0  12.76s ./floor32\n\n");
}
END_TEST

/* The greatest pid is pid_max - 1. */
START_TEST(pid_is_as_wide_as_the_greatest)
{
	const uint32_t pid_max = _i ? 1000001 : 1000000;

	begin_with(pid_max);
	show_one(floor32());
	ck_assert(has(human_path, _i ? "   %SYS     PID S" : "   %SYS    PID S"));
}
END_TEST

/* An unknown pid_max is 0. */
START_TEST(pid_is_five_columns_wide)
{
	begin_with(_i ? 301 : 0);
	show_one(floor32());
	ck_assert(has(human_path, HEADING "\n" FLOOR32));
}
END_TEST

START_TEST(of_all_cpus)
{
	struct row r = floor32();

	o.app.no_header = o.total = true;
	r.used_ns = 50 * PCT;
	r.usr_ns = 30 * PCT;
	r.sys_ns = 20 * PCT;
	rows.total = r;
	begin();
	v.scale = 0.5;
	show_one(r);
	ck_assert_str_eq(content(human_path),
		" 25.00  15.00  10.00  1579 R    0  12.76s ./floor32\n"
		" 25.00  15.00  10.00 Total\n");
	ck_assert(has(json_path, "\"cpu_pct\":25.0000,\"usr_pct\":15.0000,"));
	ck_assert(has(json_path, "\"total_pct\":25.0000,"));
	ck_assert(has(csv_path, "process,25.0000,15.0000,10.0000,"));
}
END_TEST

/* --- what options add --------------------------------------------------------------- */

START_TEST(more_columns)
{
	struct row r = floor32();

	o.wait = true;
	o.subsamples = 4;
	o.group = GROUP_COMM;
	r.flags |= ROW_HAS_WAIT;
	r.wait_ns = 3 * PCT;
	r.min_pct = 1.5f;
	r.max_pct = 100;
	r.members = 12;
	begin();
	show_one(r);
	r.flags = 0;
	show_one(r);
	ck_assert_str_eq(content(human_path),
		"  %CPU   %USR   %SYS   PID S  CPU    Time  %WAIT   %MIN   %MAX Tasks "
		"Task\n"
		" 25.24  24.27   0.97  1579 R    0  12.76s   3.00   1.50 100.00    12 "
		"./floor32\n\n"
		"  %CPU   %USR   %SYS   PID S  CPU    Time  %WAIT   %MIN   %MAX Tasks "
		"Task\n"
		" 25.24  24.27   0.97  1579 R    0  12.76s      -   1.50 100.00    12 "
		"./floor32\n\n");
	ck_assert(has(json_path,
		"\"wait_pct\":3.0000,\"min_pct\":1.5000,\"max_pct\":100.0000,"
		"\"tasks\":12,"));
}
END_TEST

START_TEST(threads)
{
	struct row r = floor32();

	o.threads = true;
	r.kind = ROW_THREAD;
	r.pid = 1600;
	r.cmd = NULL;
	r.comm = SM_STR("worker");
	begin();
	show_one(r);
	ck_assert_str_eq(content(human_path),
		"  %CPU   %USR   %SYS   TID   PID S  CPU    Time Task\n"
		" 25.24  24.27   0.97  1600  1579 R    0  12.76s worker\n\n");
	ck_assert(has(json_path, "\"kind\":\"thread\","));
	ck_assert(has(json_path, "\"pid\":1600,\"tgid\":1579,"));
	/* Exited children belong to a process, not to its main thread. */
	r.kind = ROW_EXITED;
	r.pid = 1579;
	show_one(r);
	ck_assert(has(human_path, "0.97     -  1579 R"));
	ck_assert(has(json_path, "\"pid\":1579,\"tgid\":1579,"));
}
END_TEST

START_TEST(times_in_the_heading)
{
	o.heading_time = true;
	begin();
	show(NULL, 0);
	sample.partial = true;
	sample.dt_ns = 623456789;
	show(NULL, 0);
	o.heading_time = false;
	show(NULL, 0);
	ck_assert_str_eq(content(human_path), HEADING
		"  (13:05:59)\n\n" HEADING "  (13:05:59)  (partial 0.62 s)\n\n" HEADING
		"  (partial 0.62 s)\n\n");
	ck_assert(has(json_path, "\"dt_s\":0.623456789,\"sample\":2,\"partial\":true,"));
}
END_TEST

START_TEST(times_on_every_row)
{
	o.app.time_given = o.total = true;
	o.app.time_style = SM_TIME_CLOCK;
	rows.total.dt_ns = SM_NSEC_PER_SEC;
	begin();
	show_one(floor32());
	ck_assert_str_eq(content(human_path),
		"Timestamp  %CPU   %USR   %SYS   PID S  CPU  "
		"  Time Task\n"
		"13:05:59 " FLOOR32 "13:05:59   0.00   0.00   0.00 Total\n\n");
}
END_TEST

START_TEST(times_of_fast_samples)
{
	static const struct {
		enum sm_time_style style;
		const char *want;
	} t[] = {{SM_TIME_CLOCK, "13:05:59.123 " FLOOR32},
		{SM_TIME_ISO, "2026-11-21T13:05:59.123+0000 " FLOOR32},
		{SM_TIME_EPOCH, "1795266359.123 " FLOOR32},
		{SM_TIME_MONO, "5.000000       " FLOOR32}};

	o.app.time_given = o.app.no_header = true;
	o.app.interval_ns = SM_NSEC_PER_SEC / 10;
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		o.app.time_style = t[i].style;
		begin();
		show_one(floor32());
		ck_assert_str_eq(content(human_path), t[i].want);
		close_view(&v);
		opened = false;
	}
}
END_TEST

START_TEST(colour_by_load)
{
	static const struct {
		uint64_t pct;
		const char *sgr;
	} t[] = {{9, ""}, {10, "\033[33m"}, {40, "\033[31m"}, {79, "\033[31m"},
		{80, "\033[1;31m"}};
	struct row r = floor32();

	o.app.color = SM_COLOR_ALWAYS;
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		r.used_ns = t[i].pct * PCT;
		begin();
		show_one(r);
		content(human_path);
		ck_assert_int_eq(
			strncmp(content_of, HEADING "\n", strlen(HEADING) + 1), 0);
		ck_assert_int_eq(strncmp(content_of + strlen(HEADING) + 1, t[i].sgr,
					 strlen(t[i].sgr)),
			0);
		ck_assert_int_eq(
			t[i].sgr[0] != 0, strstr(content_of, "32\033[0m\n\n") != 0);
		close_view(&v);
		opened = false;
	}
	o.total = true; /* only rows have a colour */
	begin();
	show_one(r);
	show_one(r);
	ck_assert(
		has(human_path, "\033[0m\n  0.00   0.00   0.00 Total\n\n" HEADING "\n"));
	close_view(&v);
	o.app.color = SM_COLOR_NEVER;
	begin();
	show_one(r);
	ck_assert(!has(human_path, "\033"));
}
END_TEST

START_TEST(system_lines_come_first)
{
	struct sm_buf b = {0};

	sm_buf_str(&b, "Load Avg\nCtxt\n");
	begin();
	view_sample(&v, &sample, &rows, NULL, 0, &b);
	ck_assert_str_eq(content(human_path), "Load Avg\nCtxt\n" HEADING "\n\n");
	sm_buf_fini(&b);
}
END_TEST

START_TEST(quiet)
{
	struct sm_buf b = {0};

	sm_buf_str(&b, "x\n");
	o.app.quiet = true;
	begin();
	view_sample(&v, &sample, &rows, NULL, 0, &b);
	show_one(floor32());
	ck_assert_str_eq(content(human_path), "");
	ck_assert(has(json_path, "\"type\":\"task\""));
	ck_assert(has(csv_path, ",process,"));
	view_text(&v, &b); /* results at the end are not part of the table */
	ck_assert_str_eq(content(human_path), "x\n");
	o.app.quiet = false;
	o.tui = true;
	show_one(floor32());
	ck_assert_str_eq(content(human_path), "x\n");
	sm_buf_fini(&b);
}
END_TEST

START_TEST(grand_total)
{
	int csv_lines = 0;
	struct row r = floor32(), sum = {.kind = ROW_GROUP, .dt_ns = 2 * SM_NSEC_PER_SEC};

	sum.used_ns = 3114400000;
	sum.usr_ns = 2368200000;
	sum.sys_ns = 746200000;
	o.total = o.heading_time = true;
	o.app.limit = 1; /* of no concern here */
	o.app.quiet = true;
	begin();
	show_one(r);
	view_grand_total(&v, 2, 1999999999, &r, 1, &sum);
	ck_assert_str_eq(content(human_path),
		"Grand Total (from 2 samples, 2.0 seconds):\n" HEADING
		"  (13:05:59)\n" FLOOR32 "155.72 118.41  37.31 Total\n\n");
	ck_assert(has(json_path,
		"{\"type\":\"total\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
		"\"mono_ns\":5000000000,\"dt_s\":1.000000000,\"kind\":\"process\","));
	ck_assert(has(json_path,
		"\n{\"type\":\"grand_total\",\"time\":\"2026-11-21T13:05:59.123456789Z\","
		"\"mono_ns\":5000000000,\"samples\":2,\"span_s\":1.999999999,\"shown\":1,"
		"\"total_pct\":155.7200,\"total_usr_pct\":118.4100,"
		"\"total_sys_pct\":37.3100}\n"));
	show_one(r);
	content(json_path); /* a sample again */
	ck_assert_ptr_nonnull(
		strstr(strstr(content_of, "grand_total"), "\"type\":\"task\""));
	for (const char *p = content(csv_path); (p = strchr(p, '\n')) != NULL; p++)
		csv_lines++;
	ck_assert_int_eq(csv_lines, 3); /* the heading and the rows of the samples */
}
END_TEST

START_TEST(grand_total_without_a_total)
{
	struct row r = floor32();

	begin();
	view_grand_total(&v, 1, 400 * SM_NSEC_PER_MSEC, &r, 1, &r);
	o.total = true;
	o.app.no_header = true;
	view_grand_total(&v, 1, 0, NULL, 0, NULL);
	ck_assert_str_eq(content(human_path),
		"Grand Total (from 1 sample, 0.4 seconds):\n" HEADING "\n" FLOOR32
		"\nGrand Total (from 1 sample, 0.0 seconds):\n");
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_table(void)
{
	TCase *tc = tcase_create("table");

	FIXTURE(tc);
	tcase_add_test(tc, the_table_of_the_original);
	tcase_add_test(tc, each_sample_has_a_heading);
	tcase_add_test(tc, no_header);
	tcase_add_test(tc, the_first_sample_shows_nothing);
	tcase_add_test(tc, a_sample_is_one_write);
	tcase_add_test(tc, totals);
	tcase_add_test(tc, total_of_waiting);
	tcase_add_test(tc, total_of_sub_samples);
	tcase_add_test(tc, cpu_times);
	tcase_add_test(tc, cpu_time_never_shows_sixty);
	tcase_add_test(tc, missing_values);
	tcase_add_test(tc, numbers_are_never_cut);
	tcase_add_test(tc, pid_widens_with_pid_max);
	tcase_add_loop_test(tc, pid_is_as_wide_as_the_greatest, 0, 2);
	tcase_add_loop_test(tc, pid_is_five_columns_wide, 0, 2);
	tcase_add_test(tc, of_all_cpus);
	return tc;
}

static TCase *tc_options(void)
{
	TCase *tc = tcase_create("options");

	FIXTURE(tc);
	tcase_add_test(tc, more_columns);
	tcase_add_test(tc, threads);
	tcase_add_test(tc, times_in_the_heading);
	tcase_add_test(tc, times_on_every_row);
	tcase_add_test(tc, times_of_fast_samples);
	tcase_add_test(tc, colour_by_load);
	tcase_add_test(tc, system_lines_come_first);
	tcase_add_test(tc, quiet);
	tcase_add_test(tc, grand_total);
	tcase_add_test(tc, grand_total_without_a_total);
	return tc;
}

UNIT_MAIN("view", tc_table, tc_options)
