// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat_screen_rig.h"

/* --- what stands on it ----------------------------------------------------------- */

START_TEST(before_the_first_sample)
{
	draw();
	check_row(0, "CPU --  0 tasks  every 1 s");
	ck_assert_int_ge(row_with("waiting for the first sample"), 0);
}
END_TEST

START_TEST(whole_screen)
{
	set_cpus(2, 45);
	(void)add(4711, "stress", 29.13);
	table[0].wait_ns = PCT(7);
	add(12, "kworker/1:1H-kblockd", 0.5)->flags |= ROW_KTHREAD;
	table[1].state = 'I';
	give();
	check_row(0, "CPU 90.0% of 200%  load 3.87 3.44 2.13  up 3d 04:12  152 tasks  "
		     "        01:02:03");
	check_row(1, "user 90.0%  system 0.0%  iowait 0.0%  steal 0.0%  idle 110.0%  0 "
		     "ctxt/s  0 irq/s");
	ck_assert_int_eq(row_with("1 created"), 2);
	check_row(3,
		"0 "
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x8c                | 45.0  1 "
		"\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
		"\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x8c"
		"                | 45.0");
	check_row(4, "   %CPU    %USR    %SYS     PID S  CPU     Time Task");
	check_row(5, "  29.13   21.85    7.28    4711 R    1    3.21s stress");
	check_row(6, "   0.50    0.38    0.13      12 I    1    3.21s "
		     "[kworker/1:1H-kblockd]");
	ck_assert_int_eq(row_with("all CPUs"), 22);
	ck_assert_int_eq(row_with("q quit  h help"), 23);
}
END_TEST

START_TEST(since_start)
{
	(void)add(1, "init", 1);
	sample.dt_ns = 0;
	give();
	ck_assert_int_eq(row_with("since start"), 0);
	sample.dt_ns = SM_NSEC_PER_SEC;
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
	check_row(2, "tasks 100.5%  exited 10.0%  irq 0.5%  softirq 1.5%  unaccounted "
		     "2.2%  1 created  4 unreadable  cpustat 0.3%");
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
	sample.busy_ns = PCT(60);
	give();
	check_row(0, "CPU 60.0% of 200%  load 3.87 3.44 2.13  up 3d 04:12  152 tasks  "
		     "        01:02:03");
}
END_TEST

/* Counters that jump have no value and no bar. */
START_TEST(counters_that_jump)
{
	teardown();
	open_screen(100, 24);
	set_cpus(2, 45);
	now.total.steal = now_cpu[1].t.steal = 900000000;
	now.total.idle -= 500;
	before.ctxt = 100;
	now.intr = 800;
	give();
	check_row(1, "user 90.0%  system 0.0%  iowait 0.0%  steal -  idle -  - ctxt/s  "
		     "800 irq/s");
	ck_assert_ptr_null(strstr(rig_row(2), "  1 ["));
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
	check_row(0, "CPU 90.0% of 200%  load 3.87    01:02:03");
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
		sm_screen_resized(&scr->base);
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
	ck_assert_ptr_nonnull(strstr(rig_row(4), "1234567"));
	ck_assert_ptr_nonnull(strstr(rig_row(5), "12000.3"));
	ck_assert_ptr_nonnull(strstr(rig_row(6), "9999.99"));
	ck_assert_ptr_nonnull(strstr(rig_row(7), " 4194304 R"));
}
END_TEST

/* As in the table: minutes.seconds, hours.minutes. */
START_TEST(notation_of_time)
{
	add(1, "a", 2)->total_ns = 90 * SM_NSEC_PER_SEC;
	add(2, "b", 1)->total_ns = 7500 * SM_NSEC_PER_SEC;
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(4), "   1.30m a"));
	ck_assert_ptr_nonnull(strstr(rig_row(5), "   2.05h b"));
	(void)type("\r");
	ck_assert_int_ge(row_with("time 1.30m"), 0);
}
END_TEST

