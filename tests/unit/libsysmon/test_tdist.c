// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "fit/tdist.h"
#include "unit.h"

START_TEST(tdist_closed_forms)
{
	for (double t = -50; t <= 50; t += 0.37) {
		double one = 0.5 + atan(t) / M_PI, two = 0.5 + t / 2 / sqrt(2 + t * t);

		ck_assert_double_eq_tol(sm_tdist_cdf(t, 1), one, 1e-13);
		ck_assert_double_eq_tol(sm_tdist_cdf(t, 2), two, 1e-13);
	}
}
END_TEST

START_TEST(tdist_tables)
{
	/* Printed tables of t at 0.975 and others. */
	static const struct {
		double df, p, t;
	} known[] = {
		{1, 0.975, 12.7062047364},
		{2, 0.975, 4.30265272991},
		{5, 0.995, 4.03214298356},
		{10, 0.975, 2.22813885196},
		{30, 0.975, 2.04227245630},
		{56, 0.95, 1.67252230307},
		{120, 0.975, 1.97993040505},
		{1e9, 0.975, 1.95996398},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++) {
		double t = sm_tdist_quantile(known[i].p, known[i].df);

		ck_assert_double_eq_tol(t, known[i].t, 1e-6);
		ck_assert_double_eq_tol(
			sm_tdist_quantile(1 - known[i].p, known[i].df), -t, 1e-9);
		ck_assert_double_eq_tol(sm_tdist_cdf(t, known[i].df), known[i].p, 1e-9);
		ck_assert_double_eq_tol(
			sm_tdist_p(-t, known[i].df), 2 * (1 - known[i].p), 1e-9);
	}
	ck_assert_double_eq(sm_tdist_quantile(0.5, 7), 0);
}
END_TEST

START_TEST(tdist_far_tails)
{
	/* 1 / t^df times a constant: no cancellation to 0. */
	ck_assert_double_gt(sm_tdist_p(1e6, 3), 0);
	ck_assert_double_lt(sm_tdist_p(1e6, 3), 1e-16);
	ck_assert_double_eq(sm_tdist_p(INFINITY, 3), 0);
	ck_assert_double_eq_tol(sm_tdist_quantile(1 - 1e-9, 1) / 318309886.18, 1, 1e-6);
	ck_assert(isfinite(sm_tdist_quantile(1e-300, 0.5)));
}
END_TEST

START_TEST(tdist_outside)
{
	ck_assert(isnan(sm_tdist_quantile(0, 5)));
	ck_assert(isnan(sm_tdist_quantile(1, 5)));
	ck_assert(isnan(sm_tdist_quantile(NAN, 5)));
	ck_assert(isnan(sm_tdist_quantile(0.9, 0)));
	ck_assert(isnan(sm_tdist_p(1, -1)));
	ck_assert(isnan(sm_tdist_p(NAN, 3)));
}
END_TEST

static TCase *tc_tdist(void)
{
	TCase *tc = tcase_create("tdist");

	tcase_add_test(tc, tdist_closed_forms);
	tcase_add_test(tc, tdist_tables);
	tcase_add_test(tc, tdist_far_tails);
	tcase_add_test(tc, tdist_outside);
	return tc;
}

UNIT_MAIN("tdist", tc_tdist)
