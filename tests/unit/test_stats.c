// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "stats.h"
#include "unit.h"

#define NEAR 1e-9

START_TEST(welford_known_values)
{
	static const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct sm_welford w = {0};
	double g;

	for (size_t i = 0; i < SM_ARRAY_SIZE(x); i++)
		sm_welford_add(&w, x[i]);
	ck_assert_uint_eq(w.n, 8);
	ck_assert_double_eq_tol(w.mean, 5, NEAR);
	ck_assert_double_eq_tol(sm_welford_variance(&w), 4, NEAR);
	ck_assert_double_eq_tol(sm_welford_stddev(&w), 2, NEAR);
	ck_assert_double_eq(w.min, 2);
	ck_assert_double_eq(w.max, 9);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), 0);
	ck_assert_double_eq_tol(g, 4.603215596, 1e-8); /* (2*4*4*4*5*5*7*9)^(1/8) */
}
END_TEST

START_TEST(welford_empty_and_single)
{
	struct sm_welford w = {0};
	double g = 1;

	ck_assert_double_eq(sm_welford_variance(&w), 0);
	ck_assert_double_eq(sm_welford_stddev(&w), 0);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), -ENODATA);
	sm_welford_add(&w, -3);
	ck_assert_double_eq(w.min, -3);
	ck_assert_double_eq(w.max, -3);
	ck_assert_double_eq(w.mean, -3);
	ck_assert_double_eq(sm_welford_variance(&w), 0);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), -ENODATA);
	sm_welford_add(&w, 5);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), -ENODATA);
	ck_assert_double_eq(g, 1);
	ck_assert_double_eq(w.min, -3);
	ck_assert_double_eq(w.max, 5);
}
END_TEST

START_TEST(geomean_refuses_zero)
{
	struct sm_welford w = {0};
	double g;

	sm_welford_add(&w, 4);
	sm_welford_add(&w, 9);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), 0);
	ck_assert_double_eq_tol(g, 6, NEAR);
	sm_welford_add(&w, 0);
	ck_assert_int_eq(sm_welford_geomean(&w, &g), -ENODATA);
}
END_TEST

/* Where sum(x^2) - n mean^2 has no digit left. */
START_TEST(welford_large_offset)
{
	struct sm_welford w = {0};

	for (int i = 0; i < 1000; i++)
		sm_welford_add(&w, 1e9 + (i % 2 ? 1 : -1));
	ck_assert_double_eq_tol(w.mean, 1e9, 1e-6);
	ck_assert_double_eq_tol(sm_welford_variance(&w), 1, 1e-6);
}
END_TEST

START_TEST(hist_layout)
{
	for (uint64_t v = 0; v < 64; v++) { /* the first two octaves are exact */
		ck_assert_uint_eq(sm_hist_bucket(v), v);
		ck_assert_uint_eq(sm_hist_low((unsigned int)v), v);
	}
	ck_assert_uint_eq(sm_hist_bucket(64), 64);
	ck_assert_uint_eq(sm_hist_bucket(65), 64);
	ck_assert_uint_eq(sm_hist_bucket(66), 65);
	ck_assert_uint_eq(sm_hist_bucket(127), 95);
	ck_assert_uint_eq(sm_hist_bucket(128), 96);
	ck_assert_uint_eq(sm_hist_bucket(UINT64_MAX), SM_HIST_BUCKETS - 1);
	ck_assert_uint_eq(sm_hist_low(64), 64);
	ck_assert_uint_eq(sm_hist_low(65), 66);
	ck_assert_uint_eq(sm_hist_low(SM_HIST_BUCKETS - 1), UINT64_C(63) << 58);
	ck_assert_uint_eq(sm_hist_low(SM_HIST_BUCKETS), UINT64_MAX);
}
END_TEST

/* Each bucket starts where the one before ends, and is at most 1/32 wide. */
START_TEST(hist_buckets_are_contiguous)
{
	for (unsigned int i = 0; i < SM_HIST_BUCKETS; i++) {
		uint64_t low = sm_hist_low(i);
		uint64_t high =
			i + 1 < SM_HIST_BUCKETS ? sm_hist_low(i + 1) - 1 : UINT64_MAX;

		ck_assert_uint_eq(sm_hist_bucket(low), i);
		ck_assert_uint_eq(sm_hist_bucket(high), i);
		ck_assert_uint_le(high - low, low / 32);
	}
}
END_TEST

START_TEST(hist_empty)
{
	static struct sm_hist h;
	uint64_t v = 9;

	ck_assert_int_eq(sm_hist_quantile(&h, 0.5, &v), -ENODATA);
	ck_assert_uint_eq(v, 9);
	ck_assert_uint_eq(sm_hist_le(&h, UINT64_MAX), 0);
}
END_TEST

