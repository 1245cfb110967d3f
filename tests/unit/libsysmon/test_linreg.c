// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "base/linreg.h"
#include "unit.h"

#define NEAR 1e-9

START_TEST(linreg_exact_line)
{
	struct sm_linreg r = {0};
	double a, b, r2;

	for (int x = -5; x <= 10; x++)
		sm_linreg_add(&r, x, 3.5 - 2.0 * x);
	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), 0);
	ck_assert_double_eq_tol(a, 3.5, NEAR);
	ck_assert_double_eq_tol(b, -2, NEAR);
	ck_assert_double_eq_tol(r2, 1, NEAR);
	ck_assert_double_le(r2, 1);
}
END_TEST

START_TEST(linreg_known_values)
{
	/* Anscombe's quartet I: y = 3.0001 + 0.5001 x, r^2 = 0.66654. */
	static const double x[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
	static const double y[] = {
		8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
	struct sm_linreg r = {0};
	double a, b, r2;

	for (size_t i = 0; i < SM_ARRAY_SIZE(x); i++)
		sm_linreg_add(&r, x[i], y[i]);
	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), 0);
	ck_assert_double_eq_tol(a, 3.0001, 1e-4);
	ck_assert_double_eq_tol(b, 0.5001, 1e-4);
	ck_assert_double_eq_tol(r2, 0.66654, 1e-5);
}
END_TEST

START_TEST(linreg_degenerate)
{
	struct sm_linreg r = {0};
	double a = 1, b = 1, r2 = 1;

	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), -ENODATA);
	sm_linreg_add(&r, 0.1, 1);
	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), -ENODATA);
	for (int i = 0; i < 100; i++)
		sm_linreg_add(&r, 0.1, i);
	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), -ENODATA);
	r = (struct sm_linreg){0};
	sm_linreg_add(&r, 1, 7);
	sm_linreg_add(&r, 2, 7);
	ck_assert_int_eq(sm_linreg_solve(&r, &a, &b, &r2), 0);
	ck_assert_double_eq_tol(a, 7, NEAR);
	ck_assert_double_eq_tol(b, 0, NEAR);
	ck_assert_double_eq(r2, 1);
}
END_TEST

static TCase *tc_linreg(void)
{
	TCase *tc = tcase_create("linreg");

	tcase_add_test(tc, linreg_exact_line);
	tcase_add_test(tc, linreg_known_values);
	tcase_add_test(tc, linreg_degenerate);
	return tc;
}

UNIT_MAIN("linreg", tc_linreg)
