// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The truth of intervals is counted in simulated runs (regress_rig.h), in check-live in
 * ten times as many.  REGRESS_RUNS=2000 in the environment counts more of them than a
 * test has time for; the figures are printed.
 */
#include <errno.h>
#include <math.h>

#include "fit/regress.h"
#include "regress_rig.h"
#include "unit.h"

#define RUNS_LIVE 120
#define RUNS_FEW  12
#define LEAST_FEW 0.8 /* coverage of the slope in so few runs */

static struct sm_regress r;
static struct rig rig = {.state = 88172645463325252u};

START_TEST(regress_exact)
{
	static const double truth[] = {RIG_BASE, RIG_SLOPE, RIG_OTHER, RIG_DRIFT};
	struct sm_regress_points p;
	struct sm_autocorr_estimate at;

	rig_run(&rig, RIG_NONE);
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, rig.used, &r), 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_double_eq_tol(r.coef[i].value, truth[i], 1e-9);
		ck_assert_double_lt(r.coef[i].p, 1e-6);
	}
	ck_assert_uint_eq(r.used, RIG_N);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_uint_eq(r.left_out, 0);
	ck_assert(r.has_r2);
	ck_assert_double_eq_tol(r.r2, 1, 1e-12);
	ck_assert_double_lt(r.rms, 1e-9);
	ck_assert_int_eq(sm_regress_at(&r, (double[]){1.5, 0.1, 20}, &at), 0);
	ck_assert_double_eq_tol(at.value, 5 + 15 + 0.9 + 1, 1e-9);
}
END_TEST

START_TEST(regress_outliers)
{
	struct sm_regress_points p;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++)
		rig.y[i] += 0.01 * rig_normal(&rig);
	rig.y[7] += 60;
	rig.y[41] += 30;
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, rig.used, &r), 0);
	ck_assert_uint_eq(r.rejected, 2);
	ck_assert(!rig.used[7] && !rig.used[41] && rig.used[8]);
	ck_assert_double_eq_tol(r.coef[1].value, RIG_SLOPE, 0.03);
	ck_assert_double_lt(fabs(r.worst), 0.05);
	ck_assert_double_gt(fabs(r.worst), 0);
	ck_assert(rig.used[r.worst_at]);
}
END_TEST

/* No other load at all, and one CPU count: those columns are left out, the rest is told.
 */
START_TEST(regress_left_out)
{
	struct sm_regress_points p;
	struct sm_autocorr_estimate at;

	rig_run(&rig, RIG_WHITE);
	for (int i = 0; i < RIG_N; i++) {
		rig.y[i] -= RIG_OTHER * rig.x[i * RIG_K + 1];
		rig.x[i * RIG_K + 1] = 0;
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.left_out, 2);
	ck_assert_double_eq(r.coef[2].value, 0);
	ck_assert_double_eq(r.coef[2].p, 1);
	ck_assert_double_eq_tol(r.coef[1].value, RIG_SLOPE, 0.4);
	ck_assert_double_eq_tol(r.coef[3].value, RIG_DRIFT, 0.03);
	ck_assert_int_eq(sm_regress_at(&r, (double[]){1, 77, 10}, &at), 0);
	ck_assert_double_eq_tol(
		at.value, r.coef[0].value + r.coef[1].value + 10 * r.coef[3].value, 1e-9);
	p.optional = 4;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 1);
	p.optional = 6;
	for (int i = 0; i < RIG_N; i++)
		rig.x[i * RIG_K] = 1;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 0);
}
END_TEST

/* No idle time: other load is what own load leaves.  Left out, it would make the slope 0.
 */
START_TEST(regress_saturated)
{
	const double error[RIG_K] = {0, 0.004, 0};
	struct sm_regress_points p;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		rig.x[i * RIG_K + 1] = 2 - rig.x[i * RIG_K];
		rig.y[i] = 25 + 0.01 * rig_normal(&rig);
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 1);
	ck_assert(r.combined);
	p.join = (const double[RIG_K]){0, 1, 0};
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 1);
	ck_assert(r.combined);
	p.join = NULL;
	/* Told apart by nothing but the rounding of the other load. */
	for (int i = 0; i < RIG_N; i++)
		rig.x[i * RIG_K + 1] += 0.004 * rig_normal(&rig);
	p.error = error;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 1);
	ck_assert(r.combined);
	/* Nor does joining them make anything known: the sum is constant. */
	p.join = (const double[RIG_K]){0, 1, 0};
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EDOM);
	ck_assert_int_eq(r.bad, 1);
	ck_assert(r.combined);
	p.join = NULL;
	/* A quiet machine: other load is nearly all rounding, and harmless. */
	rig_run(&rig, RIG_WHITE);
	for (int i = 0; i < RIG_N; i++)
		rig.x[i * RIG_K + 1] = 0.004 * rig_normal(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_double_eq_tol(r.coef[1].value, RIG_SLOPE, 0.4);
}
END_TEST

