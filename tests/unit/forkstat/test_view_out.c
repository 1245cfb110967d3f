// SPDX-License-Identifier: GPL-2.0-or-later
/* view: where the rows go. */
#include "forkstat_view_rig.h"

/* -q is about the table: files have their rows. */
START_TEST(quiet_table)
{
	o.app.quiet = true;
	begin();
	show(EVENT_EXEC, task(100, "app", "app"));
	ck_assert_uint_eq(v.rows, 1);
	ck_assert_str_eq(content(human_path), "");
	ck_assert_ptr_nonnull(strstr(content(json_path), "\"event\":\"exec\""));
	ck_assert_ptr_nonnull(strstr(content(csv_path), ",exec,100,"));
}
END_TEST

START_TEST(colours)
{
	o.app.color = SM_COLOR_ALWAYS;
	begin();
	ck_assert(v.color);
	task(100, "app", "app");
	show(EVENT_EXEC, sm_tasktable_get(&r.procs, 100));
	ck_assert_ptr_nonnull(strstr(content(human_path), "\033[32m"));
	show_exit(1 << 8, 1);
	ck_assert_ptr_nonnull(strstr(content(human_path), "\033[31m"));
	row.lost = 1;
	show(EVENT_LOST, NULL);
	ck_assert_ptr_nonnull(strstr(content(human_path), "\033[1;31m"));
	ck_assert_ptr_null(strchr(content(json_path), '\033'));
}
END_TEST

START_TEST(width_of_pids)
{
	const char *what;

	o.app.no_header = false;
	ck_assert_int_eq(open_view(&v, &o, 4194304, &what), 0);
	opened = true;
	head_view(&v);
	ck_assert_str_eq(
		content(human_path), "Time     Event     PID Info   Duration Process\n");
}
END_TEST

START_TEST(time_styles)
{
	o.app.time_style = SM_TIME_EPOCH;
	o.usec = true;
	begin();
	show(EVENT_EXEC, task(100, "app", "app"));
	ck_assert_int_eq(strncmp(content(human_path), "1795266359.123456 exec ", 23), 0);
}
END_TEST

START_TEST(wall_clock_is_read_again_now_and_then)
{
	int64_t before;

	begin();
	before = v.wall_offset_ns;
	ck_assert_uint_eq(view_wall_ns(&v, MONO), WALL);
	ck_assert_uint_eq(
		view_wall_ns(&v, MONO + SM_NSEC_PER_SEC), WALL + SM_NSEC_PER_SEC);
	ck_assert_int_eq(v.wall_offset_ns, before);
	view_wall_ns(&v, MONO + SM_NSEC_PER_SEC + 1);
	ck_assert_int_ne(v.wall_offset_ns, before);
	ck_assert_uint_eq(v.offset_read_ns, MONO + SM_NSEC_PER_SEC + 1);
}
END_TEST

START_TEST(file_that_cannot_be_opened)
{
	const char *what = NULL;

	o.app.csv.file = "/nonexistent/file";
	ck_assert_int_eq(open_view(&v, &o, 32768, &what), -ENOENT);
	opened = true;
	ck_assert_str_eq(what, "/nonexistent/file");
	close_view(&v);
	o.app.csv.file = NULL;
	o.app.output = "/nonexistent/other";
	ck_assert_int_eq(open_view(&v, &o, 32768, &what), -ENOENT);
	ck_assert_str_eq(what, "/nonexistent/other");
	ck_assert_uint_eq(v.outputs->n, 0);
}
END_TEST

START_TEST(nothing_dropped_nothing_waits)
{
	begin();
	show(EVENT_EXEC, task(100, "app", "app"));
	for (unsigned int i = 0; i < v.outputs->n; i++)
		ck_assert_uint_eq(sm_sink_waiting_lines(&v.outputs->sink[i]), 1);
	ck_assert_int_eq(outputs_flush(v.outputs), 0);
	ck_assert_uint_eq(sm_outputs_dropped(v.outputs), 0);
	v.outputs->sink[1].dropped = 4;
	v.outputs->sink[2].dropped = 5;
	ck_assert_uint_eq(sm_outputs_dropped(v.outputs), 9);
}
END_TEST

START_TEST(full_disk_is_an_error)
{
	o.app.output = "/dev/full";
	begin();
	show(EVENT_EXEC, task(100, "app", "app"));
	ck_assert_int_eq(outputs_flush(v.outputs), -ENOSPC);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_outputs(void)
{
	TCase *tc = tcase_create("outputs");

	FIXTURE(tc);
	tcase_add_test(tc, quiet_table);
	tcase_add_test(tc, colours);
	tcase_add_test(tc, width_of_pids);
	tcase_add_test(tc, time_styles);
	tcase_add_test(tc, wall_clock_is_read_again_now_and_then);
	tcase_add_test(tc, file_that_cannot_be_opened);
	tcase_add_test(tc, nothing_dropped_nothing_waits);
	tcase_add_test(tc, full_disk_is_an_error);
	return tc;
}

UNIT_MAIN("view_out", tc_outputs)
