// SPDX-License-Identifier: GPL-2.0-or-later
/* Steps of a meter: known values, and the error that rounding leaves, counted. */
#include <math.h>

#include "fit/steps.h"
#include "unit.h"

static double step_of(const double *v, size_t n)
{
	double copy[32];

	memcpy(copy, v, n * sizeof(*v));
	return sm_steps_find(copy, n);
}

#define STEP_OF(...)                           \
	step_of((const double[]){__VA_ARGS__}, \
		sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

START_TEST(steps_found)
{
	ck_assert_double_eq_tol(STEP_OF(7, 5, 6, 5, 6, 7), 1, 1e-12);
	/* No two of them are neighbours. */
	ck_assert_double_eq_tol(STEP_OF(10, 10, 13, 13, 17, 17, 13), 1, 1e-12);
	ck_assert_double_eq_tol(STEP_OF(0.3, 0.1, 0.1, 0.3, 0.6, 0.6), 0.1, 1e-9);
	ck_assert_double_eq_tol(STEP_OF(-5, -5, 5, 5, 10, 10), 5, 1e-12);
	/* All have an offset. */
	ck_assert_double_eq_tol(STEP_OF(5.3, 5.3, 7.3, 7.3, 8.3, 8.3), 1, 1e-9);
	/* A mean of two steps. */
	ck_assert_double_eq_tol(STEP_OF(5, 5, 6, 6, 8, 8, 6.37), 1, 1e-12);
}
END_TEST

START_TEST(steps_none)
{
	ck_assert_double_eq(sm_steps_find(NULL, 0), 0);
	ck_assert_double_eq(STEP_OF(5), 0);
	ck_assert_double_eq(STEP_OF(5, 5, 5, 5), 0);
	ck_assert_double_eq(STEP_OF(0, 0, 0), 0);
	ck_assert_double_eq(STEP_OF(5, 6, 7, 8), 0);
	/* Few are repeated. */
	ck_assert_double_eq(STEP_OF(5, 5, 6, 6, 7.1, 7.3, 8.2, 9.9, 11.3), 0);
	/* They have no common divisor. */
	ck_assert_double_eq(STEP_OF(0, 0, 1, 1, M_PI, M_PI), 0);
}
END_TEST

/* Variance of the rounding of x + noise over all noise, and over x: by integration. */
static double counted(double noise)
{
	enum { PHASES = 200, PARTS = 4000 };
	double sum = 0;

	for (int i = 0; i < PHASES; i++) {
		double x = (i + 0.5) / PHASES, mean = 0, weight = 0;

		for (int k = 0; k < PARTS; k++) {
			double z = -6 + 12 * (k + 0.5) / PARTS, w = exp(-z * z / 2);

			mean += w * round(x + noise * z);
			weight += w;
		}
		mean = mean / weight - x;
		sum += mean * mean / PHASES;
	}
	return sum;
}

START_TEST(steps_error)
{
	static const double noise[] = {0, 0.1, 0.2, 0.3, 0.5};

	for (size_t i = 0; i < SM_ARRAY_SIZE(noise); i++) {
		double rms = sqrt(noise[i] * noise[i] + 1 / 12.0);

		ck_assert_double_eq_tol(
			sm_steps_variance(1, rms), counted(noise[i]), 0.001);
		ck_assert_double_eq_tol(
			sm_steps_variance(5, 5 * rms), 25 * counted(noise[i]), 0.025);
	}
	ck_assert_double_eq_tol(sm_steps_variance(1, 0.1), 1 / 12.0, 0.001);
}
END_TEST

static TCase *tc_steps(void)
{
	TCase *tc = tcase_create("steps");

	tcase_add_test(tc, steps_found);
	tcase_add_test(tc, steps_none);
	tcase_add_test(tc, steps_error);
	return tc;
}

UNIT_MAIN("steps", tc_steps)
