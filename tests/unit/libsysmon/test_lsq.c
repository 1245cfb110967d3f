// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures: NIST's Statistical Reference Datasets (certified), and
 * tests/rigs/lsq_figures.py. */
#include <errno.h>
#include <math.h>

#include "fit/lsq.h"
#include "unit.h"

/* True to `digits` digits. */
static void near(double got, double want, double digits)
{
	double error = fabs(got - want) / (want != 0 ? fabs(want) : 1);

	ck_assert_msg(error <= pow(10, -digits), "%.15g, want %.15g", got, want);
}

START_TEST(lsq_longley)
{
	/* Longley 1967: six regressors that are almost dependent; the sixth is a year. */
	static const double y[] = {60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761,
		66019, 67857, 68169, 66513, 68655, 69564, 69331, 70551};
	static const double x[] = {83.0, 234289, 2356, 1590, 107608, 1947, 88.5, 259426,
		2325, 1456, 108632, 1948, 88.2, 258054, 3682, 1616, 109773, 1949, 89.5,
		284599, 3351, 1650, 110929, 1950, 96.2, 328975, 2099, 3099, 112075, 1951,
		98.1, 346999, 1932, 3594, 113270, 1952, 99.0, 365385, 1870, 3547, 115094,
		1953, 100.0, 363112, 3578, 3350, 116219, 1954, 101.2, 397469, 2904, 3048,
		117388, 1955, 104.6, 419180, 2822, 2857, 118734, 1956, 108.4, 442769,
		2936, 2798, 120445, 1957, 110.8, 444546, 4681, 2637, 121950, 1958, 112.6,
		482704, 3813, 2552, 123366, 1959, 114.2, 502601, 3931, 2514, 125368, 1960,
		115.7, 518173, 4806, 2572, 127852, 1961, 116.9, 554894, 4007, 2827,
		130081, 1962};
	static const double coef[] = {-3482258.63459582, 15.0618722713733,
		-0.358191792925910e-01, -2.02022980381683, -1.03322686717359,
		-0.511041056535807e-01, 1829.15146461355};
	static const double se[] = {890420.383607373, 84.9149257747669,
		0.334910077722432e-01, 0.488399681651699, 0.214274163161675,
		0.226073200069370, 455.478499142212};
	const struct sm_lsq_points p = {.n = 16, .k = 6, .x = x, .y = y};
	struct sm_lsq l;
	double v;

	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	for (unsigned int i = 0; i < 7; i++) {
		near(l.coef[i], coef[i], 9);
		ck_assert_int_eq(sm_lsq_se(&l, i, &v), 0);
		near(v, se[i], 9);
	}
	ck_assert_int_eq(sm_lsq_s2(&l, &v), 0);
	near(sqrt(v), 304.854073561965, 10);
	ck_assert_int_eq(sm_lsq_r2(&l, &v), 0);
	near(v, 0.995479004577296, 12);
	ck_assert_int_eq(sm_lsq_se(&l, 7, &v), -EINVAL);
}
END_TEST

START_TEST(lsq_wampler1)
{
	/* y = 1 + x + ... + x^5 exactly. */
	double x[21 * 5], y[21];
	const struct sm_lsq_points p = {.n = 21, .k = 5, .x = x, .y = y};
	struct sm_lsq l;

	for (int i = 0; i < 21; i++) {
		y[i] = 1;
		for (int j = 0; j < 5; j++) {
			x[i * 5 + j] = pow(i, j + 1);
			y[i] += x[i * 5 + j];
		}
	}
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	for (unsigned int i = 0; i < 6; i++)
		near(l.coef[i], 1, 7);
}
END_TEST

/* Twelve readings: own load, other load, time. */
static const double own[] = {0, 0.5, 1, 1.5, 0, 0.5, 1, 1.5, 0, 0.5, 1, 1.5};
static const double other[] = {
	0.1, 0.107, 0.086, 0.121, 0.073, 0.133, 0.062, 0.142, 0.055, 0.148, 0.051, 0.15};
static const double watts[] = {6.01, 10.823, 15.944, 21.569, 5.777, 11.427, 16.128,
	21.718, 5.675, 12.012, 16.139, 21.83};

static void fill(double *x, unsigned int k, double offset)
{
	for (int i = 0; i < 12; i++) {
		const double row[] = {own[i], other[i], 2.0 * i + offset};

		memcpy(x + (size_t)i * k, row, k * sizeof(*x));
	}
}