/* A quiet machine: the other load varies as much as its rounding.  With a coefficient of
 * its own, which would be drawn half of the way to 0, it would leave 0.1 W to the base.
 */
START_TEST(regress_joined)
{
	const double error[RIG_K] = {0, 0.004, 0}, join[RIG_K] = {0, 1, 0};
	struct sm_regress_points p;
	struct sm_autocorr_estimate at;
	double alone;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		double *x = rig.x + i * RIG_K;

		x[1] = 0.02 * (2.1 - x[0]) + 0.004 * rig_normal(&rig);
		rig.y[i] = RIG_BASE + RIG_SLOPE * (x[0] + x[1]);
		x[1] += 0.004 * rig_normal(&rig);
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	alone = r.coef[0].value;
	ck_assert_double_gt(alone, RIG_BASE + 0.05);
	ck_assert_double_gt(r.coef[0].low, RIG_BASE);
	p.error = error;
	p.join = join;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.joined, 2);
	ck_assert_uint_eq(r.left_out, 0);
	ck_assert_double_eq_tol(r.coef[0].value, RIG_BASE, 0.02);
	ck_assert_double_eq_tol(r.coef[1].value, RIG_SLOPE, 0.02);
	ck_assert_double_le(r.coef[0].low, RIG_BASE);
	ck_assert_double_ge(r.coef[0].high, RIG_BASE);
	ck_assert_double_eq(r.coef[2].value, 0);
	ck_assert_int_eq(sm_regress_at(&r, (double[]){1, 0.5, 0}, &at), 0);
	ck_assert_double_eq_tol(at.value, r.coef[0].value + 1.5 * r.coef[1].value, 1e-9);
}
END_TEST

/* Joined to a regressor of another unit; and none is joined that varies enough. */
/* A steady second regressor of which a unit makes 8, not the 10 of the first: the base
 * that is found is 0.04 too small, and its interval includes the true one. */
START_TEST(regress_joined_by_a_wrong_factor)
{
	const double error[RIG_K] = {0, 0.004, 0}, join[RIG_K] = {0, 1, 0};
	struct sm_regress_points p;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		double *x = rig.x + i * RIG_K;

		x[1] = 0.02;
		rig.y[i] =
			RIG_BASE + RIG_SLOPE * x[0] + 8 * x[1] + 0.01 * rig_normal(&rig);
		x[1] += 0.004 * rig_normal(&rig);
	}
	p = rig_points(&rig);
	p.error = error;
	p.join = join;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.joined, 2);
	ck_assert_double_eq_tol(r.coef[0].value, RIG_BASE - 0.04, 0.02);
	/* A standard deviation of 10 * 0.02 / 6, twice, and noise. */
	ck_assert_double_eq_tol(r.coef[0].high - r.coef[0].value, 0.08, 0.015);
	ck_assert_double_eq_tol(r.coef[0].value - r.coef[0].low, 0.08, 0.015);
	/* The first coefficient does not depend on a constant. */
	ck_assert_double_lt(r.coef[1].high - r.coef[1].low, 0.06);
}
END_TEST

START_TEST(regress_joined_by_factor)
{
	const double error[RIG_K] = {0, 0.004, 0}, join[RIG_K] = {0, 1e9, 0};
	struct sm_regress_points p;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		double *x = rig.x + i * RIG_K;

		x[1] = 0.01 + 0.004 * rig_normal(&rig);
		rig.y[i] = RIG_BASE + RIG_SLOPE * (x[0] + x[1]);
		x[0] *= 1e9;
	}
	p = rig_points(&rig);
	p.error = error;
	p.join = join;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.joined, 2);
	ck_assert_double_eq_tol(r.coef[1].value * 1e9, RIG_SLOPE, 1e-6);
	ck_assert_double_eq_tol(r.coef[0].value, RIG_BASE, 1e-6);
	for (int i = 0; i < RIG_N; i++) {
		double other = rig_uniform(&rig);

		rig.y[i] += RIG_OTHER * other - RIG_SLOPE * rig.x[i * RIG_K + 1];
		rig.x[i * RIG_K + 1] = other;
	}
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.joined, 0);
	ck_assert_double_eq_tol(r.coef[2].value, RIG_OTHER, 1e-6);
}
END_TEST

