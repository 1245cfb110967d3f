// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "power-calibrate/result.h"
#include "unit.h"

/* Readings of an exact machine: 5 W, 10 W for each busy CPU, of the load or of others. */
struct truth {
	double base, busy, other, drift_per_s, bend, op_per_s, disturb;
	double slower; /* part of the operations that each other reading lacks */
};

static struct readings r;
static struct model m;
static struct plan p;
static const struct plan_want want = {.cpus = 2,
	.levels = 3,
	.test_ns = 10 * SM_NSEC_PER_SEC,
	.interval_ns = SM_NSEC_PER_SEC,
	.seed = 7,
	.every_count = true};

static double watts(const struct truth *t, const struct reading *a)
{
	double own = a->v[F_OWN], all = own + a->v[F_OTHER];

	return t->base + t->busy * own + t->other * a->v[F_OTHER] +
	       t->drift_per_s * a->t_s + t->bend * all * all;
}

/* Makes five readings of each test, with other load in every third test. */
static void measure(const struct truth *t)
{
	readings_fini(&r);
	r.online = 4;
	for (unsigned int i = 0; i < p.n * 5; i++) {
		const struct plan_test *test = &p.test[i / 5];
		struct reading a = {.t_s = i + 0.5,
			.dt_s = 1,
			.test = i / 5,
			.block = i / 5,
			.ppm = test->ppm,
			.cpus = test->cpus};

		a.v[F_OWN] = test->ppm * 1e-6 * test->cpus;
		a.v[F_OTHER] = i / 5 % 3 == 0 ? t->disturb * (1 + i % 5) / 5 : 0;
		a.v[F_OPS] = a.v[F_OWN] * t->op_per_s * (1 - i % 2 * t->slower);
		a.v[F_CYCLES] = a.v[F_INSTRUCTIONS] = a.v[F_REF_CYCLES] = NAN;
		a.v[F_WATTS] = watts(t, &a);
		ck_assert_int_eq(readings_add(&r, &a, NULL), 0);
	}
}

static void fit(const struct truth *t)
{
	plan_fini(&p);
	ck_assert_int_eq(plan_make(&p, &want), 0);
	measure(t);
	model_fini(&m);
	ck_assert_int_eq(model_fit(&m, &r, &p, true), 0);
}

static const struct truth plain = {.base = 5, .busy = 10, .op_per_s = 5e8};

START_TEST(an_exact_line_is_found)
{
	fit(&plain);
	ck_assert_int_eq(m.load.err, 0);
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
	ck_assert_double_eq_tol(m.load.base.value, 5, 1e-6);
	ck_assert_double_eq_tol(m.energy[MODEL_OP].slope.value, 2e-8, 1e-14);
	ck_assert_int_ne(m.energy[MODEL_CYCLE].err, 0);
	ck_assert(!m.load.has_other);
	ck_assert(!m.load.not_linear);
}
END_TEST

START_TEST(other_load_is_told_apart)
{
	struct truth t = plain;

	t.other = 10;
	t.disturb = 1;
	fit(&t);
	ck_assert(m.load.has_other);
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
	ck_assert_double_eq_tol(m.load.other.value, 10, 1e-6);
	ck_assert_double_eq_tol(m.load.base.value, 5, 1e-6);
	ck_assert_double_eq_tol(m.energy[MODEL_OP].slope.value, 2e-8, 1e-14);
}
END_TEST

/* Other load that varies as little as its rounding has the power of the load, and the
 * base has none of it. */
START_TEST(a_trace_of_other_load_counts_as_load)
{
	struct truth t = plain;

	t.other = 10;
	t.disturb = 0.02;
	fit(&t);
	ck_assert(!m.load.has_other);
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
	ck_assert_double_eq_tol(m.load.base.value, 5, 1e-6);
	ck_assert_double_eq_tol(m.energy[MODEL_OP].slope.value, 2e-8, 1e-14);
	ck_assert_double_eq_tol(m.energy[MODEL_OP].base.value, 5, 1e-6);
}
END_TEST

