// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "cpustat_rows_rig.h"

/* --- filters ------------------------------------------------------------------------ */

START_TEST(no_filter_passes_all)
{
	for (int kind = ROW_PROCESS; kind <= ROW_OTHERS; kind++)
		ck_assert(select_match(&o, put(kind, 1, "x", 1)));
}
END_TEST

START_TEST(residuals_pass_only_without_filters)
{
	static const int kinds[] = {ROW_SOFTIRQ, ROW_IRQ, ROW_UNACCOUNTED, ROW_OTHERS};

	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		struct row *row = put(kinds[i], 0, "", 1);

		memset(&o, 0, sizeof(o));
		o.ignore_self = true; /* takes out one process, and no filter of tasks */
		ck_assert(select_match(&o, row));
		o.pids.n = 1;
		ck_assert(!select_match(&o, row));
		o.pids.n = 0;
		o.uids.n = 1;
		ck_assert(!select_match(&o, row));
		o.uids.n = 0;
		o.name_glob = "*";
		ck_assert(!select_match(&o, row));
		o.name_glob = NULL;
		o.cgroup = "/";
		ck_assert(!select_match(&o, row));
	}
}
END_TEST

START_TEST(by_pid)
{
	struct row *thread = put(ROW_THREAD, 12, "t", 1);

	thread->tgid = 11;
	o.pids = (struct sm_opt_list){.n = 2, .v = (uint32_t[]){10, 11}};
	ck_assert(select_match(&o, task(10, "x", 1)));
	ck_assert(select_match(&o, thread));
	ck_assert(select_match(&o, put(ROW_EXITED, 11, "x", 1)));
	ck_assert(!select_match(&o, task(12, "x", 1)));
	ck_assert(!select_match(&o, put(ROW_EXITED, 9, "x", 1)));
	o.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){12}};
	ck_assert(select_match(&o, thread));
}
END_TEST

START_TEST(by_user)
{
	struct row *row = task(10, "x", 1);

	o.uids = (struct sm_opt_list){.n = 2, .v = (uint32_t[]){0, 1000}};
	ck_assert(!select_match(&o, row)); /* uid 0 there means not known */
	row->flags = ROW_HAS_UID;
	ck_assert(select_match(&o, row));
	row->uid = 1000;
	ck_assert(select_match(&o, row));
	row->uid = 1001;
	ck_assert(!select_match(&o, row));
}
END_TEST

START_TEST(by_name)
{
	static const struct {
		const char *glob, *comm;
		const char *cmd;
		size_t cmd_n;
		unsigned int flags;
		bool want;
	} t[] = {
		{"make", "make", NULL, 0, 0, true},
		{"mak", "make", NULL, 0, 0, false},
		{"m*", "make", NULL, 0, 0, true},
		{"?ak[a-e]", "make", NULL, 0, 0, true},
		{"python3", "worker", "/usr/bin/python3\0/x/y", 22, 0, true},
		{"y", "worker", "/usr/bin/python3\0/x/y", 22, 0, false},
		{"/usr/bin/python3", "w", "/usr/bin/python3", 17, 0, false},
		{"w*", "worker", "/usr/bin/python3", 17, 0, true},
		{"python3", "w", "python3", 7, 0, true}, /* without a NUL */
		{"/usr/bin/", "w", "/usr/bin/", 9, 0,
			true}, /* no program: it stays whole */
		{"", "w", "/usr/bin/", 9, 0, false},
		{"x", "w", "", 0, 0, false},
		{"kworker*", "kworker/0:1-events", NULL, 0, ROW_KTHREAD, true},
		{"evil", "kworker/0:1", "evil", 4, ROW_KTHREAD, false},
		{"a)*", "a) R 1 (b", NULL, 0, 0, true},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct row *row = task(1, t[i].comm, 1);

		row->cmd = t[i].cmd ? keep(t[i].cmd, t[i].cmd_n) : NULL;
		row->flags = (uint8_t)t[i].flags;
		o.name_glob = t[i].glob;
		ck_assert_msg(
			select_match(&o, row) == t[i].want, "%zu: %s", i, t[i].glob);
	}
}
END_TEST

