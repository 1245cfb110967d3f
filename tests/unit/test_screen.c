// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen_rig.h"

/* --- what stands on it
 * ------------------------------------------------------------------ */

START_TEST(before_the_first_sample)
{
	draw();
	check_row(0, "CPU --  0 tasks  every 1 s");
	ck_assert_int_ge(row_with("the first sample comes"), 0);
}
END_TEST

START_TEST(whole_screen)
{
	set_cpus(2, 45);
	(void)add(4711, "stress", 29.13);
	table[0].wait_ns = PCT(7);
	add(12, "kworker/1:1H-kblockd", 0.5)->flags |= CS_KTHREAD;
	table[1].state = 'I';
	give();
	check_row(0, "CPU 45.0%  of 2  152 tasks  every 1 s  3 running, 1 blocked     "
		     "        01:02:03");
	ck_assert_int_eq(row_with("1 born"), 1);
	check_row(2,
		"0 "
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x8c                | 45.0  1 "
		"\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c"
		"                | 45.0");
	check_row(3, "   %CPU    %USR    %SYS     PID S  CPU     Time Task");
	check_row(4, "  29.13   21.85    7.28    4711 R    1   3.210s stress");
	check_row(5, "   0.50    0.38    0.12      12 I    1   3.210s "
		     "[kworker/1:1H-kblockd]");
	ck_assert_int_eq(row_with("all CPUs"), 22);
	ck_assert_int_eq(row_with("q quit  h help"), 23);
}
END_TEST

START_TEST(since_start)
{
	(void)add(1, "init", 1);
	sample.births = 0;
	give();
	ck_assert_int_eq(row_with("since start"), 0);
	give();
	ck_assert_int_eq(row_with("since start"), -1);
	sample.partial = true;
	sample.dt_ns = 620 * SM_NSEC_PER_MSEC;
	give();
	ck_assert_int_eq(row_with("partial 0.62 s"), 0);
}
END_TEST

START_TEST(accounts)
{
	teardown();
	open_screen(200, 30);
	sample.exited_ns = PCT(9.98);
	sample.irq_ns = PCT(0.5);
	sample.softirq_ns = PCT(1.5);
	sample.unaccounted_ns = (int64_t)PCT(2.25);
	sample.tasks_ns = PCT(100.5);
	sample.self_ns = PCT(0.3);
	sample.unreadable = 4;
	give();
	check_row(1, "tasks 100.5%  exited 10.0%  irq 0.5%  softirq 1.5%  unaccounted "
		     "2.2%  1 born  4 unreadable  cpustat 0.3%");
	/* In a container the residual means nothing; a negative one neither. */
	sample.machine = false;
	give();
	ck_assert_int_eq(row_with("unaccounted"), -1);
	sample.machine = true;
	sample.unaccounted_ns = -(int64_t)PCT(50);
	give();
	ck_assert_int_eq(row_with("unaccounted"), -1);
}
END_TEST

START_TEST(without_proc_stat)
{
	sample.now = NULL;
	sample.before = NULL;
	sample.tasks_ns = PCT(50);
	sample.exited_ns = PCT(10);
	give();
	check_row(0, "CPU 30.0%  of 2  152 tasks  every 1 s                           "
		     "        01:02:03");
}
END_TEST

START_TEST(small_screen)
{
	teardown();
	open_screen(40, 10);
	set_cpus(2, 0);
	(void)add(4711, "a-name-that-is-longer-than-its-place", 29.13);
	(void)add(4712, "second", 3);
	give();
	check_row(0, "CPU 45.0%  of 2  152 tasks      01:02:03");
	check_row(1, "0           |  0.0  1           |  0.0");
	check_row(2, "   %CPU     PID Task");
	check_row(3, "  29.13    4711 a-name-that-is-longer-t\xe2\x80\xa6");
	check_row(4, "   3.00    4712 second");
	ck_assert_int_eq(row_with("all CPUs"), 8);
	check_last("q quit  h help  <> sort  / name  u user");
}
END_TEST

