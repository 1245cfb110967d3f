// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of the report; its file is tested by test_widecsv.c and cpustat's
 * test_report.c. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/priv.h"
#include "eventstat/report.h"
#include "unit.h"

#define MS   SM_NSEC_PER_MSEC
#define SEC  SM_NSEC_PER_SEC
#define WALL UINT64_C(1795266359000000000) /* 2026-11-21T13:05:59Z */

static struct opts o;
static struct sm_widecsv *w;
static char dir[UNIT_DIR], path[64], text[1 << 16];

static void setup(void)
{
	setenv("TZ", "UTC0", 1);
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/out.csv", dir);
	memset(&o, 0, sizeof(o));
	o.report = path;
	o.app.interval_ns = SEC;
	w = NULL;
}

static void teardown(void)
{
	sm_widecsv_close(w);
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void open_it(void)
{
	struct sm_widecsv_want want = report_want(&o);

	want.open = sm_priv_open_as_invoker;
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
}

static struct event task(pid_t tid, const char *comm, uint64_t func, uint64_t starts)
{
	return (struct event){.now = {starts, starts, 0},
		.tid = tid,
		.tgid = tid,
		.members = 1,
		.func = func,
		.func_name = func == 1	 ? "hrtimer_wakeup"
			     : func == 2 ? "a,b"
					 : "",
		.comm = {comm, strlen(comm)}};
}

/* A sample that ended at_ms after the start and lasted dt_ms. */
static void add(uint64_t at_ms, uint64_t dt_ms, struct event *e, size_t n)
{
	struct sample s = {.t_ns = 5 * SEC + at_ms * MS,
		.wall_ns = WALL + at_ms * MS,
		.dt_ns = dt_ms * MS,
		.partial = dt_ms < 1000};

	ck_assert_int_eq(report_add(w, &o, &s, NULL, e, n), 0);
}

static const char *finished(void)
{
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	return unit_slurp(path, text, sizeof(text));
}

/* Each rate is that of its own interval, also after one without events (the original
 * divided by all the time since the last event). */
START_TEST(rates)
{
	struct event a = task(7, "a", 1, 100), b = task(8, "b", 1, 1);

	open_it();
	add(0, 1000, &a, 1);
	add(2000, 2000, NULL, 0);
	add(3000, 1000, &b, 1);
	add(5000, 2000, &a, 1);
	ck_assert_str_eq(finished(),
		"Time:,Task:,a,b\n,Callback:,hrtimer_wakeup,hrtimer_wakeup\n"
		",PID:,7,8\n,Total:,200,1\n13:05:59,0.000000,100.000000,0\n"
		"13:06:01,2.000000,0,0\n13:06:02,3.000000,0,1.000000\n"
		"13:06:04,5.000000,50.000000,0\n");
}
END_TEST

START_TEST(counts)
{
	struct event a = task(7, "a", 1, 100);

	o.counts = o.statistics = true;
	open_it();
	add(0, 2000, &a, 1);
	add(1000, 1000, NULL, 0);
	ck_assert_str_eq(finished(),
		"Time:,Task:,a\n,Callback:,hrtimer_wakeup\n,PID:,7\n,Total:,100\n"
		"13:05:59,0.000000,100.000000\n13:06:00,1.000000,0\n"
		",Min:,0\n,Max:,100.000000\n,Average:,50.000000\n"
		",Std.Dev.:,50.000000\n");
}
END_TEST

/* The mean rate is that of the run: 120 events in 3.1 s; the rest of 0.1 s is no maximum.
 */
START_TEST(statistics)
{
	struct event a = task(7, "a", 1, 50), b = task(7, "a", 1, 20);

	o.statistics = true;
	open_it();
	add(0, 1000, &a, 1);
	add(2000, 2000, &a, 1);
	add(2100, 100, &b, 1);
	ck_assert_ptr_nonnull(strstr(
		finished(), ",Min:,25.000000\n,Max:,50.000000\n,Average:,38.709677\n"));
}
END_TEST

/* A column for each thread and callback, in the order of the totals. */
START_TEST(columns)
{
	struct event e[] = {task(7, "a", 1, 5), task(7, "a", 2, 9), task(8, "a", 1, 7),
		task(7, "a", 0xffffffff81000000, 6), task(9, "idle", 1, 0)};

	e[2].tgid = 7;
	open_it();
	add(0, 1000, e, 5);
	e[0].comm = SM_STR("renamed"); /* the same task */
	add(1000, 1000, e, 1);
	ck_assert_str_eq(finished(),
		"Time:,Task:,a,a,a,a\n,Callback:,hrtimer_wakeup,\"a,b\",hrtimer_wakeup,"
		"0xffffffff81000000\n,PID:,7,7,8,7\n,Total:,10,9,7,6\n"
		"13:05:59,0.000000,5.000000,9.000000,7.000000,6.000000\n"
		"13:06:00,1.000000,5.000000,0,0,0\n");
}
END_TEST

/* As in the table: -l, -d, kernel threads; groups by their names. */
START_TEST(names)
{
	struct event e[] = {task(7, "kworker/0:1", 1, 4), task(8, "sh", 1, 3),
		task(-1, "x", 1, 2), task(-1, "=y", 1, 1)};
	static const char argv[] = "/bin/sh\0-c\0a\nb";
	struct sm_strpool *pool;

	ck_assert_int_eq(sm_strpool_new(&pool, 4096), 0);
	e[1].cmd = sm_strpool_get(pool, argv, sizeof(argv), 0);
	e[0].flags = EVENT_KTHREAD;
	e[2].flags = e[3].flags = EVENT_GROUP;
	o.full_command = o.strip_path = true;
	open_it();
	add(0, 1000, e, 4);
	add(1000, 1000, e + 3, 1);
	finished();
	*strchr(text, '\n') = '\0';
	ck_assert_str_eq(text, "Time:,Task:,[kworker/0:1],sh -c a\\x0ab,x,'=y");
	sm_strpool_free(pool);
}
END_TEST

/* The tasks that the process "knows" are those above 100000. */
static bool has_exited(void *ctx, const struct sm_widecsv_task *t)
{
	(void)ctx;
	return t->tgid > 100000;
}

/* Ten minutes next to a build, in short intervals: 26,400 processes of three programs,
 * and forty that stay.  A column for each would be 1.3 GB. */
START_TEST(a_build)
{
	static const char *const programs[] = {"cc1", "sh", "as"};
	struct event e[44];
	struct sm_widecsv_want want = report_want(&o);
	uint64_t built = 0, total = 0;
	struct stat st;
	char *p;

	want.exited = has_exited;
	want.open = sm_priv_open_as_invoker;
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
	for (int i = 0; i < 40; i++)
		e[i] = task(1000 + i, "server", 1, 7);
	for (uint64_t s = 0; s < 6000; s++) {
		for (int i = 40; i < 44; i++, built++)
			e[i] = task((pid_t)(100001 + built), programs[built % 3], 1,
				3 + built % 2);
		add(s * 100, 100, e, s % 5 ? 40 : 44);
		total += s % 5 ? 0 : 14;
	}
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_lt(st.st_size, 6000 * 50 * 10);
	unit_slurp(path, text, sizeof(text));
	p = strstr(text, ",PID:,1000,1001,");
	ck_assert_ptr_nonnull(p);
	ck_assert_ptr_nonnull(strstr(p, ",1039,exited,exited,exited\n,Total:,42000,"));
	p = strchr(strstr(p, ",Total:") + 1, '\n'); /* the last three totals */
	for (int commas = 0; commas < 3; commas += *p == ',')
		p--;
	for (int i = 0; i < 3; i++)
		total -= strtoull(p + 1, &p, 10);
	ck_assert_uint_eq(total, 0);
}
END_TEST

/* A process without threads of its own counters, a group of a name, the idle task. */
START_TEST(pids)
{
	struct event e[] = {task(-1, "rest", 1, 9), task(-1, "group", 1, 8),
		task(0, "swapper", 1, 7), task(100007, "one", 1, 6)};
	struct sm_widecsv_want want = report_want(&o);

	e[0].tgid = 7;
	want.exited = has_exited;
	want.open = sm_priv_open_as_invoker;
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
	add(0, 1000, e, 4);
	add(1000, 1000, e, 2);
	ck_assert_ptr_nonnull(strstr(finished(), "\n,PID:,7+,,0,100007\n"));
}
END_TEST

static TCase *tc_report(void)
{
	TCase *tc = tcase_create("report");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rates);
	tcase_add_test(tc, counts);
	tcase_add_test(tc, statistics);
	tcase_add_test(tc, columns);
	tcase_add_test(tc, names);
	tcase_add_test(tc, pids);
	tcase_add_test(tc, a_build);
	return tc;
}

UNIT_MAIN("report", tc_report)
