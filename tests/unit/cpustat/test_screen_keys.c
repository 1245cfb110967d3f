// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat_screen_rig.h"

/* --- keys ------------------------------------------------------------------------ */

START_TEST(sort_keys)
{
	static const struct {
		const char *key;
		int sort;
	} keys[] = {{"T", SORT_TIME}, {"N", SORT_PID}, {"U", SORT_USR}, {"S", SORT_SYS},
		{"M", SORT_NAME}, {"P", SORT_CPU}, {">", SORT_USR}, {">", SORT_SYS},
		{">", SORT_TIME}, /* not wait */
		{"<", SORT_SYS}, {"<", SORT_USR}, {"<", SORT_CPU}, {"<", SORT_NAME},
		{">", SORT_CPU}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++) {
		ck_assert_int_eq(type(keys[i].key), SM_SCREEN_REARRANGE);
		ck_assert_int_eq(opts.sort, keys[i].sort);
	}
	/* On, by the option or the key; off. */
	ck_assert_int_eq(type("W"), SM_SCREEN_REARRANGE);
	ck_assert(opts.wait);
	ck_assert_int_eq(opts.sort, SORT_WAIT);
	ck_assert_int_ge(row_with("%WAIT"), 0);
	type("PW");
	ck_assert(opts.wait);
	ck_assert_int_eq(opts.sort, SORT_WAIT);
	ck_assert_int_eq(type("W"), SM_SCREEN_REARRANGE);
	ck_assert(!opts.wait);
	ck_assert_int_eq(opts.sort, SORT_CPU);
}
END_TEST

START_TEST(option_keys)
{
	ck_assert_int_eq(type("H"), SM_SCREEN_REARRANGE);
	ck_assert(opts.threads);
	ck_assert_int_eq(type("H"), SM_SCREEN_REARRANGE);
	ck_assert(!opts.threads);
	for (int i = 1; i <= GROUP_PARENT + 1; i++) {
		ck_assert_int_eq(type("G"), SM_SCREEN_REARRANGE);
		ck_assert_int_eq(opts.group, i % (GROUP_PARENT + 1));
	}
	ck_assert_int_eq(type("a"), SM_SCREEN_REARRANGE);
	ck_assert(opts.all_cpus);
	type("c");
	ck_assert(opts.comm && !opts.full_command && !opts.short_name);
	type("l");
	ck_assert(!opts.comm && opts.full_command && !opts.short_name);
	type("s");
	ck_assert(!opts.comm && !opts.full_command && opts.short_name);
	type("s");
	ck_assert(!opts.comm && !opts.full_command && !opts.short_name);
	type("d");
	ck_assert(opts.strip_path);
}
END_TEST

START_TEST(wishes)
{
	ck_assert_int_eq(sm_screen_keys(&scr->base), SM_SCREEN_NOTHING);
	ck_assert_int_eq(type(" "), SM_SCREEN_SAMPLE);
	ck_assert_int_eq(type("1 1"), SM_SCREEN_SAMPLE);
	ck_assert_int_eq(type("P P "), SM_SCREEN_REARRANGE);
	ck_assert_int_eq(type("pP"), SM_SCREEN_REARRANGE);
	ck_assert(scr->base.paused);
	ck_assert_int_eq(row_with("PAUSED"), 0);
	ck_assert_int_eq(type("z"), SM_SCREEN_REDRAW);
	ck_assert(!scr->base.paused);
	ck_assert_int_eq(type("1 q1"), SM_SCREEN_QUIT);
	rig_hang_up();
	ck_assert_int_eq(sm_screen_keys(&scr->base), SM_SCREEN_QUIT);
}
END_TEST

START_TEST(interval_keys)
{
	ck_assert_int_eq(type("+"), SM_SCREEN_REARRANGE);
	ck_assert_uint_eq(opts.app.interval_ns, 2 * SM_NSEC_PER_SEC);
	check_last("one sample every 2 s");
	type("+++++++");
	ck_assert_uint_eq(opts.app.interval_ns, 60 * SM_NSEC_PER_SEC);
	ck_assert_int_eq(type("+"), SM_SCREEN_REDRAW);
	type("--------------");
	ck_assert_uint_eq(opts.app.interval_ns, SM_NSEC_PER_SEC / 10);
	check_last("one sample every 0.1 s");
	opts.app.interval_ns =
		10 * SM_NSEC_PER_MSEC; /* an option may ask for less or more */
	type("-");
	ck_assert_uint_eq(opts.app.interval_ns, 10 * SM_NSEC_PER_MSEC);
	opts.app.interval_ns = 100 * SM_NSEC_PER_SEC;
	type("+");
	ck_assert_uint_eq(opts.app.interval_ns, 100 * SM_NSEC_PER_SEC);
	type("-");
	ck_assert_uint_eq(opts.app.interval_ns, 60 * SM_NSEC_PER_SEC);
	teardown();
	open_screen_subsamples(80, 24, 100); /* each at least 10 ms */
	type("--------------");
	ck_assert_uint_eq(opts.app.interval_ns, SM_NSEC_PER_SEC);
}
END_TEST

