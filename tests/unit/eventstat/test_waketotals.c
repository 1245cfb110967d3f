// SPDX-License-Identifier: GPL-2.0-or-later
/* The wakeups of a run. */
#include "eventstat_wake_rig.h"
#include "rows/totals.h"

static struct sm_strpool *names;
static struct totals t;

static void setup(void)
{
	ck_assert_int_eq(sm_strpool_new(&names, 1u << 20), 0);
	ck_assert_int_eq(totals_init(&t, names), 0);
}

static void teardown(void)
{
	totals_fini(&t);
	ck_assert_uint_eq(sm_strpool_count(names), 0);
	sm_strpool_free(names);
}

static void add(struct event *rows, size_t n)
{
	ck_assert_int_eq(totals_add(&t, rows, n, SM_NSEC_PER_SEC), 0);
}

START_TEST(sums)
{
	struct event w[] = {
		device(24, "disk", 3), of(SM_WAKE_HRTIMER, 5, 6, "sleeper", "wake", 2)};
	struct event *rows;
	size_t n;

	add(w, 2);
	add(w + 1, 1);
	rows = t.event;
	n = t.n;
	ck_assert_uint_eq(n, 2);
	if (rows[0].kind != SM_WAKE_IRQ) {
		struct event swap = rows[0];

		rows[0] = rows[1];
		rows[1] = swap;
	}
	ck_assert_uint_eq(rows[0].now.starts, 3);
	ck_assert_str_eq(rows[0].device, "disk");
	ck_assert_uint_eq(rows[1].now.starts, 4);
	ck_assert_uint_eq(rows[1].total.starts, 4);
	ck_assert_uint_eq(rows[1].slept_ns, 4000000);
	ck_assert_int_eq(rows[1].tid, 6);
	ck_assert_uint_eq(t.all, 7);
	ck_assert_uint_eq(t.span_ns, 2 * SM_NSEC_PER_SEC);
}
END_TEST

/* Names are the totals' own. */
START_TEST(names_stay)
{
	char comm[] = "first";
	struct sm_poolstr *cmd = sm_strpool_get(names, "a\0b", 4, 0);
	struct event w = of(SM_WAKE_CALL, 5, 5, comm, "f", 1), *rows;
	size_t n;

	w.cmd = cmd;
	add(&w, 1);
	sm_strpool_put(names, cmd);
	memset(comm, 'x', 5);
	rows = t.event;
	n = t.n;
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(rows->comm.n, 5);
	ck_assert_mem_eq(rows->comm.p, "first", 5);
	ck_assert_uint_eq(rows->cmd->len, 4);
	ck_assert_mem_eq(rows->cmd->s, "a\0b", 4);
	w.cmd = NULL; /* the task has exited */
	w.comm.n = 0;
	add(&w, 1);
	rows = t.event;
	ck_assert_uint_eq(rows->now.starts, 2);
	ck_assert_uint_eq(rows->comm.n, 5);
	ck_assert_ptr_nonnull(rows->cmd);
}
END_TEST

/* What is too many is of no task, but of its cause. */
START_TEST(bounded)
{
	struct event w = of(SM_WAKE_CALL, 1, 1, "many", "", 1), *rows;
	uint64_t sum = 0, rest = 0;
	size_t n;

	for (pid_t pid = 1; pid <= (pid_t)TOTALS_MAX + 10; pid++) {
		w.tid = w.tgid = pid;
		add(&w, 1);
	}
	rows = t.event;
	n = t.n;
	ck_assert_uint_eq(n, TOTALS_MAX + 1);
	for (size_t i = 0; i < n; i++) {
		sum += rows[i].now.starts;
		if (rows[i].tid == -1)
			rest += rows[i].now.starts;
		ck_assert_uint_eq(rows[i].kind, SM_WAKE_CALL);
	}
	ck_assert_uint_eq(sum, TOTALS_MAX + 10);
	ck_assert_uint_eq(rest, 10);
}
END_TEST

static TCase *tc_totals(void)
{
	TCase *tc = tcase_create("totals");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sums);
	tcase_add_test(tc, names_stay);
	tcase_add_test(tc, bounded);
	return tc;
}

UNIT_MAIN("waketotals", tc_totals)
