// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures: tests/rigs/lsq_figures.py, which inverts the covariance matrix of each pair.
 */
#include <errno.h>
#include <math.h>

#include "fit/autocorr.h"
#include "fit/tdist.h"
#include "unit.h"

enum { N = 24 };
static const double y[N] = {5.3, 5.25, 5.4, 5.1, 5.2, 4.9, 14.7, 14.8, 14.6, 14.9, 14.8,
	15.0, 10.2, 10.3, 10.25, 10.4, 10.2, 10.3, 14.9, 15.0, 14.8, 14.75, 14.9, 14.7};
static double x[N], t[N];
static unsigned int block[N];
static struct sm_autocorr s;

/* Four tests of six readings a second apart, 2 s between tests. */
static void tests(void)
{
	static const double level[] = {0, 1, 0.5, 1};

	for (unsigned int i = 0; i < N; i++) {
		block[i] = i / 6;
		x[i] = level[i / 6];
		t[i] = i + 2.0 * block[i];
	}
}

static void expect(const struct sm_autocorr *fit, const double want[5])
{
	struct sm_autocorr_estimate e;

	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_double_eq_tol(fit->coef[i], want[i], 1e-4);
		ck_assert_int_eq(sm_autocorr_coef(fit, i, 0.95, &e), 0);
		ck_assert_double_eq_tol(e.value, want[i], 1e-4);
		ck_assert_double_eq_tol(e.se / want[2 + i], 1, 1e-4);
		ck_assert_double_lt(e.low, e.value);
		ck_assert_double_gt(e.high, e.value);
	}
	ck_assert_double_eq_tol(fit->share, want[4], 1e-4);
}

START_TEST(autocorr_by_matrices)
{
	static const double alone[] = {5.27945998514, 9.56698914291, 0.157825186962,
		0.132458502853, 0.719120760904};
	static const double blocks[] = {5.280600912, 9.56851825925, 0.164471915395,
		0.156283765479, 0.703552399795};
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = y};

	tests();
	ck_assert_int_eq(
		sm_autocorr_fit(&p, &(struct sm_autocorr_times){t, NULL}, &s), 0);
	ck_assert_uint_eq(s.used, N);
	expect(&s, alone);
	ck_assert_int_eq(
		sm_autocorr_fit(&p, &(struct sm_autocorr_times){t, block}, &s), 0);
	expect(&s, blocks);
}
END_TEST

/* Points of weight 0 are not there: their values and times do not matter. */
START_TEST(autocorr_left_out)
{
	double more_x[N + 2], more_y[N + 2], more_t[N + 2], w[N + 2];
	const struct sm_lsq_points p = {
		.n = N + 2, .k = 1, .x = more_x, .y = more_y, .w = w};
	static const double alone[] = {5.27945998514, 9.56698914291, 0.157825186962,
		0.132458502853, 0.719120760904};

	tests();
	more_x[0] = 3;
	more_y[0] = 1000;
	more_t[0] = 1e9;
	w[0] = 0;
	for (int i = 0, to = 1; i < N; i++, to++) {
		if (i == 10) {
			more_x[to] = 7;
			more_y[to] = -50;
			more_t[to] = -1;
			w[to++] = 0;
		}
		more_x[to] = x[i];
		more_y[to] = y[i];
		more_t[to] = t[i];
		w[to] = 1;
	}
	ck_assert_int_eq(
		sm_autocorr_fit(&p, &(struct sm_autocorr_times){more_t, NULL}, &s), 0);
	expect(&s, alone);
}
END_TEST

START_TEST(autocorr_probabilities)
{
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = y};
	double sum = 0;

	tests();
	ck_assert_int_eq(
		sm_autocorr_fit(&p, &(struct sm_autocorr_times){t, block}, &s), 0);
	ck_assert_uint_le(s.npairs, SM_AUTOCORR_PAIRS);
	for (unsigned int i = 0; i < s.npairs; i++) {
		ck_assert_double_ge(s.pair[i].probability, 0);
		sum += s.pair[i].probability;
	}
	ck_assert_double_eq_tol(sum, 1, 1e-12);
	ck_assert_double_gt(s.blocks, 0);
	ck_assert_double_lt(s.blocks, s.share);
}
END_TEST