START_TEST(help)
{
	add(1, "behind", 1);
	give();
	ck_assert_int_eq(type("h"), SM_SCREEN_REDRAW);
	check_row(0, "cpustat: keys");
	ck_assert_int_ge(row_with("q F10 quit"), 0);
	ck_assert_int_ge(row_with("h ? F1 this help"), 0);
	ck_assert_int_eq(row_with("behind"), -1);
	ck_assert_int_eq(type("q"), SM_SCREEN_REDRAW);
	ck_assert_int_ge(row_with("behind"), 0);
	/* Pages, where it is too long. */
	rig_resize(40, 10);
	sm_screen_resized(&scr->base);
	ck_assert_int_eq(type("\x1bOP"), SM_SCREEN_REDRAW);
	ck_assert_int_eq(row_with("this help"), -1);
	check_last("any key: more, Esc: close");
	type("   ");
	ck_assert_int_ge(row_with("this help"), 0);
	check_last("any key closes");
	type("h");
	ck_assert_int_ge(row_with("behind"), 0);
}
END_TEST

/* No key does nothing: what the help does not name is answered. */
START_TEST(every_key_is_named_or_answered)
{
	static const char named[] = "qPTNMUSW<>/fuHGaclsd1pzZ+=-kjh? ";

	check_keys();
	add(10, "alpha", 10);
	give();
	for (char c = ' '; c < 0x7f; c++) {
		char key[] = {c, '\0'};
		bool known = strchr(named, c), no_such;

		type(key);
		no_such = row_with("unknown key; press h for help") >= 0;
		ck_assert_msg(no_such == (!known && c != 't'), "key %c", c);
		type("\x1b\x1b\x1b"); /* prompts, help */
		if (known && c != ' ') {
			char in_help[] = {c, ' ', '\0'};

			type("h");
			ck_assert_msg(row_with(in_help) >= 0, "key %c in the help", c);
			type("h");
		}
	}
	type("\x1b[20~"); /* F9 */
	check_last("cpustat does not send signals; use kill(1)");
	type("\x1b[15~"); /* F5 */
	check_last("cpustat shows no tree; press G to group by comm, user, cgroup or "
		   "parent");
	type("\x1bOR"); /* F3 */
	check_last("Name:   part of the command line, or a pattern; Esc: all");
	ck_assert_int_eq(type("\x1bq"), SM_SCREEN_NOTHING);  /* Alt+q */
	ck_assert_int_eq(type("\x1b[I"), SM_SCREEN_NOTHING); /* a report */
	check_last("Name:   part of the command line, or a pattern; Esc: all");
	type("\x1b");
	ck_assert_int_eq(type("\x1b[21~"), SM_SCREEN_QUIT); /* F10 */
}
END_TEST

/* --- the selection --------------------------------------------------------------- */

START_TEST(selection_follows_the_task)
{
	add(10, "alpha", 30);
	add(11, "beta", 20);
	add(12, "gamma", 10);
	give();
	ck_assert_int_eq(selected_row(), -1);
	type("j");
	ck_assert_int_eq(selected_row(), row_with("alpha"));
	type("\x1bOB");
	ck_assert_int_eq(selected_row(), row_with(" beta"));
	/* Another order. */
	ntable = 0;
	add(12, "gamma", 50);
	add(10, "alpha", 30);
	add(11, "beta", 20);
	give();
	ck_assert_int_eq(selected_row(), 6);
	ck_assert_ptr_nonnull(strstr(rig_row(6), "beta"));
	/* The pid of another task that begun later. */
	table[2].start_ticks++;
	give();
	ck_assert_int_eq(selected_row(), -1);
	/* It is there again, after an exec. */
	table[2].start_ticks--;
	table[2].comm = SM_STR("delta");
	give();
	ck_assert_int_eq(selected_row(), row_with("delta"));
	type("\x1b");
	ck_assert_int_eq(selected_row(), -1);
}
END_TEST