/* The eighth column of the data for gnuplot has the residuals. */
START_TEST(a_trace_of_other_load_is_in_no_residual)
{
	const struct state state = {0};
	const struct opts opts = {0};
	const struct result res = {
		.readings = &r, .model = &m, .plan = &p, .state = &state, .opts = &opts};
	struct sm_buf b = {0};
	struct truth t = plain;
	size_t n = 0;

	t.other = 10;
	t.disturb = 0.02;
	fit(&t);
	ck_assert(m.load.other_joined);
	result_gnuplot_data(&res, &b);
	sm_buf_chr(&b, '\0');
	for (char *rest, *line = strtok_r(b.p, "\n", &rest); line && n < r.n;
		line = strtok_r(NULL, "\n", &rest)) {
		double residual;

		if (*line == '#')
			continue;
		ck_assert_int_eq(
			sscanf(line, "%*f %*f %*f %*f %*f %*f %*f %lf", &residual), 1);
		ck_assert_double_eq_tol(residual, 0, 1e-5);
		n++;
	}
	ck_assert_uint_eq(n, r.n);
	sm_buf_fini(&b);
}
END_TEST

/* The CPU is busy, and takes its power, also while a neighbour slows it down: half of the
 * readings have half of the operations. */
START_TEST(energy_of_operations_at_a_rate_that_varies)
{
	struct truth t = plain;
	double joules = 0, ops = 0;

	t.slower = 0.5;
	fit(&t);
	for (size_t i = 0; i < r.n; i++) {
		joules += 10 * r.at[i].v[F_OWN];
		ops += r.at[i].v[F_OPS];
	}
	ck_assert_double_gt(joules / ops, 2.5e-8);
	ck_assert_double_eq_tol(m.energy[MODEL_OP].slope.value, joules / ops, 1e-13);
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
}
END_TEST

START_TEST(drift_is_told_apart)
{
	struct truth t = plain;

	t.drift_per_s = 0.05;
	fit(&t);
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
	ck_assert_double_eq_tol(m.load.drift.value, 180, 1e-4);
	/* The base is the one in the middle of 50 s. */
	ck_assert_double_eq_tol(m.load.base.value, 5 + 0.05 * (double)r.n / 2, 1e-6);
}
END_TEST

START_TEST(a_curve_is_not_linear)
{
	struct truth t = plain;

	t.bend = 10;
	fit(&t);
	ck_assert(m.load.has_bend);
	ck_assert(m.load.not_linear);
}
END_TEST

START_TEST(each_number_of_cpus_has_its_line)
{
	fit(&plain);
	ck_assert_uint_eq(m.counts, 2);
	for (unsigned int i = 0; i < 2; i++)
		ck_assert_double_eq_tol(m.count[i].slope.value, 10, 1e-6);
}
END_TEST

START_TEST(the_band_is_around_the_line)
{
	struct sm_autocorr_estimate e;

	fit(&plain);
	ck_assert_int_eq(model_at(&m, 1.5, &e), 0);
	ck_assert_double_eq_tol(e.value, 20, 1e-6);
	ck_assert(e.low <= e.value && e.value <= e.high);
}
END_TEST

static bool usable(const char **why)
{
	struct opts o = opts_default;
	struct state state = {0};
	struct result res = {
		.opts = &o, .plan = &p, .readings = &r, .model = &m, .state = &state};

	return result_usable(&res, why);
}

START_TEST(a_constant_power_is_no_result)
{
	const struct truth t = {.base = 5, .op_per_s = 5e8};
	const char *why;

	fit(&t);
	ck_assert(!usable(&why));
	ck_assert_str_eq(why, "the power does not change with the load");
}
END_TEST

START_TEST(without_readings_there_is_no_result)
{
	const char *why;

	fit(&plain);
	readings_fini(&r);
	model_fini(&m);
	ck_assert_int_eq(model_fit(&m, &r, &p, true), 0);
	ck_assert(!usable(&why));
	ck_assert_str_eq(why, "the power source gave no reading");
	ck_assert(isinf(model_half_width(&m.load)));
}
END_TEST

