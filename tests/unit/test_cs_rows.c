// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cpustat/rows.h"
#include "unit.h"

#define MS  SM_NSEC_PER_MSEC
#define SEC SM_NSEC_PER_SEC

static struct cs_opts o;
static struct sm_user users;
static struct sm_intern *names;
static struct rows r;
static struct cs_row list[64], *rows;
static size_t n_list;

static void setup(void)
{
	memset(&o, 0, sizeof(o));
	n_list = 0;
	ck_assert_int_eq(sm_user_init(&users), 0);
	ck_assert_int_eq(sm_intern_new(&names, 1 << 20), 0);
	ck_assert_int_eq(rows_init(&r, &o, &users, names), 0);
}

static void teardown(void)
{
	rows_fini(&r);
	sm_intern_free(names);
	sm_user_fini(&users);
}

static const struct sm_istr *keep(const char *s, size_t n)
{
	return sm_intern_get(names, s, n, 0);
}

#define ARGS(literal) keep(literal, sizeof(literal))

static struct cs_row *put(int kind, pid_t pid, const char *comm, uint64_t used_ms)
{
	struct cs_row *row = &list[n_list++];

	ck_assert_uint_le(n_list, SM_ARRAY_SIZE(list));
	*row = (struct cs_row){.kind = (uint8_t)kind,
		.state = 'S',
		.pid = pid,
		.tgid = pid,
		.ppid = 1,
		.used_ns = used_ms * MS,
		.sys_ns = used_ms * MS,
		.dt_ns = SEC,
		.total_ns = 2 * used_ms * MS,
		.members = 1,
		.comm = {comm, strlen(comm)}};
	return row;
}

static struct cs_row *task(pid_t pid, const char *comm, uint64_t used_ms)
{
	return put(CS_PROCESS, pid, comm, used_ms);
}

static size_t arrange(void)
{
	rows = list;
	return rows_arrange(&r, &rows, n_list, SEC);
}

/* Sees that the rows are exactly these: pids for tasks, "pid:name" in general. */
static void expect(size_t n, const char *want)
{
	struct sm_buf b = {0};

	for (size_t i = 0; i < n; i++) {
		sm_buf_printf(&b, "%s%d:", i ? " " : "", (int)rows[i].pid);
		sm_buf_add(&b, rows[i].comm.p, rows[i].comm.n);
	}
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

/* --- filters ------------------------------------------------------------------------ */

START_TEST(no_filter_passes_all)
{
	for (int kind = CS_PROCESS; kind <= CS_OTHERS; kind++)
		ck_assert(rows_match(&o, put(kind, 1, "x", 1)));
}
END_TEST

START_TEST(residuals_pass_only_without_filters)
{
	static const int kinds[] = {CS_SOFTIRQ, CS_IRQ, CS_UNACCOUNTED, CS_OTHERS};

	for (size_t i = 0; i < SM_ARRAY_SIZE(kinds); i++) {
		struct cs_row *row = put(kinds[i], 0, "", 1);

		memset(&o, 0, sizeof(o));
		o.ignore_self = true; /* takes out one process, and no filter of tasks */
		ck_assert(rows_match(&o, row));
		o.pids.n = 1;
		ck_assert(!rows_match(&o, row));
		o.pids.n = 0;
		o.uids.n = 1;
		ck_assert(!rows_match(&o, row));
		o.uids.n = 0;
		o.name_glob = "*";
		ck_assert(!rows_match(&o, row));
		o.name_glob = NULL;
		o.cgroup = "/";
		ck_assert(!rows_match(&o, row));
	}
}
END_TEST

START_TEST(by_pid)
{
	struct cs_row *thread = put(CS_THREAD, 12, "t", 1);

	thread->tgid = 11;
	o.pids = (struct cs_list){.n = 2, .v = {10, 11}};
	ck_assert(rows_match(&o, task(10, "x", 1)));
	ck_assert(rows_match(&o, thread));
	ck_assert(rows_match(&o, put(CS_EXITED, 11, "x", 1)));
	ck_assert(!rows_match(&o, task(12, "x", 1)));
	ck_assert(!rows_match(&o, put(CS_EXITED, 9, "x", 1)));
	o.pids = (struct cs_list){.n = 1, .v = {12}};
	ck_assert(rows_match(&o, thread));
}
END_TEST

START_TEST(by_user)
{
	struct cs_row *row = task(10, "x", 1);

	o.uids = (struct cs_list){.n = 2, .v = {0, 1000}};
	ck_assert(!rows_match(&o, row)); /* uid 0 there means not known */
	row->flags = CS_HAS_UID;
	ck_assert(rows_match(&o, row));
	row->uid = 1000;
	ck_assert(rows_match(&o, row));
	row->uid = 1001;
	ck_assert(!rows_match(&o, row));
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
		{"", "w", "/usr/bin/", 9, 0, true},
		{"x", "w", "", 0, 0, false},
		{"kworker*", "kworker/0:1-events", NULL, 0, CS_KTHREAD, true},
		{"evil", "kworker/0:1", "evil", 4, CS_KTHREAD, false},
		{"a)*", "a) R 1 (b", NULL, 0, 0, true},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct cs_row *row = task(1, t[i].comm, 1);

		row->cmd = t[i].cmd ? keep(t[i].cmd, t[i].cmd_n) : NULL;
		row->flags = (uint8_t)t[i].flags;
		o.name_glob = t[i].glob;
		ck_assert_msg(rows_match(&o, row) == t[i].want, "%zu: %s", i, t[i].glob);
	}
}
END_TEST