/* Typed on the screen. */
START_TEST(by_text)
{
	static const char cmd[] = "/usr/bin/Python3\0worker.py\0--id\0"
				  "7\0";
	struct row *row = task(1, "main", 1);

	row->cmd = keep(cmd, sizeof(cmd) - 1);
	static const struct {
		const char *text;
		bool want;
	} t[] = {{"main", true}, {"AI", true}, {"bin/python3 W", true}, {"--id 7", true},
		{"7 ", true}, {"7 x", false}, {"--id 8", false}, {"mainly", false}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		o.text = t[i].text;
		ck_assert_msg(select_match(&o, row) == t[i].want, "%s", t[i].text);
	}
	row->cmd = NULL;
	o.text = "python";
	ck_assert(!select_match(&o, row));
	row->kind = ROW_UNACCOUNTED;
	ck_assert(!select_match(&o, row));
}
END_TEST

START_TEST(hostile_names)
{
	static char endless[5000];
	struct row *row = task(1, "", 1);

	memset(endless, 'a', sizeof(endless));
	endless[100] = '/';
	row->cmd = keep(endless, sizeof(endless));
	o.name_glob = "aaa*";
	ck_assert(select_match(&o, row));
	o.name_glob = "b";
	ck_assert(!select_match(&o, row));
	row->comm = (struct sm_str){NULL, 0};
	row->cmd = NULL;
	ck_assert(!select_match(&o, row));
}
END_TEST

START_TEST(by_cgroup)
{
	static const struct {
		const char *prefix, *path;
		bool want;
	} t[] = {
		{"/system.slice", "/system.slice", true},
		{"/system.slice", "/system.slice/x.service", true},
		{"/system.slice", "/system.slicefoo", false},
		{"/system.slice", "/system.slic", false},
		{"/system.slice", "/", false},
		{"/system.slice", "/user.slice/system.slice", false},
		{"/system.slice/", "/system.slice/x", true},
		{"/system.slice/", "/system.slice", true},
		{"system.slice", "/system.slice/x", true},
		{"/a/b", "/a/b/c", true},
		{"/a/b", "/a/c", false},
		{"/", "/", true},
		{"/", "/a", true},
		{"", "/a", true},
		{"/a", "", false},
		{"/a", "xa", false},
		{"/a", NULL, false},
		{"/", NULL, false},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct row *row = task(1, "x", 1);

		row->cgroup = t[i].path ? keep(t[i].path, strlen(t[i].path)) : NULL;
		o.cgroup = t[i].prefix;
		ck_assert_msg(
			select_match(&o, row) == t[i].want, "%zu: %s", i, t[i].prefix);
	}
}
END_TEST

START_TEST(all_filters_must_pass)
{
	struct row *row = task(10, "make", 1);

	row->flags = ROW_HAS_UID | ROW_SELF;
	row->uid = 5;
	o.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){10}};
	o.uids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){5}};
	o.name_glob = "make";
	ck_assert(select_match(&o, row));
	o.name_glob = "cc";
	ck_assert(!select_match(&o, row));
	o.name_glob = "make";
	o.ignore_self = true;
	ck_assert(!select_match(&o, row));
	row->flags = ROW_HAS_UID;
	ck_assert(select_match(&o, row));
}
END_TEST

START_TEST(threshold_in_ticks)
{
	uint64_t tick_ns = SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	struct row *row = task(1, "x", 0);

	ck_assert(select_over_threshold(&o, row));
	o.threshold_mticks = 3000; /* three ticks per second */
	row->used_ns = 3 * tick_ns;
	ck_assert(select_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!select_over_threshold(&o, row));
	row->dt_ns = SEC / 2; /* that in half the time is enough */
	ck_assert(select_over_threshold(&o, row));
	row->dt_ns = 100 * SEC;
	row->used_ns = 300 * tick_ns;
	ck_assert(select_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!select_over_threshold(&o, row));
}
END_TEST

START_TEST(threshold_in_percent)
{
	struct row *row = task(1, "x", 50);

	o.threshold_centi_pct = 500;
	ck_assert(select_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!select_over_threshold(&o, row));
	row->used_ns = 400 * SEC; /* many CPUs */
	ck_assert(select_over_threshold(&o, row));
}
END_TEST

/* --- order -------------------------------------------------------------------------- */