static uint64_t quantile(const struct sm_hist *h, double q)
{
	uint64_t v = 0;

	ck_assert_int_eq(sm_hist_quantile(h, q, &v), 0);
	return v;
}

START_TEST(hist_small_values_are_exact)
{
	static struct sm_hist h;

	for (uint64_t v = 1; v <= 50; v++)
		sm_hist_add(&h, v);
	ck_assert_uint_eq(h.n, 50);
	ck_assert_uint_eq(h.min, 1);
	ck_assert_uint_eq(h.max, 50);
	ck_assert_uint_eq(quantile(&h, 0), 1);
	ck_assert_uint_eq(quantile(&h, 0.02), 1);
	ck_assert_uint_eq(quantile(&h, 0.5), 25);
	ck_assert_uint_eq(quantile(&h, 0.51), 26);
	ck_assert_uint_eq(quantile(&h, 0.9), 45);
	ck_assert_uint_eq(quantile(&h, 1), 50);
	ck_assert_uint_eq(sm_hist_le(&h, 0), 0);
	ck_assert_uint_eq(sm_hist_le(&h, 10), 10);
	ck_assert_uint_eq(sm_hist_le(&h, UINT64_MAX), 50);
}
END_TEST

START_TEST(hist_percentiles_within_one_bucket)
{
	static struct sm_hist h;

	for (uint64_t v = 1; v <= 100000; v++)
		sm_hist_add(&h, v * 1000);
	for (int percent = 1; percent <= 99; percent++) {
		double want = percent * 1e6;

		ck_assert_double_eq_tol(
			(double)quantile(&h, percent / 100.0), want, want / 32);
	}
	ck_assert_uint_le(quantile(&h, 1), 100000000);
}
END_TEST

START_TEST(hist_stays_within_min_and_max)
{
	static struct sm_hist low, high;

	sm_hist_add(&low, 1000000);
	ck_assert_uint_eq(quantile(&low, 0.5), 1000000);
	sm_hist_add(&low, 2000000);
	/* The bucket 999424..1015807, whatever the place in it. */
	ck_assert_uint_eq(quantile(&low, 0), 1007615);
	ck_assert_uint_eq(quantile(&low, 0.5), 1007615);
	sm_hist_add(&high, UINT64_MAX);
	sm_hist_add(&high, 0);
	ck_assert_uint_eq(quantile(&high, 0), 0);
	ck_assert_uint_ge(quantile(&high, 1), UINT64_C(63) << 58);
	ck_assert_uint_eq(high.min, 0);
	ck_assert_uint_eq(high.max, UINT64_MAX);
}
END_TEST

START_TEST(hist_bad_quantile)
{
	static struct sm_hist h;
	uint64_t v;

	sm_hist_add(&h, 1);
	ck_assert_int_eq(sm_hist_quantile(&h, -0.1, &v), -EINVAL);
	ck_assert_int_eq(sm_hist_quantile(&h, 1.1, &v), -EINVAL);
	ck_assert_int_eq(sm_hist_quantile(&h, (double)NAN, &v), -EINVAL);
}
END_TEST

/* A full counter stays full instead of starting again from zero. */
START_TEST(hist_saturates)
{
	static struct sm_hist h;

	sm_hist_add(&h, 5);
	sm_hist_add(&h, 9);
	h.count[5] = UINT32_MAX;
	sm_hist_add(&h, 5);
	ck_assert_uint_eq(h.count[5], UINT32_MAX);
	ck_assert_uint_eq(quantile(&h, 0.5), 5);
	ck_assert_uint_eq(quantile(&h, 1), 9);
	ck_assert_uint_eq(sm_hist_le(&h, 5), UINT32_MAX);
}
END_TEST

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

static TCase *tc_moments(void)
{
	TCase *tc = tcase_create("moments");

	tcase_add_test(tc, welford_known_values);
	tcase_add_test(tc, welford_empty_and_single);
	tcase_add_test(tc, geomean_refuses_zero);
	tcase_add_test(tc, welford_large_offset);
	tcase_add_test(tc, linreg_exact_line);
	tcase_add_test(tc, linreg_known_values);
	tcase_add_test(tc, linreg_degenerate);
	return tc;
}

static TCase *tc_hist(void)
{
	TCase *tc = tcase_create("hist");

	tcase_add_test(tc, hist_layout);
	tcase_add_test(tc, hist_buckets_are_contiguous);
	tcase_add_test(tc, hist_empty);
	tcase_add_test(tc, hist_small_values_are_exact);
	tcase_add_test(tc, hist_percentiles_within_one_bucket);
	tcase_add_test(tc, hist_stays_within_min_and_max);
	tcase_add_test(tc, hist_bad_quantile);
	tcase_add_test(tc, hist_saturates);
	return tc;
}

UNIT_MAIN("stats", tc_moments, tc_hist)