START_TEST(hostile_names)
{
	static char endless[5000];
	struct cs_row *row = task(1, "", 1);

	memset(endless, 'a', sizeof(endless));
	endless[100] = '/';
	row->cmd = keep(endless, sizeof(endless));
	o.name_glob = "aaa*";
	ck_assert(rows_match(&o, row));
	o.name_glob = "b";
	ck_assert(!rows_match(&o, row));
	row->comm = (struct sm_str){NULL, 0};
	row->cmd = NULL;
	ck_assert(!rows_match(&o, row));
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
		struct cs_row *row = task(1, "x", 1);

		row->cgroup = t[i].path ? keep(t[i].path, strlen(t[i].path)) : NULL;
		o.cgroup = t[i].prefix;
		ck_assert_msg(
			rows_match(&o, row) == t[i].want, "%zu: %s", i, t[i].prefix);
	}
}
END_TEST

START_TEST(all_filters_must_pass)
{
	struct cs_row *row = task(10, "make", 1);

	row->flags = CS_HAS_UID | CS_SELF;
	row->uid = 5;
	o.pids = (struct cs_list){.n = 1, .v = {10}};
	o.uids = (struct cs_list){.n = 1, .v = {5}};
	o.name_glob = "make";
	ck_assert(rows_match(&o, row));
	o.name_glob = "cc";
	ck_assert(!rows_match(&o, row));
	o.name_glob = "make";
	o.ignore_self = true;
	ck_assert(!rows_match(&o, row));
	row->flags = CS_HAS_UID;
	ck_assert(rows_match(&o, row));
}
END_TEST

START_TEST(threshold_in_ticks)
{
	uint64_t tick_ns = SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	struct cs_row *row = task(1, "x", 0);

	ck_assert(rows_over_threshold(&o, row));
	o.threshold_mticks = 3000; /* three ticks per second */
	row->used_ns = 3 * tick_ns;
	ck_assert(rows_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!rows_over_threshold(&o, row));
	row->dt_ns = SEC / 2; /* that in half the time is enough */
	ck_assert(rows_over_threshold(&o, row));
	row->dt_ns = 100 * SEC;
	row->used_ns = 300 * tick_ns;
	ck_assert(rows_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!rows_over_threshold(&o, row));
}
END_TEST

START_TEST(threshold_in_percent)
{
	struct cs_row *row = task(1, "x", 50);

	o.threshold_centi_pct = 500;
	ck_assert(rows_over_threshold(&o, row));
	row->used_ns--;
	ck_assert(!rows_over_threshold(&o, row));
	row->used_ns = 400 * SEC; /* many CPUs */
	ck_assert(rows_over_threshold(&o, row));
}
END_TEST

/* --- order -------------------------------------------------------------------------- */