START_TEST(sort_keys)
{
	static const struct {
		int sort;
		const char *want;
	} t[] = {
		{SORT_CPU, "20:b 40:a 30:c"},
		{SORT_USR, "30:c 40:a 20:b"},
		{SORT_SYS, "40:a 20:b 30:c"},
		{SORT_WAIT, "40:a 20:b 30:c"},
		{SORT_TIME, "40:a 30:c 20:b"},
		{SORT_PID, "20:b 30:c 40:a"},
		{SORT_NAME, "40:a 20:b 30:c"},
	};

	some_tasks();
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		o.sort = t[i].sort;
		expect(arrange(), t[i].want); /* again and again with the same rows */
	}
}
END_TEST

START_TEST(by_percent_not_by_time)
{
	task(1, "a", 30)->dt_ns = 2 * SEC;
	task(2, "b", 20);
	expect(arrange(), "2:b 1:a");
}
END_TEST

/* 60 % of 0.5 s and 20 % of 2 s are 80 %, though 0.7 s of time. */
START_TEST(total_is_the_sum_of_percentages)
{
	task(1, "a", 300)->dt_ns = SEC / 2;
	task(2, "b", 400)->dt_ns = 2 * SEC;
	list[0].sys_ns = 300 * MS;
	list[1].sys_ns = 0;
	ck_assert_uint_eq(arrange(), 2);
	ck_assert_uint_eq(r.total.used_ns, 800 * MS);
	ck_assert_uint_eq(r.total.sys_ns, 600 * MS);
	ck_assert_uint_eq(r.shown.used_ns, 800 * MS);
	o.group = GROUP_COMM;
	ck_assert_uint_eq(arrange(), 2);
	ck_assert_uint_eq(r.total.used_ns, rows[0].used_ns + rows[1].used_ns);
}
END_TEST

START_TEST(ties)
{
	/* In any order of input. */
	for (int shift = 0; shift < 5; shift++) {
		n_list = 0;
		for (int i = 0; i < 5; i++)
			switch ((i + shift) % 5) {
			case 0:
				put(ROW_EXITED, 5, "x", 10);
				break;
			case 1:
				task(5, "x", 10);
				break;
			case 2:
				task(5, "w", 10);
				break;
			default:
				task(3 + (i + shift) % 5, "x", 10);
			}
		ck_assert_uint_eq(arrange(), 5);
		expect(5, "5:w 5:x 5:x 6:x 7:x");
		ck_assert_int_eq(rows[1].kind, ROW_PROCESS);
		ck_assert_int_eq(rows[2].kind, ROW_EXITED);
	}
}
END_TEST

/* With any key, of equal rows the busiest is first; then the smallest pid. */
START_TEST(ties_by_cpu)
{
	task(1, "x", 10);
	task(4, "x", 20);
	task(3, "x", 20);
	task(2, "x", 30);
	for (size_t i = 0; i < n_list; i++) {
		list[i].usr_ns = list[i].sys_ns = 5 * MS;
		list[i].wait_ns = 0;
		list[i].total_ns = SEC;
	}
	for (int sort = SORT_CPU; sort <= SORT_NAME; sort++) {
		o.sort = sort;
		ck_assert_uint_eq(arrange(), 4);
		expect(4, sort == SORT_PID ? "1:x 2:x 3:x 4:x" : "2:x 3:x 4:x 1:x");
	}
	n_list = 0;
	put(ROW_EXITED, 7, "child", 20); /* a parent and its children: one number */
	task(7, "parent", 10);
	o.sort = SORT_PID;
	expect(arrange(), "7:child 7:parent");
}
END_TEST

START_TEST(residuals_come_last)
{
	put(ROW_UNACCOUNTED, 0, "u", 900);
	put(ROW_OTHERS, 0, "o", 800);
	put(ROW_IRQ, 0, "i", 700);
	put(ROW_SOFTIRQ, 0, "s", 600);
	task(1, "t", 1);
	put(ROW_EXITED, 2, "e", 2);
	for (int sort = SORT_CPU; sort <= SORT_NAME; sort++) {
		o.sort = sort;
		ck_assert_uint_eq(arrange(), 6);
		expect(6, sort == SORT_PID ? "1:t 2:e 0:o 0:s 0:i 0:u"
					   : "2:e 1:t 0:o 0:s 0:i 0:u");
	}
}
END_TEST