START_TEST(autocorr_quantiles)
{
	/* One pair: a t distribution. */
	struct sm_autocorr_estimate e;

	s = (struct sm_autocorr){.p = 2, .npairs = 1, .df = 10};
	s.pair[0].probability = 1;
	s.pair[0].coef[0] = 3;
	s.pair[0].coef[1] = -20;
	s.pair[0].cov[0][0] = 4;
	s.pair[0].cov[1][1] = 1;
	s.pair[0].cov[0][1] = s.pair[0].cov[1][0] = -0.5;
	ck_assert_int_eq(sm_autocorr_coef(&s, 0, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.low, 3 - 2 * 2.22813885196, 1e-5);
	ck_assert_double_eq_tol(e.high, 3 + 2 * 2.22813885196, 1e-5);
	ck_assert_double_eq_tol(e.p, sm_tdist_p(1.5, 10), 1e-10);
	ck_assert_int_eq(sm_autocorr_coef(&s, 1, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.high, -20 + 2.22813885196, 1e-5);
	ck_assert_double_lt(e.p, 1e-8);
	/* coef[0] + 2 coef[1]: variance 4 + 4 - 2. */
	ck_assert_int_eq(sm_autocorr_estimate(&s, (double[8]){1, 2}, 0.5, &e), 0);
	ck_assert_double_eq_tol(e.value, -37, 1e-12);
	ck_assert_double_eq_tol(e.se, sqrt(6), 1e-12);
	ck_assert_double_eq_tol(
		(e.high - e.value) / e.se, sm_tdist_quantile(0.75, 10), 1e-5);
}
END_TEST

START_TEST(autocorr_two_parts)
{
	/* Half of the probability far to each side: the interval spans both. */
	struct sm_autocorr_estimate e;

	s = (struct sm_autocorr){.p = 1, .npairs = 2, .df = 1e6};
	for (int i = 0; i < 2; i++) {
		s.pair[i].probability = 0.5;
		s.pair[i].coef[0] = i ? 100 : -100;
		s.pair[i].cov[0][0] = 1;
	}
	ck_assert_int_eq(sm_autocorr_coef(&s, 0, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.value, 0, 1e-9);
	/* 2.5 % of all is 5 % of one part. */
	ck_assert_double_eq_tol(e.high, 100 + 1.6448536, 1e-4);
	ck_assert_double_eq_tol(e.low, -100 - 1.6448536, 1e-4);
	ck_assert_double_eq_tol(e.se, sqrt(10001), 1e-6);
}
END_TEST

START_TEST(autocorr_degenerate)
{
	double flat[N], bad[N];
	struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = flat};
	struct sm_autocorr_times at = {t, block};
	struct sm_autocorr_estimate e;

	tests();
	for (int i = 0; i < N; i++)
		flat[i] = 5.003;
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), 0);
	ck_assert_int_eq(sm_autocorr_coef(&s, 1, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.value, 0, 1e-12);
	ck_assert(isfinite(e.low) && isfinite(e.high) && isfinite(e.p));
	for (int i = 0; i < N; i++) /* exact: an interval of rounding width */
		flat[i] = 5 + 10 * x[i];
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), 0);
	ck_assert_int_eq(sm_autocorr_coef(&s, 1, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.low, 10, 1e-9);
	ck_assert_double_eq_tol(e.high, 10, 1e-9);
	p.n = 2;
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), -EDOM);
	ck_assert_int_eq(s.bad, 0);
	x[1] = 1;
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), -ENODATA);
	p.n = N;
	memcpy(bad, t, sizeof(bad));
	bad[5] = 0;
	at.t = bad;
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), -EINVAL);
	bad[5] = NAN;
	ck_assert_int_eq(sm_autocorr_fit(&p, &at, &s), -EINVAL);
}
END_TEST

START_TEST(autocorr_one_time)
{
	/* All at one time, and without blocks: independent errors are all that can be
	 * seen. */
	const struct sm_lsq_points p = {.n = N, .k = 1, .x = x, .y = y};
	const double now[N] = {0};
	struct sm_autocorr_estimate e;
	struct sm_lsq plain;
	double se;

	tests();
	ck_assert_int_eq(
		sm_autocorr_fit(&p, &(struct sm_autocorr_times){now, NULL}, &s), 0);
	ck_assert_uint_eq(s.npairs, 1);
	ck_assert_int_eq(sm_lsq_solve(&p, &plain), 0);
	ck_assert_int_eq(sm_lsq_se(&plain, 1, &se), 0);
	ck_assert_int_eq(sm_autocorr_coef(&s, 1, 0.95, &e), 0);
	ck_assert_double_eq_tol(e.value, plain.coef[1], 1e-10);
	ck_assert_double_eq_tol(e.se, se, 1e-10);
	ck_assert_int_eq(sm_autocorr_coef(&s, 2, 0.95, &e), -EINVAL);
	ck_assert_int_eq(sm_autocorr_coef(&s, 0, 1, &e), -EINVAL);
	ck_assert_int_eq(sm_autocorr_coef(&s, 0, NAN, &e), -EINVAL);
}
END_TEST

static TCase *tc_autocorr(void)
{
	TCase *tc = tcase_create("autocorr");

	tcase_add_test(tc, autocorr_by_matrices);
	tcase_add_test(tc, autocorr_left_out);
	tcase_add_test(tc, autocorr_probabilities);
	tcase_add_test(tc, autocorr_quantiles);
	tcase_add_test(tc, autocorr_two_parts);
	tcase_add_test(tc, autocorr_degenerate);
	tcase_add_test(tc, autocorr_one_time);
	return tc;
}

UNIT_MAIN("autocorr", tc_autocorr)
