// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "base/stats.h"
#include "unit.h"

#define NEAR 1e-9

START_TEST(welford_known_values)
{
	static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct sm_stats w = {0};

	for (size_t i = 0; i < SM_ARRAY_SIZE(x); i++)
		sm_stats_add(&w, x[i], 1, false);
	ck_assert_uint_eq(w.n, 8);
	ck_assert_double_eq_tol(w.mean, 5, NEAR);
	ck_assert_double_eq_tol(sm_stats_variance(&w), 4, NEAR);
	ck_assert_double_eq_tol(sm_stats_stddev(&w), 2, NEAR);
	ck_assert_double_eq(w.min, 2);
	ck_assert_double_eq(w.max, 9);
	/* (2*4*4*4*5*5*7*9)^(1/8) */
	ck_assert_double_eq_tol(sm_stats_geomean(&w), 4.603215596, 1e-8);
}
END_TEST

START_TEST(welford_empty_and_single)
{
	struct sm_stats w = {0};

	ck_assert_double_eq(sm_stats_variance(&w), 0);
	ck_assert_double_eq(sm_stats_stddev(&w), 0);
	ck_assert(isnan(sm_stats_geomean(&w)));
	sm_stats_add(&w, -3, 1, false);
	ck_assert_double_eq(w.min, -3);
	ck_assert_double_eq(w.max, -3);
	ck_assert_double_eq(w.mean, -3);
	ck_assert_double_eq(sm_stats_variance(&w), 0);
	ck_assert(isnan(sm_stats_geomean(&w)));
	sm_stats_add(&w, 5, 1, false);
	sm_stats_add(&w, 0, 1, false);
	ck_assert(isnan(sm_stats_geomean(&w)));
	ck_assert_double_eq(w.min, -3);
	ck_assert_double_eq(w.max, 5);
}
END_TEST

START_TEST(geomean_of_zero)
{
	struct sm_stats w = {0};

	sm_stats_add(&w, 4, 1, false);
	sm_stats_add(&w, 9, 1, false);
	ck_assert_double_eq_tol(sm_stats_geomean(&w), 6, NEAR);
	sm_stats_add(&w, 0, 1, false);
	sm_stats_add(&w, 9, 1, false);
	ck_assert_double_eq(sm_stats_geomean(&w), 0);
}
END_TEST

/* A weight of 3 is the value three times. */
START_TEST(weights)
{
	struct sm_stats w = {0};

	sm_stats_add(&w, 2, 0.3, false);
	sm_stats_add(&w, 8, 0.1, false);
	sm_stats_add(&w, 1000, 0, false);
	ck_assert_uint_eq(w.n, 2);
	ck_assert_double_eq_tol(w.weight, 0.4, NEAR);
	ck_assert_double_eq_tol(w.mean, 3.5, NEAR);
	ck_assert_double_eq_tol(sm_stats_variance(&w), 6.75, NEAR);
	ck_assert_double_eq_tol(sm_stats_geomean(&w), 2 * sqrt(2), NEAR);
	ck_assert_double_eq(w.max, 8);
}
END_TEST

START_TEST(partial_values)
{
	struct sm_stats w = {0};

	sm_stats_add(&w, 10, 1, true);
	sm_stats_add(&w, 30, 1, true);
	ck_assert_double_eq(w.min, 10);
	ck_assert_double_eq(w.max, 30);
	sm_stats_add(&w, 20, 1, false);
	sm_stats_add(&w, 150, 1, true);
	ck_assert_double_eq(w.min, 20);
	ck_assert_double_eq(w.max, 20);
	sm_stats_add(&w, 21, 1, false);
	ck_assert_double_eq(w.max, 21);
	ck_assert_double_eq_tol(w.mean, 46.2, NEAR);
}
END_TEST

/* Where sum(x^2) - n mean^2 has no digit left. */
START_TEST(welford_large_offset)
{
	struct sm_stats w = {0};

	for (int i = 0; i < 1000; i++)
		sm_stats_add(&w, 1e9 + (i % 2 ? 1 : -1), 1, false);
	ck_assert_double_eq_tol(w.mean, 1e9, 1e-6);
	ck_assert_double_eq_tol(sm_stats_variance(&w), 1, 1e-6);
}
END_TEST

static TCase *tc_moments(void)
{
	TCase *tc = tcase_create("moments");

	tcase_add_test(tc, welford_known_values);
	tcase_add_test(tc, welford_empty_and_single);
	tcase_add_test(tc, geomean_of_zero);
	tcase_add_test(tc, weights);
	tcase_add_test(tc, partial_values);
	tcase_add_test(tc, welford_large_offset);
	return tc;
}

UNIT_MAIN("stats", tc_moments)
