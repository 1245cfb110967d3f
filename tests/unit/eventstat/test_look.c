// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc is read only for rows that are shown, or that are filtered or sorted by its data.
 */
#include "eventstat/counters.h"
#include "eventstat/report.h"
#include "eventstat/rows/rows.h"
#include "eventstat/rows/select.h"
#include "cli/priv.h"
#include "fixroot_rig.h"

#define N 20

static struct sm_strpool *names;
static struct tasks t;
static struct opts o;
static struct rows arrange;
static struct event rows[N], *first;
static uint64_t before;

static struct counter counter_of(pid_t pid)
{
	return (struct counter){
		.key.owner.ids = sm_timer_ids(pid, pid), .comm = "recorded"};
}

static void put_task(pid_t pid)
{
	char name[64], text[256];

	snprintf(name, sizeof(name), "proc/%d/task/%d/stat", pid, pid);
	snprintf(text, sizeof(text),
		"%d (read%d) S 1 1 1 0 -1 0 5 0 0 0 1 2 3 4 20 0 1 0 5 4096 1 0 0 0 0 0 "
		"0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		pid, pid);
	fix_put(name, text);
	snprintf(name, sizeof(name), "proc/%d/status", pid);
	snprintf(text, sizeof(text),
		"Tgid:\t%d\nPPid:\t1\nUid:\t%d\t0\t0\t0\nGid:\t0\t0\t0\t0\n", pid,
		pid % 2);
	fix_put(name, text);
}

/* Begins a sample in which task 101 armed most timers, task 102 fewer ... */
static void begin(void)
{
	tasks_begin(&t, (uint64_t)(t.number + 1) * SM_NSEC_PER_SEC);
	for (int i = 0; i < N; i++) {
		const struct counter c = counter_of(101 + i);
		struct event *e = &rows[i];

		*e = (struct event){.tid = 101 + i,
			.tgid = 101 + i,
			.now = {(uint64_t)(100 - i), 0, 0},
			.members = 1,
			.func = 7,
			.func_name = "f",
			.device = ""};
		tasks_describe(tasks_get(&t, &c), e);
	}
	first = rows;
	before = fix_reads();
}

static void setup(void)
{
	fix_open();
	for (pid_t pid = 101; pid <= 100 + N; pid++)
		put_task(pid);
	ck_assert_int_eq(sm_strpool_new(&names, 1u << 20), 0);
	ck_assert_int_eq(tasks_init(&t, &fix, names), 0);
	t.foreign = t.own_pids = false;
	t.want_uid = true;
	o = opts_default;
	ck_assert_int_eq(rows_init(&arrange, &o), 0);
	arrange.tasks = &t;
	begin();
}

static void teardown(void)
{
	rows_fini(&arrange);
	tasks_fini(&t);
	sm_strpool_free(names);
	fix_close();
}

/* Returns the number of reads since the last call. */
static uint64_t reads(void)
{
	uint64_t after = fix_reads(), n = fix_reads_between(before, after);

	before = after;
	return n;
}

static size_t select_and_arrange(void)
{
	size_t n = select_rows(&o, &t, rows, N);

	return (size_t)rows_arrange(&arrange, &first, n, SM_NSEC_PER_SEC);
}

/* Returns the number of rows that have the name of /proc. */
static unsigned int looked(void)
{
	unsigned int n = 0;

	for (int i = 0; i < N; i++)
		n += rows[i].flags & EVENT_LOOKED && !memcmp(rows[i].comm.p, "read", 4);
	return n;
}

START_TEST(only_the_rows_shown)
{
	uint64_t of_two;

	if (!fix_reads_counted())
		return;
	(void)reads();
	o.app.limit = 2;
	ck_assert_uint_eq(select_and_arrange(), 2);
	ck_assert_uint_eq(reads(), 0);
	ck_assert_str_eq(first[0].comm.p, "recorded");
	tasks_look(&t, first, 2);
	of_two = reads();
	ck_assert_uint_ge(of_two, 4);
	ck_assert_uint_eq(looked(), 2);
	ck_assert_str_eq(first[0].comm.p, "read101");
	tasks_look(&t, first, 2); /* they are known */
	ck_assert_uint_eq(reads(), 0);
	tasks_look(&t, first, 4);
	ck_assert_uint_eq(reads(), of_two);
}
END_TEST

/* Conditions that need no data of /proc come first. */
START_TEST(filters)
{
	struct sm_buf why = {0};

	ck_assert_int_eq(sm_opt_pids("103,104,105", &o.pids, &why), 0);
	o.user = true;
	o.func_glob = "f";
	ck_assert_uint_eq(select_and_arrange(), 3);
	ck_assert_uint_eq(looked(), 0);
	ck_assert_int_eq(sm_opt_users("1", &o.uids, &why), 0);
	ck_assert_uint_eq(select_and_arrange(), 2);
	ck_assert_uint_eq(looked(), 3);
	begin();
	sm_opt_list_fini(&o.uids);
	sm_opt_list_fini(&o.pids);
	o.name_glob = "read11*";
	ck_assert_uint_eq(select_and_arrange(), 10);
	ck_assert_uint_eq(looked(), N);
}
END_TEST

START_TEST(order_and_groups)
{
	static const struct {
		int group, sort;
		unsigned int looked;
	} cases[] = {{GROUP_THREAD, SORT_EVENTS, 0}, {GROUP_THREAD, SORT_PID, 0},
		{GROUP_FUNCTION, SORT_EVENTS, 0}, {GROUP_THREAD, SORT_NAME, N},
		{GROUP_THREAD, SORT_CPU, N}, {GROUP_COMM, SORT_EVENTS, N},
		{GROUP_PROCESS, SORT_EVENTS, N}, {GROUP_CGROUP, SORT_EVENTS, N}};

	o.app.limit = 1;
	for (size_t i = 0; i < SM_ARRAY_SIZE(cases); i++) {
		o.group = cases[i].group;
		o.sort = cases[i].sort;
		begin();
		ck_assert_uint_eq(select_and_arrange(), 1);
		ck_assert_uint_eq(looked(), cases[i].looked);
	}
}
END_TEST

/* The report needs the name of a column once. */
START_TEST(report)
{
	char dir[UNIT_DIR], path[64];
	struct sample s = {.dt_ns = SM_NSEC_PER_SEC};
	struct sm_widecsv_want want;
	struct sm_widecsv *w;

	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/report", dir);
	o.report = path;
	want = report_want(&o);
	want.open = sm_priv_open_as_invoker;
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
	ck_assert_int_eq(report_add(w, &o, &s, &t, rows, N), 0);
	ck_assert_uint_eq(looked(), N);
	begin();
	ck_assert_int_eq(report_add(w, &o, &s, &t, rows, N), 0);
	for (int i = 0; i < N; i++)
		ck_assert(!(rows[i].flags & EVENT_LOOKED));
	sm_widecsv_close(w);
	ck_assert_int_eq(unit_remove(dir), 0);
}
END_TEST

static TCase *tc_look(void)
{
	TCase *tc = tcase_create("look");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, only_the_rows_shown);
	tcase_add_test(tc, filters);
	tcase_add_test(tc, order_and_groups);
	tcase_add_test(tc, report);
	return tc;
}

UNIT_MAIN("look", tc_look)