START_TEST(regress_constant_power)
{
	struct sm_regress_points p;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++)
		rig.y[i] = 5.003;
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert(!r.has_r2);
	for (int i = 0; i < 4; i++)
		ck_assert(isfinite(r.coef[i].low) && isfinite(r.coef[i].high) &&
			  isfinite(r.coef[i].p));
	ck_assert_double_eq_tol(r.coef[1].value, 0, 1e-9);
}
END_TEST

START_TEST(regress_few)
{
	struct sm_regress_points p;

	rig_run(&rig, RIG_WHITE);
	p = rig_points(&rig);
	p.n = 0;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -ENODATA);
	p.n = 3;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -ENODATA);
	p.n = RIG_N;
	rig.y[5] = NAN;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EINVAL);
	p.k = SM_LSQ_COEFS;
	ck_assert_int_eq(sm_regress(&p, NULL, &r), -EINVAL);
}
END_TEST

START_TEST(regress_curved)
{
	struct sm_regress_points p;
	struct sm_regress_bend b;

	/* 5 + 5 x + 2.5 x^2 for x from 0 to 2: 2.5 W between the chord and the curve of
	 * 20 W. */
	rig_run(&rig, RIG_WHITE);
	for (int i = 0; i < RIG_N; i++) {
		double x = rig.x[i * RIG_K];

		rig.y[i] += -5 * x + 2.5 * x * x;
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress_bend(&p, 1, &b), 0);
	ck_assert_double_eq_tol(b.square.value, 2.5, 0.5);
	ck_assert_double_lt(b.square.p, 0.001);
	ck_assert_double_eq_tol(b.sag, 2.5, 0.5);
	ck_assert_double_eq_tol(b.share, 0.125, 0.03);
	rig_run(&rig, RIG_WHITE);
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress_bend(&p, 1, &b), 0);
	ck_assert_double_gt(b.square.p, 0.01);
	ck_assert_double_lt(b.share, 0.05);
	for (int i = 0; i < RIG_N; i++) /* two levels */
		rig.x[i * RIG_K] = rig.x[i * RIG_K] > 0.5;
	ck_assert_int_eq(sm_regress_bend(&p, 1, &b), -EDOM);
	ck_assert_int_eq(sm_regress_bend(&p, 8, &b), -EINVAL);
	ck_assert_int_eq(sm_regress_bend(&p, 0, &b), -EINVAL);
}
END_TEST

/* The square is of the regressor that is asked for, and the bits of the others move with
 * it. */
START_TEST(regress_bend_of_another)
{
	struct sm_regress_points p;
	struct sm_regress_bend b;

	rig_run(&rig, RIG_WHITE);
	for (int i = 0; i < RIG_N; i++)
		rig.y[i] += 0.01 * rig.t[i] * rig.t[i];
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress_bend(&p, 4, &b), 0);
	ck_assert_double_eq_tol(b.square.value, 0.01, 0.003);
	for (int i = 0; i < RIG_N; i++)
		rig.x[i * RIG_K + 1] = 0;
	ck_assert_int_eq(sm_regress_bend(&p, 4, &b), 0);
	p.optional = 4;
	ck_assert_int_eq(sm_regress_bend(&p, 4, &b), -EDOM);
	p.optional = 2;
	ck_assert_int_eq(sm_regress_bend(&p, 4, &b), 0);
}
END_TEST

/* Own load with other load that fills the rest: the power bends over their sum, and not
 * over either. */
START_TEST(regress_bend_of_sum)
{
	struct sm_regress_points p;
	struct sm_regress_bend b;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		double *x = rig.x + i * RIG_K, sum;

		x[1] = (2 - x[0]) * rig_uniform(&rig);
		sum = x[0] + x[1];
		rig.y[i] = 5 + 5 * sum + 2.5 * sum * sum;
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress_bend(&p, 3, &b), 0);
	ck_assert_double_eq_tol(b.square.value, 2.5, 1e-6);
	ck_assert_double_lt(b.square.p, 1e-9);
}
END_TEST

