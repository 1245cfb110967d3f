// SPDX-License-Identifier: GPL-2.0-or-later
/* The table; what becomes of FILE is in cpustat's test_report.c and in test_replace.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "format/widecsv.h"
#include "unit.h"

static char path[] = "/tmp/widecsv.XXXXXX";
static struct sm_widecsv *w;

static int open_as_is(const char *name, int flags, mode_t mode)
{
	int fd = open(name, flags | O_CLOEXEC, mode);

	return fd < 0 ? -errno : fd;
}

static void open_wide(const struct sm_widecsv_want *want)
{
	memset(path + strlen(path) - 6, 'X', 6);
	close(mkstemp(path));
	ck_assert_int_eq(sm_widecsv_open(&w, want), 0);
}

static void setup(void)
{
	struct sm_widecsv_want want = {.path = path,
		.names = "Event:",
		.amounts = "Total:",
		.amount_unit = 10,
		.open = open_as_is};

	open_wide(&want);
}

/* All that a table can have. */
static void setup_full(void)
{
	struct sm_widecsv_want want = {.path = path,
		.names = "Time:,Task:",
		.second_names = ",By:",
		.amounts = ",Total:",
		.amount_unit = 1,
		.clock = SM_WIDECSV_CLOCK_FIRST,
		.zeros = true,
		.sorted = true,
		.statistics = true,
		.open = open_as_is};

	setenv("TZ", "UTC0", 1);
	open_wide(&want);
}

static void teardown(void)
{
	sm_widecsv_close(w);
	unlink(path);
}

static void add_to(
	uint64_t key, const struct sm_widecsv_name *name, double value, uint64_t amount)
{
	uint32_t column;

	if (sm_widecsv_find(w, key, &column) == -ENOENT)
		column = sm_widecsv_column(w, key, name);
	sm_widecsv_value(w, column, value, amount);
}

static void add_two(const char *name, const char *second, double value, uint64_t amount)
{
	const struct sm_widecsv_name n = {
		{name, strlen(name)}, second, {-1, -1, UINT64_MAX}};

	add_to((uint64_t)*name, &n, value, amount);
}

static void add(const char *name, double value, uint64_t amount)
{
	add_two(name, NULL, value, amount);
}

/* Adds the value of a task with that PID. */
static void add_task(pid_t pid, const char *name, double value)
{
	const struct sm_widecsv_name n = {
		{name, strlen(name)}, "f", {pid, pid, UINT64_MAX}};

	add_to((uint64_t)pid, &n, value, (uint64_t)value);
}

static void begin(uint64_t ms)
{
	ck_assert_int_eq(
		sm_widecsv_begin(w, SM_NSEC_PER_SEC + ms * SM_NSEC_PER_MSEC, 0), 0);
}

/* The first n lines of the file. */
static const char *first_lines(unsigned int n)
{
	static char text[512];
	char *end = text;

	unit_slurp(path, text, sizeof(text));
	while (n-- && end)
		end = strchr(end, '\n') ? strchr(end, '\n') + 1 : NULL;
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	return text;
}

static void expect(const char *want)
{
	char text[1024];

	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	ck_assert_str_eq(unit_slurp(path, text, sizeof(text)), want);
}

/* Negative values and zeros are values; an amount is rounded to its unit. */
START_TEST(table)
{
	begin(0);
	add("a,b", -1.5, 14);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	begin(250);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	begin(500);
	add("c", 0, 0);
	add("a,b", 2, 1);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	expect("Event:,\"a,b\",c\nTotal:,2,0\n0.000000,-1.500000,\n0.250000,,\n"
	       "0.500000,2.000000,0\n");
}
END_TEST

/* Without an amount, too, they have their column. */
START_TEST(others)
{
	begin(0);
	sm_widecsv_value(w, SM_WIDECSV_OTHERS, 1, 0);
	sm_widecsv_value(w, SM_WIDECSV_OTHERS, 2, 0);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	expect("Event:,(others)\nTotal:,0\n0.000000,3.000000\n");
}
END_TEST

