// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/resource.h>

#include "live/budget.h"
#include "run.h"
#include "unit.h"

#define MS SM_NSEC_PER_MSEC

START_TEST(the_start_is_spent_first)
{
	struct budget b;

	budget_init(&b, 1000 * MS);
	ck_assert_uint_eq(b.left_ns, BUDGET_START_NS);
	ck_assert_uint_eq(budget_slice(&b), BUDGET_SLICE_NS);
	ck_assert_uint_eq(budget_next_ns(&b), 1000 * MS);
	/* Nothing is earned beside it. */
	budget_earn(&b, 2000 * MS);
	ck_assert_uint_eq(b.left_ns, BUDGET_START_NS);
	budget_spend(&b, BUDGET_START_NS - MS);
	ck_assert_uint_eq(b.left_ns, MS);
	ck_assert_uint_eq(budget_slice(&b), MS);
}
END_TEST

START_TEST(a_share_of_the_time)
{
	struct budget b;

	budget_init(&b, 0);
	budget_spend(&b, 10 * BUDGET_START_NS);
	ck_assert_uint_eq(b.left_ns, 0);
	ck_assert_uint_eq(budget_slice(&b), MS / 2); /* a key must show something */
	/* 5 %: 2 ms after 40 ms */
	ck_assert_uint_eq(budget_next_ns(&b), 40 * MS);
	budget_earn(&b, 40 * MS);
	ck_assert_uint_eq(b.left_ns, 2 * MS);
	ck_assert_uint_eq(budget_next_ns(&b), 40 * MS);
	/* No more than 20 ms are saved up. */
	budget_earn(&b, 3600 * 1000 * MS);
	ck_assert_uint_eq(b.left_ns, BUDGET_SAVED_NS);
	/* A clock that goes back earns nothing. */
	budget_spend(&b, BUDGET_SAVED_NS);
	budget_earn(&b, 0);
	ck_assert_uint_eq(b.left_ns, 0);
}
END_TEST

/* The work of 100 system calls is seen at once, also below a limit of CPU time. */
START_TEST(time_below_a_limit)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_CPU, &limit), 0);
	limit.rlim_cur = limit.rlim_max < 3600 ? limit.rlim_max : 3600;
	ck_assert_int_eq(setrlimit(RLIMIT_CPU, &limit), 0);
	for (int round = 0; round < 20; round++) {
		uint64_t before = run_cpu_ns();

		for (int i = 0; i < 100; i++)
			(void)getppid();
		ck_assert_uint_gt(run_cpu_ns(), before);
	}
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("budget");

	tcase_add_test(tc, the_start_is_spent_first);
	tcase_add_test(tc, a_share_of_the_time);
	tcase_add_test(tc, time_below_a_limit);
	return tc;
}

UNIT_MAIN("budget", all)