/* Whatever the size: nothing is drawn twice, nothing breaks. */
START_TEST(any_size)
{
	static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 40}, {3, 3}, {10, 4}, {300, 2},
		{40, 6}, {39, 7}, {200, 60}, {80, 25}};

	set_cpus(8, 50);
	add_many(40);
	for (size_t i = 0; i < SM_ARRAY_SIZE(sizes); i++) {
		rig_resize(sizes[i][0], sizes[i][1]);
		screen_resized(scr);
		give();
		(void)type("jj\r");
		(void)type("h");
		(void)type(" ");
		(void)type("\x0c/abc");
		(void)type("\x15\r");
	}
	ck_assert_int_ge(row_with("task-1"), 0);
}
END_TEST

START_TEST(wide_numbers_keep_their_digits)
{
	add(1, "a", 12000.25);
	add(2, "b", 1234567);
	add(3, "c", 9999.99);
	add(4194304, "d", 1);
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(3), "12000.2"));
	ck_assert_ptr_nonnull(strstr(rig_row(4), "1234567"));
	ck_assert_ptr_nonnull(strstr(rig_row(5), "9999.99"));
	ck_assert_ptr_nonnull(strstr(rig_row(6), " 4194304 R"));
}
END_TEST

START_TEST(hostile_names)
{
	add(1, "\x1b]0;pwned\x07", 5);
	add(2, "\xe6\x97\xa5\xe6\x9c\xac\xff", 4);
	rig.out_n = 0;
	give();
	ck_assert_int_ge(row_with("\\x1b]0;pwned\\x07"), 0);
	ck_assert_int_ge(row_with("\xe6\x97\xa5\xe6\x9c\xac\\xff"), 0);
	ck_assert_ptr_null(strstr(rig.out, "\x1b]0;"));
}
END_TEST

/* Rows and names are borrowed until the next sample; the screen lives longer. */
START_TEST(names_are_copied)
{
	char *comm = strdup("borrowed");

	add(1, comm, 5);
	give();
	memset(comm, '!', strlen(comm));
	free(comm);
	memset(table, 0x55, sizeof(table));
	(void)type("jk\r");
	ck_assert_int_ge(row_with("borrowed"), 0);
	ntable = 0;
}
END_TEST

START_TEST(long_name_of_exited_children)
{
	add(7, "a-compiler-of-a-very-long-name-indeed", 5)->kind = CS_EXITED;
	give();
	check_row(3, "   5.00    3.75    1.25       7 R    1   3.210s "
		     "a-compiler-of-a-very-l\xe2\x80\xa6 (exited)");
	/* What does not fit with the whole mark, but with the short one. */
	table[0].comm = SM_STR("a-name-for-the-mark");
	give();
	check_row(3, "   5.00    3.75    1.25       7 R    1   3.210s "
		     "a-name-for-the-mark (exited)");
}
END_TEST

START_TEST(other_rows)
{
	struct cs_row *row = add(7, "make", 5);

	row->kind = CS_EXITED;
	row = add(0, "", 3);
	row->kind = CS_UNACCOUNTED;
	row->cpu = -1;
	row->state = 0;
	give();
	ck_assert_int_ge(row_with("   7 R    1   3.210s make (exited children)"), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(4), "            "));
	ck_assert_ptr_null(strstr(rig_row(4), " 0 "));
	ck_assert_ptr_null(strstr(rig_row(4), "-1"));
}
END_TEST

START_TEST(columns_of_wide_screens)
{
	struct cs_row *row;

	teardown();
	open_screen(130, 24);
	opts.wait = true;
	row = add(1, "init", 5);
	row->flags = CS_HAS_WAIT | CS_HAS_UID;
	row->wait_ns = PCT(2.5);
	row->uid = 0;
	give();
	check_row(2, "   %CPU    %USR    %SYS   %WAIT     PID USER      S  CPU     Time "
		     "History              Task");
	ck_assert_ptr_nonnull(strstr(rig_row(3), "   2.50       1 root      R"));
}
END_TEST

START_TEST(filters_are_told)
{
	opts.name_glob = "s\x1b*";
	opts.threads = true;
	opts.group = CS_GROUP_USER;
	opts.all_cpus = true;
	opts.uids = (struct sm_opt_list){.n = 1, .v = {0}};
	give();
	check_row(1, "threads  by user  name s\\x1b*  user root  % of all CPUs  1 born");
	ck_assert_int_ge(row_with("no task that passes the filter"), 0);
	opts.name_glob = NULL;
}
END_TEST