/* A process may be named =cmd|...: in a spreadsheet that would be a formula. */
START_TEST(formulas)
{
	begin(0);
	add("=1+1 (7)", 1, 0);
	add("-x", 1, 0);
	add("@a,b", 1, 0);
	add("+2", 1, 0);
	add("a=b", -1, 0);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	expect("Event:,'=1+1 (7),'-x,\"'@a,b\",'+2,a=b\nTotal:,0,0,0,0,0\n"
	       "0.000000,1.000000,1.000000,1.000000,1.000000,-1.000000\n");
}
END_TEST

/* --- second names, zeros, order, statistics ----------------------------------------- */

/* x: 4, 0, 2 have the mean 2 and the variance 8/3; y: 0, 9, 0 the mean 3 and the
 * variance 18. */
START_TEST(statistics)
{
	begin(0);
	add_two("x", "f,1", 4, 4);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	begin(1000);
	add_two("y", "=g", 9, 9);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	begin(2000);
	add_two("x", "f,1", 2, 2);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	expect("Time:,Task:,y,x\n,By:,'=g,\"f,1\"\n,Total:,9,6\n"
	       "00:00:00,0.000000,0,4.000000\n"
	       "00:00:00,1.000000,9.000000,0\n"
	       "00:00:00,2.000000,0,2.000000\n"
	       ",Min:,0,0\n,Max:,9.000000,4.000000\n"
	       ",Average:,3.000000,2.000000\n,Std.Dev.:,4.242641,1.632993\n");
}
END_TEST

/* 10 for a second, then 1 event in 10 ms: 100 is not the maximum, and 11 in 1.01 s is the
 * mean. */
START_TEST(rest)
{
	begin(0);
	sm_widecsv_weigh(w, 1, false);
	add_two("x", "f", 10, 10);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	begin(10);
	sm_widecsv_weigh(w, 0.01, true);
	add_two("x", "f", 100, 1);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	expect("Time:,Task:,x\n,By:,f\n,Total:,11\n00:00:00,0.000000,10.000000\n"
	       "00:00:00,0.010000,100.000000\n,Min:,10.000000\n,Max:,10.000000\n"
	       ",Average:,10.891089\n,Std.Dev.:,8.910891\n");
}
END_TEST

START_TEST(order)
{
	begin(0);
	add_two("c", "2nd", 1, 5);
	add_two("b", "3rd", 1, 1);
	add_two("a", "1st", 1, 7);
	add_two("d", "", 1, 5);
	sm_widecsv_value(w, SM_WIDECSV_OTHERS, 1, 99);
	ck_assert_int_eq(sm_widecsv_end(w), 0);
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	ck_assert_str_eq(first_lines(3),
		"Time:,Task:,a,c,d,b,(others)\n,By:,1st,2nd,,3rd,\n,Total:,7,5,5,1,99\n");
}
END_TEST

START_TEST(empty)
{
	expect("Time:,Task:\n,By:\n,Total:\n,Min:\n,Max:\n,Average:\n,Std.Dev.:\n");
}
END_TEST

/* --- exited tasks ------------------------------------------------------------------- */

static pid_t living;	   /* tasks from this PID on live */
static unsigned int asked; /* number of questions about tasks */

static bool has_exited(void *ctx, const struct sm_widecsv_task *t)
{
	ck_assert_ptr_eq(ctx, &living);
	asked++;
	return t->tgid < living;
}

static void setup_tasks(void)
{
	struct sm_widecsv_want want = {.path = path,
		.names = "Time:,Task:",
		.second_names = ",By:",
		.pids = ",PID:",
		.amounts = ",Total:",
		.amount_unit = 1,
		.clock = SM_WIDECSV_CLOCK_FIRST,
		.zeros = true,
		.statistics = true,
		.open = open_as_is,
		.exited = has_exited,
		.ctx = &living};

	setenv("TZ", "UTC0", 1);
	open_wide(&want);
	asked = 0;
	living = 1;
}