/* Against a plain sort, with every limit. */
START_TEST(limit)
{
	uint32_t x = 12345;
	char all[1024], want[1024];
	struct sm_buf b = {0};

	for (int i = 0; i < 40; i++) {
		x = x * 1103515245 + 12345;
		task(i + 1, "t", x >> 16 & 15);
	}
	for (int ms = 15; ms >= 0; ms--)
		for (int i = 0; i < 40; i++)
			if (list[i].used_ns == (uint64_t)ms * MS)
				sm_buf_printf(&b, "%d:t ", (int)list[i].pid);
	memcpy(all, b.p, b.len);
	all[b.len] = '\0';
	sm_buf_fini(&b);
	for (o.app.limit = 1; o.app.limit <= 41; o.app.limit++) {
		size_t n = arrange(), len = 0;

		ck_assert_uint_eq(n, o.app.limit < 40 ? o.app.limit : 40);
		ck_assert_uint_eq(r.matched, 40);
		for (size_t i = 0; i < n; i++)
			len += strcspn(all + len, " ") + 1;
		memcpy(want, all, len);
		want[len - 1] = '\0';
		expect(n, want);
	}
}
END_TEST

START_TEST(totals)
{
	some_tasks();
	put(ROW_EXITED, 20, "b", 5)->sys_ns = 4;
	put(ROW_SOFTIRQ, 0, "", 7)->sys_ns = 5;
	task(99, "filtered", 1000);
	list[n_list - 1].flags = ROW_SELF;
	task(98, "small", 0);
	list[0].flags = ROW_HAS_WAIT;
	o.ignore_self = true;
	o.threshold_centi_pct = 1;
	o.app.limit = 2;
	ck_assert_uint_eq(arrange(), 2);
	ck_assert_uint_eq(r.matched, 5);
	ck_assert_int_eq(r.total.kind, ROW_GROUP);
	ck_assert_int_eq(r.total.cpu, -1);
	ck_assert_mem_eq(r.total.comm.p, "Total", 5);
	ck_assert_uint_eq(r.total.used_ns, 72 * MS);
	ck_assert_uint_eq(r.total.usr_ns, 6);
	ck_assert_uint_eq(r.total.sys_ns, 15);
	ck_assert_uint_eq(r.total.wait_ns, 24 * MS);
	ck_assert_uint_eq(r.total.dt_ns, SEC);
	ck_assert_uint_eq(r.total.members, 5);
	ck_assert_uint_eq(r.total.flags, ROW_HAS_WAIT);
	ck_assert_float_eq_tol(r.total.max_pct, 7.2f, 1e-4f);
	ck_assert_uint_eq(r.shown.used_ns, 50 * MS);
	ck_assert_uint_eq(r.shown.members, 2);
}
END_TEST

START_TEST(nothing)
{
	ck_assert_uint_eq(arrange(), 0);
	o.group = GROUP_COMM;
	o.app.limit = 3;
	ck_assert_uint_eq(arrange(), 0);
	ck_assert_uint_eq(r.total.used_ns, 0);
	ck_assert_uint_eq(r.matched, 0);
}
END_TEST

static TCase *tc_filter(void)
{
	TCase *tc = with("filter");

	tcase_add_test(tc, no_filter_passes_all);
	tcase_add_test(tc, residuals_pass_only_without_filters);
	tcase_add_test(tc, by_pid);
	tcase_add_test(tc, by_user);
	tcase_add_test(tc, by_name);
	tcase_add_test(tc, by_text);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, by_cgroup);
	tcase_add_test(tc, all_filters_must_pass);
	tcase_add_test(tc, threshold_in_ticks);
	tcase_add_test(tc, threshold_in_percent);
	return tc;
}

static TCase *tc_order(void)
{
	TCase *tc = with("order");

	tcase_add_test(tc, sort_keys);
	tcase_add_test(tc, by_percent_not_by_time);
	tcase_add_test(tc, total_is_the_sum_of_percentages);
	tcase_add_test(tc, ties);
	tcase_add_test(tc, ties_by_cpu);
	tcase_add_test(tc, residuals_come_last);
	tcase_add_test(tc, limit);
	tcase_add_test(tc, totals);
	tcase_add_test(tc, nothing);
	return tc;
}

UNIT_MAIN("rows", tc_filter, tc_order)