START_TEST(hostile_names)
{
	add(1, "\x1b]0;pwned\x07", 5);
	add(2, "\xe6\x97\xa5\xe6\x9c\xac\xff", 4);
	rig_forget();
	give();
	ck_assert_int_ge(row_with("\\x1b]0;pwned\\x07"), 0);
	ck_assert_int_ge(row_with("\xe6\x97\xa5\xe6\x9c\xac\\xff"), 0);
	ck_assert_ptr_null(strstr(rig.out, "\x1b]0;"));
}
END_TEST

/* Rows and names are borrowed until the next sample; the screen needs them longer. */
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
	add(7, "a-compiler-of-a-very-long-name-indeed", 5)->kind = ROW_EXITED;
	give();
	check_row(4, "   5.00    3.75    1.25       7 R    1    3.21s "
		     "a-compiler-of-a-very-l\xe2\x80\xa6 (exited)");
	/* What does not fit with the whole mark, but with the short one. */
	table[0].comm = SM_STR("a-name-for-the-mark");
	give();
	check_row(4, "   5.00    3.75    1.25       7 R    1    3.21s "
		     "a-name-for-the-mark (exited)");
}
END_TEST

START_TEST(other_rows)
{
	struct row *row = add(7, "make", 5);

	row->kind = ROW_EXITED;
	row = add(0, "", 3);
	row->kind = ROW_UNACCOUNTED;
	row->cpu = -1;
	row->state = 0;
	give();
	ck_assert_int_ge(row_with("   7 R    1    3.21s make (exited children)"), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(5), "            "));
	ck_assert_ptr_null(strstr(rig_row(5), " 0 "));
	ck_assert_ptr_null(strstr(rig_row(5), "-1"));
}
END_TEST

START_TEST(columns_of_wide_screens)
{
	struct row *row;

	teardown();
	open_screen(150, 24);
	opts.wait = true;
	row = add(1, "init", 5);
	row->flags = ROW_HAS_WAIT | ROW_HAS_UID;
	row->wait_ns = PCT(2.5);
	row->uid = 0;
	give();
	check_row(3, "   %CPU    %USR    %SYS   %WAIT     PID USER      S  CPU     Time "
		     "History Task");
	ck_assert_ptr_nonnull(strstr(rig_row(4), "   2.50       1 root      R"));
}
END_TEST

START_TEST(filters_are_shown)
{
	opts.name_glob = "s\x1b*";
	opts.threads = true;
	opts.group = GROUP_USER;
	opts.all_cpus = true;
	opts.uids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){0}};
	give();
	check_row(
		2, "threads  by user  name s\\x1b*  user root  % of all CPUs  1 created");
	ck_assert_int_ge(row_with("no task that passes the filter"), 0);
	opts.name_glob = NULL;
}
END_TEST

/* Each line, the bars excepted, has the unit of the rows. */
START_TEST(one_unit)
{
	teardown();
	open_screen(100, 24);
	set_cpus(2, 45);
	now.total.iowait = 30;
	now.total.steal = 10;
	now.total.idle -= 40;
	now.ctxt = 1700;
	now.intr = 800;
	before.ctxt = 100;
	sample.tasks_ns = PCT(80);
	add(1, "half", 50);
	give();
	ck_assert_ptr_eq(strstr(rig_row(0), "CPU 90.0% of 200%  load"), rig.line);
	check_row(1, "user 90.0%  system 0.0%  iowait 30.0%  steal 10.0%  idle 70.0%  "
		     "1600 ctxt/s  800 irq/s");
	ck_assert_int_eq(row_with("tasks 80.0%"), 2);
	ck_assert_ptr_nonnull(strstr(rig_row(5), "  50.00"));
	ck_assert_ptr_nonnull(strstr(rig_row(22), "max 90.0%"));
	type("a");
	screen_arrange(scr);
	draw();
	ck_assert_ptr_eq(strstr(rig_row(0), "CPU 45.0% of 100%  load"), rig.line);
	check_row(1, "user 45.0%  system 0.0%  iowait 15.0%  steal 5.0%  idle 35.0%  "
		     "1600 ctxt/s  800 irq/s");
	ck_assert_int_eq(row_with("tasks 40.0%"), 2);
	ck_assert_ptr_nonnull(strstr(rig_row(3), "| 45.0"));
	ck_assert_ptr_nonnull(strstr(rig_row(5), "  25.00"));
	ck_assert_ptr_nonnull(strstr(rig_row(22), "max 45.0%"));
	/* Unknown. */
	sample.has_load = false;
	sample.uptime_ns = 0;
	give();
	ck_assert_ptr_eq(strstr(rig_row(0), "CPU 45.0% of 100%  152 tasks"), rig.line);
	sample.uptime_ns = 59 * 60 * SM_NSEC_PER_SEC;
	give();
	ck_assert_int_eq(row_with("up 00:59"), 0);
}
END_TEST