START_TEST(lsq_readings)
{
	static const double coef[] = {
		5.02159234669, 10.1668204173, 8.48103560656, 0.0217939118135};
	static const double se[] = {
		0.175660193818, 0.107137942523, 1.6171134221, 0.00803616582584};
	double x[36], v;
	const struct sm_lsq_points p = {.n = 12, .k = 3, .x = x, .y = watts};
	struct sm_lsq_points one = {.n = 12, .k = 1, .x = own, .y = watts};
	struct sm_lsq l, less;

	fill(x, 3, 0);
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	for (unsigned int i = 0; i < 4; i++) {
		near(l.coef[i], coef[i], 10);
		ck_assert_int_eq(sm_lsq_se(&l, i, &v), 0);
		near(v, se[i], 10);
	}
	near(l.rss, 0.264258015413, 10);
	near(l.unit[1][2], -1.98114775945, 10);
	near(l.unit[0][3], -0.0166799380916, 10);
	ck_assert_int_eq(sm_lsq_r2(&l, &v), 0);
	near(v, 0.999358213936, 11);
	ck_assert_int_eq(sm_lsq_solve(&one, &less), 0);
	/* F of the two regressors that `less` lacks. */
	ck_assert_int_eq(sm_lsq_s2(&l, &v), 0);
	near((less.rss - l.rss) / 2 / v, 16.9996793903471, 10);
}
END_TEST

START_TEST(lsq_weights)
{
	static const double w[] = {1, 2, 1, 0.5, 1, 3, 1, 1, 0, 2, 1, 1};
	static const double coef[] = {
		5.04457078286, 10.031231882, 7.97405337053, 0.0345717691331};
	static const double se[] = {
		0.193838781645, 0.123842952038, 1.64710712943, 0.00876336165391};
	double x[36], v, doubled[12];
	struct sm_lsq_points p = {.n = 12, .k = 3, .x = x, .y = watts, .w = w};
	struct sm_lsq l;

	fill(x, 3, 0);
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	ck_assert_uint_eq(l.used, 11);
	for (unsigned int i = 0; i < 4; i++) {
		near(l.coef[i], coef[i], 10);
		ck_assert_int_eq(sm_lsq_se(&l, i, &v), 0);
		near(v, se[i], 10);
	}
	ck_assert_int_eq(sm_lsq_r2(&l, &v), 0);
	near(v, 0.99922081723, 10);
	/* A common factor changes nothing but s2. */
	for (int i = 0; i < 12; i++)
		doubled[i] = 1e6 * w[i];
	p.w = doubled;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	ck_assert_int_eq(sm_lsq_se(&l, 1, &v), 0);
	near(v, se[1], 10);
}
END_TEST

START_TEST(lsq_huge_offset)
{
	/* Seconds since 1970, almost: 9 digits of the time are lost, none of the other
	 * slopes. */
	double x[36], v;
	const struct sm_lsq_points p = {.n = 12, .k = 3, .x = x, .y = watts};
	struct sm_lsq l;

	fill(x, 3, 1e9);
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	near(l.coef[1], 10.1668204173, 10);
	near(l.coef[2], 8.48103560656, 10);
	near(l.coef[3], 0.0217939118135, 6);
	ck_assert_int_eq(sm_lsq_se(&l, 3, &v), 0);
	near(v, 0.00803616582584, 6);
	near(l.rss, 0.264258015413, 8);
}
END_TEST

START_TEST(lsq_falling)
{
	double y[12], v;
	const struct sm_lsq_points p = {.n = 12, .k = 1, .x = own, .y = y};
	struct sm_lsq l;

	for (int i = 0; i < 12; i++)
		y[i] = 30 - 20 * own[i];
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	near(l.coef[0], 30, 12);
	near(l.coef[1], -20, 12);
	ck_assert_int_eq(sm_lsq_r2(&l, &v), 0);
	ck_assert_double_le(v, 1);
	near(v, 1, 12);
}
END_TEST

START_TEST(lsq_constant)
{
	/* Debian's power-calibrate says "R^2 = -nan (perfect)" for a third of such
	 * constants. */
	double y[12], v;
	const struct sm_lsq_points p = {.n = 12, .k = 1, .x = own, .y = y};
	struct sm_lsq l;

	for (int c = 0; c < 2000; c++) {
		for (int i = 0; i < 12; i++)
			y[i] = 5 + c * 0.001;
		ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
		ck_assert(l.constant);
		near(l.coef[0], y[0], 13);
		ck_assert_double_eq_tol(l.coef[1], 0, 1e-13);
		ck_assert_int_eq(sm_lsq_r2(&l, &v), -ENODATA);
		ck_assert_int_eq(sm_lsq_se(&l, 1, &v), 0);
		ck_assert(isfinite(v));
	}
}
END_TEST