START_TEST(groups_are_known_by_name)
{
	add(10, "alpha", 10);
	add(11, "alpha", 20);
	add(12, "beta", 20);
	opts.group = GROUP_COMM;
	give();
	ck_assert_int_ge(row_with("Tasks  "), 0);
	ck_assert_int_eq(row_with("       2 "), 4);
	type("jj");
	ck_assert_int_eq(selected_row(), 5);
	ck_assert_ptr_nonnull(strstr(rig_row(5), "beta"));
	table[0].comm = table[1].comm = SM_STR("beta");
	table[2].comm = SM_STR("alpha");
	give();
	ck_assert_int_eq(selected_row(), 4);
	ck_assert_ptr_nonnull(strstr(rig_row(4), "beta"));
}
END_TEST

START_TEST(scrolling)
{
	add_many(60);
	give();
	ck_assert_int_eq(row_with(" 1-18/60"), 3);
	type("j");
	for (int i = 0; i < 25; i++)
		type("j");
	ck_assert_int_ge(row_with("task-25"), 0);
	ck_assert_int_eq(row_with("task-1 "), -1);
	type("\x1bOF");
	ck_assert_int_ge(row_with("task-59"), 0);
	ck_assert_int_eq(selected_row(), row_with("task-59"));
	type("\x1b[5~");
	ck_assert_int_eq(selected_row(), row_with("task-43"));
	type("\x1bOH");
	ck_assert_int_eq(selected_row(), row_with("task-0"));
	type("\x1bOA");
	ck_assert_int_eq(selected_row(), row_with("task-0"));
	type("\x1b[6~");
	ck_assert_int_eq(selected_row(), row_with("task-16"));
	/* Fewer rows than there were. */
	type("\x1bOF");
	ntable = 3;
	give();
	ck_assert_int_eq(row_with("task-0"), 4);
}
END_TEST

#define ROWS_KEPT 4096

START_TEST(more_rows_than_are_kept)
{
	static struct row rows[ROWS_KEPT + 10];

	add(1, "one", 1);
	for (size_t i = 0; i < SM_ARRAY_SIZE(rows); i++) {
		rows[i] = table[0];
		rows[i].pid = (pid_t)i + 1;
	}
	sample.rows = rows;
	sample.nrows = SM_ARRAY_SIZE(rows);
	screen_sample(scr, &sample);
	draw();
	ck_assert_int_eq(row_with("1-18/4106"), 3);
	type("\x1bOF");
	ck_assert_int_ge(row_with(" 4096 R"), 0);
}
END_TEST

START_TEST(details)
{
	static const char argv[] = "/usr/bin/prog\0--opt\0a\x1b[2Jb\0";
	struct sm_poolstr *cmd, *cgroup;

	cmd = sm_strpool_get(names, argv, sizeof(argv) - 1, 0);
	cgroup = sm_strpool_get(names, "/user.slice", 11, 0);
	add(10, "prog", 30);
	table[0].cmd = cmd;
	table[0].cgroup = cgroup;
	table[0].ppid = 4;
	table[0].flags = ROW_HAS_UID | ROW_NEW;
	table[0].uid = 1000;
	give();
	sm_strpool_put(names, cmd);
	sm_strpool_put(names, cgroup);
	ck_assert_int_eq(type("\r"), SM_SCREEN_REDRAW);
	check_row(17, "pid 10  parent 4  uid 1000  state R  on CPU 1  time 3.21s  new");
	check_row(18, "command /usr/bin/prog --opt a\\x1b[2Jb");
	check_row(19, "cgroup /user.slice");
	check_row(20, "CPU 30.000%  user 22.500%  system 7.500%");
	table[0].cgroup = NULL;
	table[0].cmd = NULL;
	give();
	check_row(18, "command prog");
	check_row(19, "cgroup -");
	ntable = 0;
	give();
	ck_assert_int_eq(row_with("not active in this sample"), 17);
	type("\x1b");
	ck_assert_int_eq(row_with("not active"), -1);
}
END_TEST

/* --- prompts --------------------------------------------------------------------- */