/* As on htop's bars: user holds nice and guests, system the interrupts. */
START_TEST(bars_in_parts)
{
	static const short want[] = {
		SM_TUI_LOW, SM_TUI_HIGH, SM_TUI_MIDDLE, SM_TUI_ACCENT};

	set_cpus(1, 0);
	now_cpu[0].t = (struct sm_cpu_ticks){.user = 20,
		.nice = 10,
		.guest = 5,
		.system = 5,
		.irq = 5,
		.softirq = 10,
		.iowait = 20,
		.steal = 20,
		.idle = 10};
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(3), "| 50.0"));
	for (int part = 0, column = 2; part < 4; part++) {
		static const int cells[] = {21, 14, 14, 14}; /* of 70 */

		for (int i = 0; i < cells[part]; i++, column++) {
			wchar_t ch[CCHARW_MAX + 1];
			attr_t attr;
			short pair = -1;
			cchar_t cc;

			(void)mvin_wch(3, column, &cc);
			(void)getcchar(&cc, ch, &attr, &pair, NULL);
			ck_assert_int_eq(pair, want[part]);
		}
	}
	scr->base.tui.color = false;
	give();
	ck_assert_ptr_eq(strstr(rig_row(1), "u=user 0.0%  s=system 0.0%  w=iowait 0.0%  "
					    "t=steal 0.0%"),
		rig.line);
	check_row(3,
		"0 uuuuuuuuuuuuuuuuuuuuusssssssssssssswwwwwwwwwwwwwwtttttttttttttt      "
		" | 50.0");
}
END_TEST

/* All arguments by default; without the directory where they have no room. */
START_TEST(whole_command_lines)
{
	static const char argv[] = "/opt/app/bin/python3\0worker.py\0--id\0"
				   "007\0";
	struct sm_poolstr *cmd = sm_strpool_get(names, argv, sizeof(argv) - 1, 0);

	add(10, "python3", 30)->cmd = cmd;
	give();
	ck_assert_int_ge(row_with(" python3 worker.py --id 007"), 0);
	rig_resize(100, 24);
	sm_screen_resized(&scr->base);
	draw();
	ck_assert_int_ge(row_with(" /opt/app/bin/python3 worker.py --id 007"), 0);
	opts.strip_path = true;
	draw();
	ck_assert_int_ge(row_with(" python3 worker.py --id 007"), 0);
	opts.short_name = true;
	draw();
	ck_assert_ptr_nonnull(strstr(rig_row(4), "s python3"));
	ck_assert_int_eq(row_with("worker"), -1);
	/* The history has room only beside a long name, and as much as it has samples. */
	ck_assert_int_eq(row_with("History"), -1);
	rig_resize(140, 24);
	sm_screen_resized(&scr->base);
	draw();
	ck_assert_int_ge(row_with("History Task"), 0);
	for (int i = 0; i < 30; i++)
		give();
	ck_assert_int_ge(row_with("History              Task"), 0);
	sm_strpool_put(names, cmd);
	ntable = 0;
	give();
}
END_TEST