START_TEST(lsq_zero)
{
	const double y[12] = {0};
	const struct sm_lsq_points p = {.n = 12, .k = 1, .x = own, .y = y};
	struct sm_lsq l;

	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	ck_assert_double_eq(l.coef[0], 0);
	ck_assert_double_eq(l.coef[1], 0);
	ck_assert(l.constant);
}
END_TEST

START_TEST(lsq_few_points)
{
	struct sm_lsq_points p = {.n = 2, .k = 1, .x = own, .y = watts};
	struct sm_lsq l, less;
	double v;

	/* Two points: a line, and nothing to judge it by. */
	ck_assert_int_eq(sm_lsq_solve(&p, &l), 0);
	near(l.coef[1], (10.823 - 6.01) / 0.5, 12);
	ck_assert_double_eq(sm_lsq_df(&l), 0);
	ck_assert_int_eq(sm_lsq_se(&l, 1, &v), -ENODATA);
	ck_assert_int_eq(sm_lsq_s2(&l, &v), -ENODATA);
	p.k = 0;
	ck_assert_int_eq(sm_lsq_solve(&p, &less), 0);
	near(less.coef[0], (10.823 + 6.01) / 2, 12);
	p.k = 1;
	p.n = 1;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -ENODATA);
	p.n = 0;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -ENODATA);
}
END_TEST

START_TEST(lsq_collinear)
{
	double x[36];
	const struct sm_lsq_points p = {.n = 12, .k = 3, .x = x, .y = watts};
	struct sm_lsq l;

	fill(x, 3, 0);
	for (int i = 0; i < 12; i++)
		x[3 * i + 2] = 3 * x[3 * i] - 0.1 * x[3 * i + 1] + 7;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -EDOM);
	ck_assert_int_eq(l.bad, 2);
	ck_assert(l.combined);
	for (int i = 0; i < 12; i++)
		x[3 * i + 1] = 0.3;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -EDOM);
	ck_assert_int_eq(l.bad, 1);
	ck_assert(!l.combined);
	for (int i = 0; i < 12; i++)
		x[3 * i + 1] =
			1e9 + (i & 1) * 1e-8; /* all 1e9: the rest is rounded away */
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -EDOM);
	ck_assert_int_eq(l.bad, 1);
}
END_TEST

START_TEST(lsq_refused)
{
	static const double none[] = {NAN, INFINITY, -INFINITY};
	double x[12], y[12], w[12];
	const struct sm_lsq_points p = {.n = 12, .k = 1, .x = x, .y = y, .w = w};
	struct sm_lsq_points many = {.n = 12, .k = SM_LSQ_COEFS, .x = x, .y = y};
	double *const place[] = {x + 3, y + 11, w};
	struct sm_lsq l;

	for (size_t i = 0; i < 9; i++) {
		for (int j = 0; j < 12; j++) {
			x[j] = own[j];
			y[j] = watts[j];
			w[j] = 1;
		}
		*place[i / 3] = none[i % 3];
		ck_assert_int_eq(sm_lsq_solve(&p, &l), -EINVAL);
	}
	w[0] = -1;
	ck_assert_int_eq(sm_lsq_solve(&p, &l), -EINVAL);
	ck_assert_int_eq(sm_lsq_solve(&many, &l), -EINVAL);
}
END_TEST

static TCase *tc_lsq(void)
{
	TCase *tc = tcase_create("lsq");

	tcase_add_test(tc, lsq_longley);
	tcase_add_test(tc, lsq_wampler1);
	tcase_add_test(tc, lsq_readings);
	tcase_add_test(tc, lsq_weights);
	tcase_add_test(tc, lsq_huge_offset);
	tcase_add_test(tc, lsq_falling);
	tcase_add_test(tc, lsq_constant);
	tcase_add_test(tc, lsq_zero);
	tcase_add_test(tc, lsq_few_points);
	tcase_add_test(tc, lsq_collinear);
	tcase_add_test(tc, lsq_refused);
	return tc;
}

UNIT_MAIN("lsq", tc_lsq)