static void some_tasks(void)
{
	task(30, "c", 10)->wait_ns = 7 * MS;
	task(20, "b", 30)->wait_ns = 8 * MS;
	task(40, "a", 20)->wait_ns = 9 * MS;
	list[0].usr_ns = 3;
	list[1].usr_ns = 1;
	list[2].usr_ns = 2;
	list[0].sys_ns = 1;
	list[1].sys_ns = 2;
	list[2].sys_ns = 3;
	list[0].total_ns = 2;
	list[1].total_ns = 1;
	list[2].total_ns = 3;
}

START_TEST(sort_keys)
{
	static const struct {
		int sort;
		const char *want;
	} t[] = {
		{CS_SORT_CPU, "20:b 40:a 30:c"},
		{CS_SORT_USR, "30:c 40:a 20:b"},
		{CS_SORT_SYS, "40:a 20:b 30:c"},
		{CS_SORT_WAIT, "40:a 20:b 30:c"},
		{CS_SORT_TIME, "40:a 30:c 20:b"},
		{CS_SORT_PID, "20:b 30:c 40:a"},
		{CS_SORT_NAME, "40:a 20:b 30:c"},
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

START_TEST(ties)
{
	put(CS_EXITED, 5, "x", 10);
	task(7, "x", 10);
	task(5, "x", 10);
	task(6, "x", 10);
	task(5, "w", 10);
	ck_assert_uint_eq(arrange(), 5);
	expect(5, "5:w 5:x 5:x 6:x 7:x");
	ck_assert_int_eq(rows[1].kind, CS_PROCESS);
	ck_assert_int_eq(rows[2].kind, CS_EXITED);
}
END_TEST

START_TEST(residuals_come_last)
{
	put(CS_UNACCOUNTED, 0, "u", 900);
	put(CS_OTHERS, 0, "o", 800);
	put(CS_IRQ, 0, "i", 700);
	put(CS_SOFTIRQ, 0, "s", 600);
	task(1, "t", 1);
	put(CS_EXITED, 2, "e", 2);
	for (int sort = CS_SORT_CPU; sort <= CS_SORT_NAME; sort++) {
		o.sort = sort;
		ck_assert_uint_eq(arrange(), 6);
		expect(6, sort == CS_SORT_PID	 ? "1:t 2:e 0:o 0:s 0:i 0:u"
			  : sort == CS_SORT_WAIT ? "1:t 2:e 0:o 0:s 0:i 0:u"
			  : sort == CS_SORT_USR	 ? "1:t 2:e 0:o 0:s 0:i 0:u"
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
	for (o.limit = 1; o.limit <= 41; o.limit++) {
		size_t n = arrange(), len = 0;

		ck_assert_uint_eq(n, o.limit < 40 ? o.limit : 40);
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
	put(CS_EXITED, 20, "b", 5)->sys_ns = 4;
	put(CS_SOFTIRQ, 0, "", 7)->sys_ns = 5;
	task(99, "filtered", 1000);
	list[n_list - 1].flags = CS_SELF;
	task(98, "small", 0);
	list[0].flags = CS_HAS_WAIT;
	o.ignore_self = true;
	o.threshold_centi_pct = 1;
	o.limit = 2;
	ck_assert_uint_eq(arrange(), 2);
	ck_assert_uint_eq(r.matched, 5);
	ck_assert_int_eq(r.total.kind, CS_GROUP);
	ck_assert_int_eq(r.total.cpu, -1);
	ck_assert_mem_eq(r.total.comm.p, "Total", 5);
	ck_assert_uint_eq(r.total.used_ns, 72 * MS);
	ck_assert_uint_eq(r.total.usr_ns, 6);
	ck_assert_uint_eq(r.total.sys_ns, 15);
	ck_assert_uint_eq(r.total.wait_ns, 24 * MS);
	ck_assert_uint_eq(r.total.dt_ns, SEC);
	ck_assert_uint_eq(r.total.members, 5);
	ck_assert_uint_eq(r.total.flags, CS_HAS_WAIT);
	ck_assert_float_eq_tol(r.total.max_pct, 7.2f, 1e-4f);
	ck_assert_uint_eq(r.shown.used_ns, 50 * MS);
	ck_assert_uint_eq(r.shown.members, 2);
}
END_TEST

START_TEST(nothing)
{
	ck_assert_uint_eq(arrange(), 0);
	o.group = CS_GROUP_COMM;
	o.limit = 3;
	ck_assert_uint_eq(arrange(), 0);
	ck_assert_uint_eq(r.total.used_ns, 0);
	ck_assert_uint_eq(r.matched, 0);
}
END_TEST

/* --- groups ------------------------------------------------------------------------- */

START_TEST(group_by_comm)
{
	struct cs_row *row;

	o.group = CS_GROUP_COMM;
	task(10, "cc", 10)->flags = CS_HAS_WAIT;
	list[0].wait_ns = 3 * MS;
	task(11, "cc", 20)->usr_ns = MS;
	task(12, "make", 5);
	put(CS_EXITED, 12, "make", 7);
	put(CS_EXITED, 13, "make", 8);
	task(14, "kworker/0:1", 1);
	task(15, "kworker/0:1", 2)->flags = CS_KTHREAD;
	put(CS_SOFTIRQ, 0, "cc", 50);
	row = put(CS_THREAD, 16, "cc", 1);
	row->tgid = 10;
	ck_assert_uint_eq(arrange(), 6);
	expect(6, "0:cc 0:make 0:make 0:kworker/0:1 0:kworker/0:1 0:cc");
	ck_assert_uint_eq(r.matched, 6);
	ck_assert_int_eq(rows[0].kind, CS_GROUP);
	ck_assert_uint_eq(rows[0].members, 3);
	ck_assert_uint_eq(rows[0].used_ns, 31 * MS);
	ck_assert_uint_eq(rows[0].usr_ns, MS);
	ck_assert_uint_eq(rows[0].sys_ns, 31 * MS);
	ck_assert_uint_eq(rows[0].wait_ns, 3 * MS);
	ck_assert_uint_eq(rows[0].total_ns, 62 * MS);
	ck_assert_uint_eq(rows[0].flags, CS_HAS_WAIT);
	ck_assert_int_eq(rows[0].state, 0);
	ck_assert_int_eq(rows[0].cpu, -1);
	ck_assert_uint_eq(rows[0].dt_ns, SEC);
	ck_assert_int_eq(rows[1].kind, CS_EXITED); /* of both makes */
	ck_assert_uint_eq(rows[1].used_ns, 15 * MS);
	ck_assert_uint_eq(rows[1].members, 2);
	ck_assert_int_eq(rows[2].kind, CS_GROUP);
	ck_assert_uint_eq(rows[2].members, 1);
	ck_assert_uint_eq(rows[3].flags, CS_KTHREAD); /* the real one */
	ck_assert_uint_eq(rows[4].flags, 0);
	ck_assert_int_eq(rows[5].kind, CS_SOFTIRQ);
	ck_assert_uint_eq(r.total.used_ns, 104 * MS);
}
END_TEST

START_TEST(group_by_user)
{
	o.group = CS_GROUP_USER;
	task(10, "a", 10)->flags = CS_HAS_UID; /* root */
	task(11, "b", 5);
	list[1].flags = CS_HAS_UID;
	list[1].uid = 4294967294u;
	put(CS_EXITED, 11, "b", 2);
	list[2].flags = CS_HAS_UID;
	list[2].uid = 4294967294u;
	task(12, "c", 1); /* not known, which is not root */
	ck_assert_uint_eq(arrange(), 3);
	expect(3, "0:root 0:4294967294 0:(unknown)");
	ck_assert_int_eq(rows[1].kind, CS_GROUP);
	ck_assert_uint_eq(rows[1].used_ns, 7 * MS);
	ck_assert_uint_eq(rows[1].members, 2);
	ck_assert_uint_eq(rows[1].uid, 4294967294u);
	ck_assert_uint_eq(rows[1].flags, CS_HAS_UID);
	ck_assert_uint_eq(rows[2].flags, 0);
}
END_TEST

START_TEST(group_by_cgroup)
{
	char path[200];
	struct sm_istr *deep;

	memset(path, 'd', sizeof(path));
	path[0] = '/';
	deep = sm_intern_get(names, path, sizeof(path), 0);
	o.group = CS_GROUP_CGROUP;
	task(10, "a", 10)->cgroup = deep;
	task(11, "b", 5)->cgroup = keep("/x", 2);
	put(CS_EXITED, 11, "b", 4)->cgroup = sm_intern_get(names, "/x", 2, 9);
	task(12, "c", 1);
	ck_assert_uint_eq(arrange(), 3);
	ck_assert_uint_eq(rows[0].comm.n, sizeof(path));
	ck_assert_mem_eq(rows[0].comm.p, path, sizeof(path));
	ck_assert_mem_eq(rows[0].cgroup->s, path, sizeof(path));
	ck_assert_uint_eq(rows[1].used_ns, 9 * MS);
	ck_assert_uint_eq(rows[1].comm.n, 2);
	ck_assert_mem_eq(rows[1].comm.p, "/x", 2);
	ck_assert_mem_eq(rows[2].comm.p, "(unknown)", 9);
	ck_assert_ptr_null(rows[2].cgroup);
}
END_TEST

START_TEST(group_by_parent)
{
	struct cs_row *thread;

	o.group = CS_GROUP_PARENT;
	o.name_glob = "c*"; /* the parent itself does not pass */
	task(100, "make", 1);
	task(101, "cc", 10)->ppid = 100;
	task(102, "cc", 20)->ppid = 100;
	put(CS_EXITED, 100, "make", 5);
	task(103, "cat", 4)->ppid = 77; /* whose row is not there */
	task(104, "c0", 2)->ppid = 0;
	thread = put(CS_THREAD, 202, "other", 1);
	thread->tgid = 201;
	thread = put(CS_THREAD, 77, "thread", 1); /* is no process 77 */
	thread->tgid = 201;
	task(105, "c1", 1)->ppid = 202;
	ck_assert_uint_eq(arrange(), 4);
	expect(4, "100:make 77:pid 77 0:(no parent) 202:pid 202");
	ck_assert_uint_eq(rows[0].used_ns, 30 * MS);
	o.name_glob = NULL;
	ck_assert_uint_eq(arrange(), 5);
	expect(5, "100:make 77:pid 77 1:pid 1 0:(no parent) 202:pid 202");
	ck_assert_uint_eq(rows[0].used_ns, 35 * MS); /* with the exited ones */
	ck_assert_uint_eq(rows[0].members, 3);
	ck_assert_int_eq(rows[0].tgid, 100);
	ck_assert_int_eq(rows[0].kind, CS_GROUP);
}
END_TEST

START_TEST(parent_by_its_thread_or_exited_row)
{
	struct cs_row *row;

	o.group = CS_GROUP_PARENT;
	put(CS_THREAD, 100, "leader", 1)->ppid = 50;
	row = put(CS_THREAD, 101, "worker", 1);
	row->tgid = 100;
	row->ppid = 50;
	put(CS_EXITED, 60, "sh", 9);
	task(102, "x", 30)->ppid = 100;
	task(103, "kthreadd", 1)->flags = CS_KTHREAD;
	task(104, "kworker", 20)->ppid = 103;
	ck_assert_uint_eq(arrange(), 5);
	expect(5, "100:leader 103:kthreadd 60:sh 50:pid 50 1:pid 1");
	ck_assert_uint_eq(rows[1].flags, CS_KTHREAD);
}
END_TEST

START_TEST(groups_are_made_anew_each_time)
{
	o.group = CS_GROUP_COMM;
	some_tasks();
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(arrange(), 3);
		expect(3, "0:b 0:a 0:c");
		ck_assert_uint_eq(rows[0].used_ns, 30 * MS);
	}
	n_list = 0;
	ck_assert_uint_eq(arrange(), 0);
}
END_TEST

START_TEST(limit_of_groups)
{
	o.group = CS_GROUP_COMM;
	o.limit = 2;
	some_tasks();
	task(50, "c", 100);
	ck_assert_uint_eq(arrange(), 2);
	expect(2, "0:c 0:b");
	ck_assert_uint_eq(r.matched, 3);
	ck_assert_uint_eq(r.total.used_ns, 160 * MS);
	ck_assert_uint_eq(r.total.members, 4);
	ck_assert_uint_eq(r.shown.used_ns, 140 * MS);
	ck_assert_uint_eq(r.shown.members, 3);
}
END_TEST

/* --- sub-samples -------------------------------------------------------------------- */

static void subsample(uint64_t a_ms, uint64_t b_ms, uint64_t dt_ms)
{
	struct cs_row part[3];
	size_t n = 0;

	n_list = 0;
	if (a_ms)
		part[n++] = *task(10, "cc", a_ms);
	if (b_ms)
		part[n++] = *task(11, "cc", b_ms);
	part[n] = *task(12, "filtered", 500);
	part[n++].flags = CS_SELF;
	rows_subsample(&r, part, n, dt_ms * MS);
}

/* cc together: 30, 0 and 20 of 100 ms each. */
START_TEST(extremes_of_groups)
{
	o.ignore_self = true;
	o.group = CS_GROUP_COMM;
	for (int interval = 0; interval < 2; interval++) {
		subsample(10, 20, 100);
		subsample(0, 0, 100);
		subsample(20, 0, 100);
		n_list = 0;
		task(10, "cc", 30);
		task(11, "cc", 20);
		task(12, "late", 1);
		ck_assert_uint_eq(arrange(), 2);
		expect(2, "0:cc 0:late");
		ck_assert_float_eq_tol(rows[0].min_pct, 0, 1e-4f);
		ck_assert_float_eq_tol(rows[0].max_pct, 30, 1e-4f);
		ck_assert(isnan(rows[1].min_pct) && isnan(rows[1].max_pct));
		ck_assert_float_eq_tol(r.total.min_pct, 0, 1e-4f);
		ck_assert_float_eq_tol(r.total.max_pct, 30, 1e-4f);
		ck_assert_float_eq(r.shown.max_pct, r.total.max_pct);
	}
	o.limit = 1;
	ck_assert_uint_eq(arrange(), 1); /* again in the same interval */
	ck_assert_float_eq_tol(rows[0].max_pct, 30, 1e-4f);
	ck_assert(isnan(r.shown.max_pct)); /* of a part nobody knows */
	o.ignore_self = false;
	subsample(40, 10, 100); /* the next interval */
	n_list = 0;
	task(10, "cc", 50);
	arrange();
	ck_assert_float_eq_tol(rows[0].min_pct, 50, 1e-4f);
	ck_assert_float_eq_tol(rows[0].max_pct, 50, 1e-4f);
	ck_assert_float_eq_tol(r.total.max_pct, 550, 1e-3f);
}
END_TEST

START_TEST(extremes_of_ungrouped_rows_stay)
{
	subsample(10, 20, 100);
	n_list = 0;
	task(10, "cc", 30)->min_pct = 3;
	list[0].max_pct = 4;
	ck_assert_uint_eq(arrange(), 1);
	ck_assert_float_eq(rows[0].min_pct, 3);
	ck_assert_float_eq(rows[0].max_pct, 4);
}
END_TEST

static TCase *with(const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	return tc;
}

static TCase *tc_filter(void)
{
	TCase *tc = with("filter");

	tcase_add_test(tc, no_filter_passes_all);
	tcase_add_test(tc, residuals_pass_only_without_filters);
	tcase_add_test(tc, by_pid);
	tcase_add_test(tc, by_user);
	tcase_add_test(tc, by_name);
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
	tcase_add_test(tc, ties);
	tcase_add_test(tc, residuals_come_last);
	tcase_add_test(tc, limit);
	tcase_add_test(tc, totals);
	tcase_add_test(tc, nothing);
	return tc;
}

static TCase *tc_groups(void)
{
	TCase *tc = with("groups");

	tcase_add_test(tc, group_by_comm);
	tcase_add_test(tc, group_by_user);
	tcase_add_test(tc, group_by_cgroup);
	tcase_add_test(tc, group_by_parent);
	tcase_add_test(tc, parent_by_its_thread_or_exited_row);
	tcase_add_test(tc, groups_are_made_anew_each_time);
	tcase_add_test(tc, limit_of_groups);
	tcase_add_test(tc, extremes_of_groups);
	tcase_add_test(tc, extremes_of_ungrouped_rows_stay);
	return tc;
}

UNIT_MAIN("cs_rows", tc_filter, tc_order, tc_groups)
