// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures: tests/rigs/lsq_figures.py. */
#include <errno.h>
#include <math.h>

#include "fit/robust.h"
#include "unit.h"

enum { N = 20 };
static const double x[N] = {0, 0.5, 1, 0.25, 0.75, 0, 0.5, 1, 0.25, 0.75, 0, 0.5, 1, 0.25,
	0.75, 0, 0.5, 1, 0.25, 0.75};
/* 4 + 8 x and small errors; 30 too much at [3], 20 too little at [11]. */
static const double y[N] = {4.289, 8.348, 11.698, 35.585, 10.223, 4.362, 7.873, 11.809,
	6.092, 9.964, 3.848, -11.775, 12.276, 5.691, 9.611, 4.276, 8.409, 11.821, 5.698,
	10.101};

START_TEST(robust_outliers)
{
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = y};
	struct sm_robust r;
	double w[N];

	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_double_eq_tol(r.fit.coef[0], 4.12430385164, 1e-9);
	ck_assert_double_eq_tol(r.fit.coef[1], 7.80016547789, 1e-9);
	ck_assert_double_eq_tol(r.scale, 0.400523497092, 1e-9);
	ck_assert_uint_eq(r.rejected, 2);
	ck_assert_uint_eq(r.used, N - 2);
	ck_assert(!r.misfit);
	for (int i = 0; i < N; i++)
		ck_assert_double_eq(w[i], i != 3 && i != 11);
}
END_TEST

START_TEST(robust_without_outliers)
{
	double clean[N], w[N];
	struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = clean};
	struct sm_robust r;
	struct sm_lsq plain;

	memcpy(clean, y, sizeof(clean));
	clean[3] -= 30;
	clean[11] += 20;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_int_eq(sm_lsq_solve(&p, &plain), 0);
	ck_assert_double_eq(r.fit.coef[1], plain.coef[1]);
	ck_assert_double_eq(r.fit.rss, plain.rss);
}
END_TEST

/* A point of weight 0 is neither used nor rejected, wherever it is; other weights are
 * kept. */
START_TEST(robust_own_weights)
{
	double own[N], w[N];
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = y, .w = own};
	struct sm_robust r;

	for (int i = 0; i < N; i++)
		own[i] = i == 3 ? 0 : 2;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 1);
	ck_assert_uint_eq(r.used, N - 2);
	ck_assert_double_eq(w[0], 2);
	ck_assert_double_eq(w[3], 0);
	ck_assert_double_eq_tol(r.fit.coef[1], 7.80016547789, 1e-9);
}
END_TEST

/* Residuals that are rounding are no scale: nothing is rejected by it. */
START_TEST(robust_exact)
{
	double line[N], w[N];
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = line};
	struct sm_robust r;

	for (int i = 0; i < N; i++)
		line[i] = 5.003 + 10.1 * x[i];
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_double_eq_tol(r.fit.coef[1], 10.1, 1e-12);
	for (int i = 0; i < N; i++)
		line[i] = 5.003;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert(isfinite(r.scale));
}
END_TEST

/* A meter of 1 W steps: most readings are equal, the step is no outlier. */
START_TEST(robust_coarse)
{
	double steps[N], w[N];
	const struct sm_lsq_points p = {.n = N, .k = 0, .x = x, .y = steps};
	struct sm_robust r;

	for (int i = 0; i < N; i++)
		steps[i] = i % 7 == 3 ? 13 : 12;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
}
END_TEST

/* A busy machine: own and other load fill both CPUs in 30 of 36 readings, whose power is
 * 25 W with errors of 0.01 W.  The other six, whose busy time is known to 0.01 s, tell
 * the slopes. */
START_TEST(robust_saturated)
{
	enum { M = 36 };
	double xs[2 * M], watts[M], w[M];
	const struct sm_lsq_points p = {.n = M, .k = 2, .x = xs, .y = watts};
	struct sm_robust r;

	for (int i = 0; i < M; i++) {
		double own = i / 6 % 3 * 0.5, idle = i % 6 == 4 ? 0.1 + 0.02 * i : 0;

		xs[2 * i] = own + 0.01 * sin(7 * i);
		xs[2 * i + 1] = 2 - idle - xs[2 * i];
		watts[i] = 5 + 10 * (2 - idle) + 0.01 * sin(11 * i);
		if (idle > 0)
			xs[2 * i + 1] += 0.008 * sin(5 * i);
	}
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_double_eq_tol(r.fit.coef[1], 10, 0.3);
	ck_assert_double_eq_tol(r.fit.coef[2], 10, 0.3);
	watts[20] += 30;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 1);
	ck_assert_double_eq_tol(r.fit.coef[1], 10, 0.3);
}
END_TEST

/* Three of ten points elsewhere: not for this module to call them wrong. */
START_TEST(robust_misfit)
{
	double two[N], w[N];
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = two};
	struct sm_robust r;

	for (int i = 0; i < N; i++)
		two[i] = 5 + x[i] + sin(i) + (i % 10 < 3 ? 200 : 0);
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert(r.misfit);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_uint_eq(r.used, N);
	for (int i = 0; i < N; i++)
		ck_assert_double_eq(w[i], 1);
}
END_TEST

START_TEST(robust_refused)
{
	double bad[N], w[N];
	struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = bad};
	struct sm_robust r;

	memcpy(bad, y, sizeof(bad));
	bad[7] = NAN;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), -EINVAL);
	p.n = 1;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), -ENODATA);
	p.n = 0;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), -ENODATA);
	p.n = 2;
	ck_assert_int_eq(sm_robust_fit(&p, w, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
}
END_TEST

START_TEST(robust_median)
{
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};

	ck_assert_double_eq(sm_robust_median(odd, 3), 2);
	ck_assert_double_eq(sm_robust_median(even, 4), 2.5);
	ck_assert_double_eq(sm_robust_median(even, 0), 0);
}
END_TEST

static TCase *tc_robust(void)
{
	TCase *tc = tcase_create("robust");

	tcase_add_test(tc, robust_outliers);
	tcase_add_test(tc, robust_without_outliers);
	tcase_add_test(tc, robust_own_weights);
	tcase_add_test(tc, robust_exact);
	tcase_add_test(tc, robust_coarse);
	tcase_add_test(tc, robust_saturated);
	tcase_add_test(tc, robust_misfit);
	tcase_add_test(tc, robust_refused);
	tcase_add_test(tc, robust_median);
	return tc;
}

UNIT_MAIN("robust", tc_robust)
