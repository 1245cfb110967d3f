// SPDX-License-Identifier: GPL-2.0-or-later
/* The table; what becomes of FILE is in cpustat's test_report.c and in test_replace.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "out/widecsv.h"
#include "unit.h"

static char path[] = "/tmp/widecsv.XXXXXX";
static struct sm_widecsv *w;

static int open_as_is(const char *name, int flags, mode_t mode)
{
	int fd = open(name, flags | O_CLOEXEC, mode);

	return fd < 0 ? -errno : fd;
}

static void setup(void)
{
	struct sm_widecsv_want want = {.path = path,
		.names = "Event:",
		.amounts = "Total:",
		.amount_unit = 10,
		.open = open_as_is};

	memset(path + strlen(path) - 6, 'X', 6);
	close(mkstemp(path));
	ck_assert_int_eq(sm_widecsv_open(&w, &want), 0);
}

static void teardown(void)
{
	sm_widecsv_close(w);
	unlink(path);
}

static void add(const char *name, double value, uint64_t amount)
{
	uint32_t column;

	if (sm_widecsv_find(w, (uint64_t)*name, &column) == -ENOENT)
		column = sm_widecsv_column(w, (uint64_t)*name, name, strlen(name));
	sm_widecsv_value(w, column, value, amount);
}

static void begin(uint64_t ms)
{
	ck_assert_int_eq(
		sm_widecsv_begin(w, SM_NSEC_PER_SEC + ms * SM_NSEC_PER_MSEC, 0), 0);
}

static void expect(const char *want)
{
	char text[512];

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
	       "0.500000,2.000000,0.000000\n");
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

static TCase *tc_widecsv(void)
{
	TCase *tc = tcase_create("widecsv");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table);
	tcase_add_test(tc, others);
	tcase_add_test(tc, formulas);
	return tc;
}

UNIT_MAIN("widecsv", tc_widecsv)