START_TEST(percent_of_all_cpus)
{
	add(1, "half", 100);
	opts.all_cpus = true;
	sample.capacity_cpus = 2;
	give();
	ck_assert_int_ge(row_with("  50.00   37.50   12.50       1"), 0);
	sample.capacity_cpus = 1.5;
	give();
	ck_assert_int_ge(row_with("  66.67"), 0);
}
END_TEST

/* --- bars
 * ---------------------------------------------------------------------------------- */

static int heading_row(unsigned int cpus)
{
	set_cpus(cpus, 50);
	give();
	return row_with("%CPU");
}

START_TEST(bars_by_number)
{
	ck_assert_int_eq(heading_row(0), 2);
	ck_assert_int_eq(heading_row(1), 3);
	ck_assert_int_eq(heading_row(4), 3);
	ck_assert_int_eq(heading_row(5), 4);
	ck_assert_int_eq(heading_row(32), 10);
	/* At most a third of the rows. */
	ck_assert_int_eq(heading_row(64), 10);
	ck_assert_int_eq(row_with("63 "), 9);
	/* More do not fit: one for all of them. */
	ck_assert_int_eq(heading_row(65), 3);
	ck_assert_ptr_eq(strstr(rig_row(2), "65 CPUs "), rig.line);
	ck_assert_ptr_nonnull(strstr(rig_row(2), "| 50.0"));
	ck_assert_int_eq(type("1"), SCREEN_REDRAW);
	ck_assert_int_eq(row_with("%CPU"), 2);
}
END_TEST

START_TEST(hotplug)
{
	set_cpus(4, 50);
	now_cpu[2].present = false;
	before_cpu[3].present = false;
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(2), "1 "));
	ck_assert_ptr_null(strstr(rig_row(2), " 2 "));
	/* Without an earlier reading nothing is known of it. */
	ck_assert_ptr_nonnull(strstr(rig_row(2), "|  0.0"));
	before.ncpu = 1;
	give();
	sample.before = NULL;
	give();
	ck_assert_ptr_null(strstr(rig_row(2), "50.0"));
}
END_TEST

/* Keys arrange the last sample anew: what it pointed to is not read again. */
START_TEST(bars_stay)
{
	set_cpus(2, 50);
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(2), "| 50.0"));
	memcpy(before_cpu, now_cpu, sizeof(before_cpu));
	sample.t_ns -= SM_NSEC_PER_SEC; /* the same one once more */
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(2), "| 50.0"));
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(2), "|  0.0"));
}
END_TEST

START_TEST(no_terminal)
{
	struct screen *other;
	const char *why;
	int saved = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(dup2(null, STDIN_FILENO), STDIN_FILENO);
	screen_close(scr);
	ck_assert_int_eq(screen_open(&other, &opts, &users, &why), -ENOTTY);
	ck_assert_str_eq(why, "standard input is not a terminal: keys could not be read");
	ck_assert_int_eq(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
	close(null);
	scr = NULL;
}
END_TEST

static TCase *tc_drawing(void)
{
	TCase *tc = tcase_create("drawing");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, before_the_first_sample);
	tcase_add_test(tc, whole_screen);
	tcase_add_test(tc, since_start);
	tcase_add_test(tc, accounts);
	tcase_add_test(tc, without_proc_stat);
	tcase_add_test(tc, small_screen);
	tcase_add_test(tc, any_size);
	tcase_add_test(tc, wide_numbers_keep_their_digits);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, names_are_copied);
	tcase_add_test(tc, long_name_of_exited_children);
	tcase_add_test(tc, other_rows);
	tcase_add_test(tc, columns_of_wide_screens);
	tcase_add_test(tc, filters_are_told);
	tcase_add_test(tc, percent_of_all_cpus);
	tcase_add_test(tc, bars_by_number);
	tcase_add_test(tc, hotplug);
	tcase_add_test(tc, bars_stay);
	tcase_add_test(tc, no_terminal);
	return tc;
}

UNIT_MAIN("screen", tc_drawing)
