// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "eventstat/rows/totals.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct totals t;
static struct sm_strpool *names;

static void setup(void)
{
	ck_assert_int_eq(sm_strpool_new(&names, 16u << 20), 0);
	ck_assert_int_eq(totals_init(&t, names), 0);
}

static void teardown(void)
{
	totals_fini(&t);
	sm_strpool_free(names);
}

static struct event row(pid_t tid, uint64_t func, uint64_t starts)
{
	return (struct event){.now = {starts, starts / 2, 1},
		.tid = tid,
		.tgid = tid,
		.members = 1,
		.func = func,
		.func_name = "f"};
}

static void add(const struct event *rows, size_t n)
{
	ck_assert_int_eq(totals_add(&t, rows, n, SEC), 0);
}

/* A total for each thread and callback; the task may have exited since. */
START_TEST(sums)
{
	struct event e[] = {row(1, 7, 10), row(1, 8, 4), row(2, 7, 2)};

	add(e, 3);
	add(e, 1);
	add(NULL, 0);
	ck_assert_uint_eq(t.n, 3);
	ck_assert_uint_eq(t.span_ns, 3 * SEC);
	ck_assert_uint_eq(t.event[0].now.starts, 20);
	ck_assert_uint_eq(t.event[0].now.expiries, 10);
	ck_assert_uint_eq(t.event[0].now.idle, 2);
	ck_assert_uint_eq(t.event[0].total.starts, 20);
	ck_assert_uint_eq(t.event[1].now.starts, 4);
	ck_assert_uint_eq(t.event[2].now.starts, 2);
}
END_TEST

/* The sampler's names are gone with its next sample. */
START_TEST(names_stay)
{
	char comm[] = "comm", func[] = "function";
	struct event e = row(1, 7, 1);

	e.comm = (struct sm_str){comm, 4};
	e.func_name = func;
	add(&e, 1);
	memset(comm, 'x', 4);
	memset(func, 'x', 8);
	ck_assert_uint_eq(t.event[0].comm.n, 4);
	ck_assert_int_eq(memcmp(t.event[0].comm.p, "comm", 4), 0);
	ck_assert_str_eq(t.event[0].func_name, "function");
}
END_TEST

/* Groups are known by their names, tasks are not. */
START_TEST(identity)
{
	struct event e[] = {row(-1, 0, 1), row(-1, 0, 2), row(3, 7, 4), row(3, 7, 8)};

	e[0].flags = e[1].flags = EVENT_GROUP;
	e[0].comm = SM_STR("a");
	e[1].comm = SM_STR("b");
	e[2].comm = SM_STR("old");
	e[3].comm = SM_STR("new");
	add(e, 4);
	ck_assert_uint_eq(t.n, 3);
	ck_assert_uint_eq(t.event[0].now.starts, 1);
	ck_assert_uint_eq(t.event[1].now.starts, 2);
	ck_assert_uint_eq(t.event[2].now.starts, 12);
}
END_TEST

/* What has no room is in the last one, and nothing is lost. */
START_TEST(bounded)
{
	uint64_t sum = 0;

	for (pid_t i = 1; i <= TOTALS_MAX + 5; i++) {
		struct event e = row(i, 7, 3);

		add(&e, 1);
	}
	ck_assert_uint_eq(t.n, TOTALS_MAX + 1);
	ck_assert_uint_eq(t.event[TOTALS_MAX].now.starts, 15);
	ck_assert_int_eq(strncmp(t.event[TOTALS_MAX].comm.p, "(others)", 8), 0);
	for (size_t i = 0; i < t.n; i++)
		sum += t.event[i].now.starts;
	ck_assert_uint_eq(sum, 3 * (TOTALS_MAX + 5));
}
END_TEST

static TCase *tc_totals(void)
{
	TCase *tc = tcase_create("totals");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sums);
	tcase_add_test(tc, names_stay);
	tcase_add_test(tc, identity);
	tcase_add_test(tc, bounded);
	return tc;
}

UNIT_MAIN("totals", tc_totals)