START_TEST(falling_power_has_its_sign)
{
	struct opts o = opts_default;
	const struct truth t = {.base = 30, .busy = -5, .op_per_s = 5e8};
	const struct sm_topology_types types = {.n = 1};
	struct state state = {0};
	struct sm_buf b = {0};
	struct result res;

	fit(&t);
	res = (struct result){.opts = &o,
		.plan = &p,
		.readings = &r,
		.model = &m,
		.state = &state,
		.types = &types,
		.complete = true};
	result_text(&res, &b);
	sm_buf_chr(&b, '\0');
	/* 4 CPUs: 1 % of the machine is 0.04 CPUs. */
	ck_assert_ptr_nonnull(strstr(b.p, "-200.00 mW"));
	ck_assert_ptr_null(strstr(b.p, "nan"));
	sm_buf_fini(&b);
}
END_TEST

/* Sets what a /proc/stat of 4 CPUs with `busy` busy CPUs, `stolen` of which a hypervisor
 * has, gives in addition to a share of the load. */
static const char *reason_with(double share, double busy, double stolen)
{
	fit(&plain);
	for (size_t i = 0; i < r.n; i++) {
		double *v = r.at[i].v, all = share * v[F_OWN] + busy;

		v[F_OTHER] = all - stolen - v[F_OWN];
		v[F_IDLE] = v[F_USER] = 100 - 25 * all;
	}
	model_fini(&m);
	ck_assert_int_eq(model_fit(&m, &r, &p, false), 0);
	return model_reason(&m.load);
}

START_TEST(a_proc_stat_without_the_load)
{
	static const char lacks[] = "/proc/stat do not include the load";

	ck_assert_ptr_nonnull(strstr(reason_with(0, 0, 0), lacks));
	ck_assert_ptr_nonnull(strstr(reason_with(0, 0.3, 0), lacks));
	ck_assert_ptr_nonnull(strstr(reason_with(0.25, 0.01, 0), lacks));
	ck_assert_int_eq(m.load.err, -EDOM);
	ck_assert_str_eq(reason_with(1, 0.01, 0), "");
	ck_assert_double_eq_tol(m.load.slope.value, 10, 1e-6);
	ck_assert_str_eq(reason_with(0.97, 0.01, 0), "");
	ck_assert_str_eq(reason_with(1, 0.25, 0.5), "");
}
END_TEST

START_TEST(a_proc_stat_that_stands_still)
{
	fit(&plain);
	for (unsigned int ticks = 0; ticks < 2; ticks++) {
		for (size_t i = 0; i < r.n; i++) {
			double *v = r.at[i].v;

			v[F_OTHER] = 4 - v[F_OWN];
			v[F_IDLE] = v[F_USER] = ticks ? 0 : NAN;
		}
		model_fini(&m);
		ck_assert_int_eq(model_fit(&m, &r, &p, false), 0);
		ck_assert_int_eq(m.load.err, -EDOM);
		ck_assert_ptr_nonnull(strstr(model_reason(&m.load),
			ticks ? "was no CPU idle?" : "/proc/stat do not advance"));
	}
}
END_TEST

START_TEST(words_of_r2)
{
	ck_assert_str_eq(model_strength(0.39), "very weak");
	ck_assert_str_eq(model_strength(0.8), "good");
	ck_assert_str_eq(model_strength(0.999), "very strong");
	ck_assert_str_eq(model_strength(1), "perfect");
}
END_TEST

static TCase *tc_model(void)
{
	TCase *tc = tcase_create("model");

	tcase_add_test(tc, an_exact_line_is_found);
	tcase_add_test(tc, other_load_is_told_apart);
	tcase_add_test(tc, a_trace_of_other_load_counts_as_load);
	tcase_add_test(tc, a_trace_of_other_load_is_in_no_residual);
	tcase_add_test(tc, energy_of_operations_at_a_rate_that_varies);
	tcase_add_test(tc, drift_is_told_apart);
	tcase_add_test(tc, a_curve_is_not_linear);
	tcase_add_test(tc, each_number_of_cpus_has_its_line);
	tcase_add_test(tc, the_band_is_around_the_line);
	tcase_add_test(tc, a_constant_power_is_no_result);
	tcase_add_test(tc, without_readings_there_is_no_result);
	tcase_add_test(tc, falling_power_has_its_sign);
	tcase_add_test(tc, a_proc_stat_without_the_load);
	tcase_add_test(tc, a_proc_stat_that_stands_still);
	tcase_add_test(tc, words_of_r2);
	return tc;
}

UNIT_MAIN("model", tc_model)