static void end(void)
{
	ck_assert_int_eq(sm_widecsv_end(w), 0);
}

/* Tasks 1 and 2 exit and share a column for all their samples, 4 takes a free place; a
 * task of another name that exits keeps its PID. */
START_TEST(exited)
{
	begin(0);
	add_task(1, "a", 1);
	add_task(2, "a", 2);
	add_task(3, "b", 4);
	end();
	living = 4;
	begin(1000);
	end();
	begin(2000);
	add_task(4, "a", 8);
	add_task(5, "a", 16);
	end();
	expect("Time:,Task:,a,b,a,a\n,By:,f,f,f,f\n,PID:,exited,3,4,5\n"
	       ",Total:,3,4,8,16\n00:00:00,0.000000,3.000000,4.000000,0,0\n"
	       "00:00:00,1.000000,0,0,0,0\n00:00:00,2.000000,0,0,8.000000,16.000000\n"
	       ",Min:,0,0,0,0\n,Max:,3.000000,4.000000,8.000000,16.000000\n"
	       ",Average:,1.000000,1.333333,2.666667,5.333333\n"
	       ",Std.Dev.:,1.414214,1.885618,3.771236,7.542472\n");
}
END_TEST

/* A task that exits in the last sample is found at the end; one that sleeps is looked for
 * after 1, 2, 4 and 8 samples. */
START_TEST(questions)
{
	begin(0);
	add_task(7, "a", 1);
	add_task(8, "a", 1);
	end();
	for (uint64_t s = 1; s < 10; s++) {
		begin(s * 1000);
		add_task(8, "a", 1);
		end();
	}
	ck_assert_uint_eq(asked, 4);
	living = 9;
	ck_assert_int_eq(sm_widecsv_finish(w), 0);
	ck_assert_str_eq(first_lines(3), "Time:,Task:,a\n,By:,f\n,PID:,exited\n");
	ck_assert_uint_eq(asked, 6);
}
END_TEST

/* More tasks in one sample than a table has columns: those that exit make room, and
 * nothing is lost. */
START_TEST(room)
{
	const unsigned int n = 3 * SM_WIDECSV_COLUMNS_MAX;

	living = (pid_t)n + 1;
	begin(0);
	for (pid_t pid = 1; pid <= (pid_t)n; pid++) {
		living = pid;
		add_task(pid, "a", 1);
	}
	end();
	expect("Time:,Task:,a,a\n,By:,f,f\n,PID:,exited,49152\n,Total:,49151,1\n"
	       "00:00:00,0.000000,49151.000000,1.000000\n"
	       ",Min:,49151.000000,1.000000\n,Max:,49151.000000,1.000000\n"
	       ",Average:,49151.000000,1.000000\n,Std.Dev.:,0,0\n");
}
END_TEST

static TCase *tc_tasks(void)
{
	TCase *tc = tcase_create("tasks");

	tcase_add_checked_fixture(tc, setup_tasks, teardown);
	tcase_add_test(tc, exited);
	tcase_add_test(tc, questions);
	tcase_add_test(tc, room);
	return tc;
}

static TCase *tc_full(void)
{
	TCase *tc = tcase_create("full");

	tcase_add_checked_fixture(tc, setup_full, teardown);
	tcase_add_test(tc, statistics);
	tcase_add_test(tc, rest);
	tcase_add_test(tc, order);
	tcase_add_test(tc, empty);
	return tc;
}

static TCase *tc_widecsv(void)
{
	TCase *tc = tcase_create("widecsv");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table);
	tcase_add_test(tc, others);
	tcase_add_test(tc, formulas);
	return tc;
}

UNIT_MAIN("widecsv", tc_widecsv, tc_full, tc_tasks)