START_TEST(name_filter)
{
	ck_assert_int_eq(type("/"), SM_SCREEN_REDRAW);
	check_last("Name:   part of the command line, or a pattern; Esc: all");
	/* While it is typed. */
	ck_assert_int_eq(type("str"), SM_SCREEN_REARRANGE);
	ck_assert_str_eq(opts.text, "str");
	ck_assert_int_eq(type("ess"), SM_SCREEN_REARRANGE);
	check_last("Name: stress");
	ck_assert_int_eq(type("\r"), SM_SCREEN_REARRANGE);
	ck_assert_str_eq(opts.text, "stress");
	/* A pattern is taken as it is; editing. */
	type("/");
	check_last("Name:   part of the command line, or a pattern; Esc: all");
	ck_assert_str_eq(opts.text, "stress");
	type("stress");
	ck_assert_ptr_null(opts.name_glob);
	type("\x1bOH\x1b[3~\x1bOC\x1bOC\x1bOC?\x1bOD\x7fX\x1bOF*");
	check_last("Name: trX?ss*");
	type("\r");
	ck_assert_str_eq(opts.name_glob, "trX?ss*");
	/* Empty, and Esc in the prompt or later, remove it. */
	ck_assert_int_eq(type("f\r"), SM_SCREEN_REARRANGE);
	ck_assert_ptr_null(opts.name_glob);
	ck_assert_int_eq(type("fabc\x1b"), SM_SCREEN_REARRANGE);
	ck_assert_ptr_null(opts.text);
	type("fabc\ruroot\r");
	ck_assert_str_eq(opts.text, "abc");
	ck_assert_uint_eq(opts.uids.n, 1);
	ck_assert_int_eq(type("\x1b"), SM_SCREEN_REARRANGE);
	ck_assert_ptr_null(opts.text);
	ck_assert_uint_eq(opts.uids.n, 0);
	ck_assert_int_eq(type("\x1b"), SM_SCREEN_REDRAW);
}
END_TEST

START_TEST(name_in_utf8)
{
	type("/\xe6\x97\xa5\xc3\xa9\xf0\x9f\x98\x80");
	check_last("Name: \xe6\x97\xa5\xc3\xa9\xf0\x9f\x98\x80");
	type("\x7f\x1bOD\x7f");
	check_last("Name: \xc3\xa9");
	type("\r");
	ck_assert_str_eq(opts.text, "\xc3\xa9");
}
END_TEST

START_TEST(long_name)
{
	char keys[202];

	memset(keys, 'x', sizeof(keys) - 1);
	keys[0] = '/';
	keys[sizeof(keys) - 1] = '\0';
	type(keys);
	type("END\r");
	ck_assert_uint_eq(strlen(opts.text), SM_PROMPT_MAX);
}
END_TEST

START_TEST(user_filter)
{
	ck_assert_int_eq(type("uroot,65534\r"), SM_SCREEN_REARRANGE);
	ck_assert_uint_eq(opts.uids.n, 2);
	ck_assert_uint_eq(opts.uids.v[0], 0);
	ck_assert_uint_eq(opts.uids.v[1], 65534);
	/* What is wrong is said, and changes nothing. */
	ck_assert_int_eq(type("uno-such-user-here\r"), SM_SCREEN_REDRAW);
	ck_assert_uint_eq(opts.uids.n, 2);
	ck_assert_ptr_nonnull(strstr(rig_row(23), "no-such-user-here"));
	ck_assert_int_eq(type("y"), SM_SCREEN_REDRAW);
	ck_assert_ptr_null(strstr(rig_row(23), "no-such-user-here"));
	ck_assert_int_eq(type("u\r"), SM_SCREEN_REARRANGE);
	ck_assert_uint_eq(opts.uids.n, 0);
	type("uroot\r");
	ck_assert_uint_eq(opts.uids.n, 1);
	ck_assert_int_eq(type("u\x1b"), SM_SCREEN_REARRANGE);
	ck_assert_uint_eq(opts.uids.n, 0);
}
END_TEST

static TCase *tc_keys(void)
{
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sort_keys);
	tcase_add_test(tc, option_keys);
	tcase_add_test(tc, wishes);
	tcase_add_test(tc, interval_keys);
	tcase_add_test(tc, help);
	tcase_add_test(tc, every_key_is_named_or_answered);
	tcase_add_test(tc, selection_follows_the_task);
	tcase_add_test(tc, groups_are_known_by_name);
	tcase_add_test(tc, scrolling);
	tcase_add_test(tc, more_rows_than_are_kept);
	tcase_add_test(tc, details);
	tcase_add_test(tc, name_filter);
	tcase_add_test(tc, name_in_utf8);
	tcase_add_test(tc, long_name);
	tcase_add_test(tc, user_filter);
	return tc;
}

UNIT_MAIN("screen keys", tc_keys)
