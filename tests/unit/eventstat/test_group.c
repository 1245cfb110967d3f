// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that look alike in a table; the groups of -g are tested by test_wakearrange.c. */
#include <string.h>

#include "eventstat/rows/group.h"
#include "unit.h"

#define ALL (GROUP_SHOWS_FUNC | GROUP_SHOWS_KIND | GROUP_SHOWS_TIMER)

static const struct opts o;
static struct groups g;

static void setup(void)
{
	ck_assert_int_eq(group_init(&g, &o), 0);
}

static void teardown(void)
{
	group_fini(&g);
}

static struct event row(pid_t tid, const char *comm, uint64_t func, uint8_t kind)
{
	return (struct event){.now = {10, 5, 1},
		.total = {100, 50, 10},
		.tid = tid,
		.tgid = tid,
		.kind = kind,
		.members = 1,
		.func = func,
		.func_name = "f",
		.comm = {comm, strlen(comm)}};
}

static size_t alike(unsigned int shown, const struct event *rows, size_t n)
{
	ssize_t m = group_alike(&g, shown, rows, n);

	ck_assert_int_ge(m, 0);
	return (size_t)m;
}

START_TEST(columns)
{
	struct event rows[] = {row(7, "a", 1, 0), row(7, "a", 1, 2), row(7, "a", 2, 0),
		row(7, "a", 2, 0)};

	rows[3].timer_id = 9;
	ck_assert_uint_eq(alike(ALL, rows, 4), 4);
	ck_assert_uint_eq(alike(GROUP_SHOWS_FUNC | GROUP_SHOWS_KIND, rows, 4), 3);
	ck_assert_uint_eq(alike(GROUP_SHOWS_FUNC, rows, 4), 2);
	ck_assert_uint_eq(alike(0, rows, 4), 1);
	ck_assert_uint_eq(alike(0, rows, 0), 0);
}
END_TEST

START_TEST(sums)
{
	const struct event rows[] = {
		row(7, "a", 1, 0), row(8, "a", 1, 0), row(7, "a", 1, 2)};

	ck_assert_uint_eq(alike(GROUP_SHOWS_FUNC, rows, 3), 2);
	ck_assert_int_eq(g.event[0].tid, 7); /* in the order of the first of each */
	ck_assert_uint_eq(g.event[0].now.starts, 20);
	ck_assert_uint_eq(g.event[0].now.expiries, 10);
	ck_assert_uint_eq(g.event[0].now.idle, 2);
	ck_assert_uint_eq(g.event[0].total.starts, 200);
	ck_assert_uint_eq(g.event[0].members, 2);
	ck_assert_uint_eq(g.event[1].now.starts, 10);
	ck_assert_uint_eq(rows[0].now.starts, 10);
}
END_TEST

/* Tasks of other names, and owners without an ID, are told apart by their names. */
START_TEST(names)
{
	const struct event rows[] = {
		row(-1, "a", 1, 0), row(-1, "b", 1, 0), row(-1, "a", 1, 1)};

	ck_assert_uint_eq(alike(GROUP_SHOWS_FUNC, rows, 3), 2);
}
END_TEST

/* The cause of a wakeup is always shown. */
START_TEST(causes)
{
	struct event rows[] = {row(7, "a", 1, SM_WAKE_HRTIMER),
		row(7, "a", 2, SM_WAKE_WHEEL), row(7, "a", 3, SM_WAKE_WHEEL)};

	for (size_t i = 0; i < SM_ARRAY_SIZE(rows); i++)
		rows[i].type = EVENT_WAKEUP;
	ck_assert_uint_eq(alike(0, rows, 3), 2);
}
END_TEST

static TCase *tc_group(void)
{
	TCase *t = tcase_create("alike");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, columns);
	tcase_add_test(t, sums);
	tcase_add_test(t, names);
	tcase_add_test(t, causes);
	return t;
}

UNIT_MAIN("group", tc_group)