START_TEST(columns_of_groups)
{
	teardown();
	open_screen(120, 24);
	add(10, "alpha", 10);
	add(11, "alpha", 20);
	opts.group = GROUP_COMM;
	give();
	check_row(3, "   %CPU    %USR    %SYS   Tasks     Time Task");
	check_row(4, "  30.00   22.50    7.50       2    6.42s alpha");
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

/* --- bars ------------------------------------------------------------------------ */

static int heading_row(unsigned int cpus)
{
	set_cpus(cpus, 50);
	give();
	return row_with("%CPU");
}

START_TEST(bars_by_number)
{
	ck_assert_int_eq(heading_row(0), 3);
	ck_assert_int_eq(heading_row(1), 4);
	ck_assert_int_eq(heading_row(4), 4);
	ck_assert_int_eq(heading_row(5), 5);
	ck_assert_int_eq(heading_row(32), 11);
	/* At most a third of the rows. */
	ck_assert_int_eq(heading_row(64), 11);
	ck_assert_int_eq(row_with("63 "), 10);
	/* More do not fit: one for all of them, and a cell for each. */
	ck_assert_int_eq(heading_row(65), 5);
	ck_assert_ptr_eq(strstr(rig_row(3), "65 CPUs "), rig.line);
	ck_assert_ptr_nonnull(strstr(rig_row(3), "| 50.0"));
	ck_assert_ptr_eq(strstr(rig_row(4), " 0 \xe2\x96\x85\xe2\x96\x85"), rig.line);
	ck_assert_int_eq(heading_row(200), 7);
	ck_assert_int_eq(type("1"), SM_SCREEN_REDRAW);
	ck_assert_int_eq(row_with("%CPU"), 3);
}
END_TEST

START_TEST(hotplug)
{
	set_cpus(4, 50);
	now_cpu[2].present = false;
	before_cpu[3].present = false;
	give();
	ck_assert_ptr_nonnull(strstr(rig_row(3), "1 "));
	ck_assert_ptr_null(strstr(rig_row(3), " 2 "));
	/* Without an earlier reading nothing is known of it. */
	ck_assert_ptr_nonnull(strstr(rig_row(3), "|  0.0"));
	before.ncpu = 1;
	give();
	sample.before = NULL;
	give();
	ck_assert_ptr_null(strstr(rig_row(3), "50.0"));
}
END_TEST

START_TEST(history_on_screen)
{
	add(10, "alpha", 100);
	give();
	table[0].used_ns = PCT(50);
	give();
	type("j");
	ck_assert_int_eq(row_with("all CPUs"), 21);
	ck_assert_ptr_eq(strstr(rig_row(22), "alpha"), rig.line);
	ck_assert_ptr_nonnull(strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85 "));
	ck_assert_ptr_nonnull(strstr(rig_row(22), "max 100.0%"));
	/* The same sample, rearranged, is not another one. */
	screen_arrange(scr);
	draw();
	ck_assert_ptr_nonnull(strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85 "));
	/* Idle: not in the sample, and still followed. */
	ntable = 0;
	give();
	ck_assert_ptr_nonnull(
		strstr(rig_row(22), " \xe2\x96\x88\xe2\x96\x85\xe2\x96\x81 "));
}
END_TEST

START_TEST(no_terminal)
{
	struct screen *other;
	const char *why;
	int saved = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(dup2(null, STDIN_FILENO), STDIN_FILENO);
	screen_close(scr);
	ck_assert_int_eq(screen_open(&other, &opts, &users, names, &why), -ENOTTY);
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
	tcase_add_test(tc, counters_that_jump);
	tcase_add_test(tc, small_screen);
	tcase_add_test(tc, any_size);
	tcase_add_test(tc, wide_numbers_keep_their_digits);
	tcase_add_test(tc, notation_of_time);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, names_are_copied);
	tcase_add_test(tc, long_name_of_exited_children);
	tcase_add_test(tc, other_rows);
	tcase_add_test(tc, columns_of_wide_screens);
	tcase_add_test(tc, filters_are_shown);
	tcase_add_test(tc, one_unit);
	tcase_add_test(tc, bars_in_parts);
	tcase_add_test(tc, whole_command_lines);
	tcase_add_test(tc, columns_of_groups);
	tcase_add_test(tc, percent_of_all_cpus);
	tcase_add_test(tc, bars_by_number);
	tcase_add_test(tc, hotplug);
	tcase_add_test(tc, history_on_screen);
	tcase_add_test(tc, no_terminal);
	return tc;
}

UNIT_MAIN("screen", tc_drawing)