static const struct {
	const char *name;
	enum rig_noise kind;
	double least; /* coverage of the slope in 120 runs */
	double width; /* half of the interval, % of the slope, mean */
} noises[] = {
	{"white", RIG_WHITE, 0.93, 2.3},
	{"fading", RIG_FADING, 0.92, 3.2},
	{"mixed", RIG_MIXED, 0.90, 3.0},
	{"wandering", RIG_WANDER, 0.90, 2.6},
	{"by test", RIG_TESTWISE, 0.86, 3.6},
	{"proportional", RIG_PROPORTIONAL, 0.90, 2.6},
	{"growing", RIG_GROWING, 0.88, 2.4},
	{"outliers", RIG_OUTLIERS, 0.93, 2.4},
};

/* 95 % in the long run; the limits leave room for what 120 runs vary by, and an interval
 * that is so wide that it is always right fails by its width.  Usual standard errors have
 * 95, 56, 70, 71, 71, 89, 84, 95 %. */
START_TEST(regress_coverage)
{
	const char *asked = getenv("REGRESS_RUNS");
	bool many = asked || unit_live();
	int runs = asked ? atoi(asked) : many ? RUNS_LIVE : RUNS_FEW;
	int in = 0, base = 0, drift = 0;
	double width = 0;

	for (int i = 0; i < runs; i++) {
		struct sm_regress_points p;

		rig_run(&rig, noises[_i].kind);
		p = rig_points(&rig);
		ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
		in += r.coef[1].low <= RIG_SLOPE && RIG_SLOPE <= r.coef[1].high;
		base += r.coef[0].low <= RIG_BASE && RIG_BASE <= r.coef[0].high;
		drift += r.coef[3].low <= RIG_DRIFT && RIG_DRIFT <= r.coef[3].high;
		width += (r.coef[1].high - r.coef[1].low) / 2;
	}
	width *= 100 / RIG_SLOPE / runs;
	if (asked)
		printf("# %s: slope %.3f, half width %.2f %%, base %.3f, drift %.3f\n",
			noises[_i].name, (double)in / runs, width, (double)base / runs,
			(double)drift / runs);
	ck_assert_msg(in >= (many ? noises[_i].least : LEAST_FEW) * runs,
		"%s: %d of %d intervals have the slope", noises[_i].name, in, runs);
	ck_assert_msg(width <= noises[_i].width, "%s: half width %.2f %%",
		noises[_i].name, width);
}
END_TEST

/* Spread of 0.01 W without load and of 1 W with 2 CPUs: the readings without load say
 * what the base is, ten times better than equal weights do. */
START_TEST(regress_growing_spread)
{
	struct sm_regress_points p;
	double sum = 0;

	rig_run(&rig, RIG_NONE);
	for (int i = 0; i < RIG_N; i++) {
		double error = (0.01 + 0.5 * rig.x[i * RIG_K]) * rig_normal(&rig);

		rig.y[i] += error;
		sum += error * error;
	}
	p = rig_points(&rig);
	ck_assert_int_eq(sm_regress(&p, NULL, &r), 0);
	ck_assert_uint_eq(r.rejected, 0);
	ck_assert_double_eq_tol(r.coef[0].value, RIG_BASE, 0.1);
	ck_assert_double_lt(r.coef[0].high - r.coef[0].low, 0.4);
	ck_assert_double_gt(r.coef[1].high - r.coef[1].low, 0.2);
	/* In watts, not in weighted ones. */
	ck_assert_double_eq_tol(r.rms, sqrt(sum / RIG_N), 0.1);
	ck_assert_double_eq_tol(r.r2, 0.99, 0.01);
}
END_TEST

static TCase *tc_regress(void)
{
	TCase *tc = tcase_create("regress");

	tcase_set_timeout(tc, 600); /* seconds, for REGRESS_RUNS and valgrind */
	tcase_add_test(tc, regress_exact);
	tcase_add_test(tc, regress_outliers);
	tcase_add_test(tc, regress_left_out);
	tcase_add_test(tc, regress_saturated);
	tcase_add_test(tc, regress_joined);
	tcase_add_test(tc, regress_joined_by_factor);
	tcase_add_test(tc, regress_joined_by_a_wrong_factor);
	tcase_add_test(tc, regress_constant_power);
	tcase_add_test(tc, regress_few);
	tcase_add_test(tc, regress_growing_spread);
	tcase_add_test(tc, regress_curved);
	tcase_add_test(tc, regress_bend_of_another);
	tcase_add_test(tc, regress_bend_of_sum);
	tcase_add_loop_test(tc, regress_coverage, 0, (int)SM_ARRAY_SIZE(noises));
	return tc;
}

UNIT_MAIN("regress", tc_regress)
