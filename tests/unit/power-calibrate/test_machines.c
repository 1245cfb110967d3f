// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What whole runs find on simulated machines of known parameters (machine_rig.h): the
 * plan and the model together.  MACHINES=1000 in the environment tries more of them than
 * a test has time for; the figures are printed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "machine_rig.h"
#include "unit.h"

static struct machine m;

static double slope_error(void)
{
	return fabs(m.model.load.slope.value / m.meter.busy_w - 1);
}

/* Of a machine without noise nothing is unknown but the rounding of its clocks. */
static void expect_exact(unsigned int seed)
{
	ck_assert_int_eq(machine_run(&m, seed), 0);
	ck_assert_int_eq(m.model.load.err, 0);
	ck_assert_double_lt(slope_error(), 0.003);
	ck_assert_double_lt(model_half_width(&m.model.load), 0.005);
	ck_assert(machine_in(&m.model.load.slope, m.meter.busy_w));
	ck_assert_double_eq_tol(m.model.load.base.value, m.base_w, 0.02 * m.base_w);
	ck_assert(machine_in(&m.model.load.base, m.base_w));
	ck_assert(!m.model.load.not_linear);
	ck_assert_double_eq_tol(
		m.model.energy[MODEL_OP].slope.value * 6e8, m.meter.busy_w, 0.05);
	machine_fini(&m);
}

START_TEST(a_quiet_machine)
{
	for (unsigned int i = 1; i <= 20; i++) {
		machine_plain(&m, i);
		expect_exact(i);
	}
}
END_TEST

START_TEST(an_idle_machine)
{
	machine_plain(&m, 1);
	m.other = 0;
	expect_exact(1);
}
END_TEST

START_TEST(drift)
{
	for (unsigned int i = 1; i <= 20; i++) {
		machine_plain(&m, i);
		m.meter.drift_w_per_s = 0.05;
		expect_exact(i);
	}
}
END_TEST

START_TEST(outliers)
{
	for (unsigned int i = 1; i <= 20; i++) {
		machine_plain(&m, i);
		m.meter.outlier_w = 60;
		m.meter.outlier_n = 40;
		m.meter.outlier_s = 0.5;
		expect_exact(i);
	}
}
END_TEST

/* The slope of both types is the price of neither, and --by=type finds both. */
START_TEST(types_of_cpus)
{
	unsigned int in = 0;

	for (unsigned int i = 1; i <= 20; i++) {
		machine_of_types(&m, i, 12, 3);
		ck_assert_int_eq(machine_run(&m, i), 0);
		ck_assert(!machine_in(&m.model.load.slope, 12));
		ck_assert(!machine_in(&m.model.load.slope, 3));
		ck_assert_uint_eq(m.model.types, 0);
		machine_fini(&m);
		machine_of_types(&m, i, 12, 3);
		ck_assert_int_eq(machine_run_by_type(&m, i), 0);
		ck_assert_uint_eq(m.model.types, 2);
		ck_assert_int_eq(m.model.type[0].err, 0);
		ck_assert_double_eq_tol(m.model.type[0].slope.value, 12, 0.04);
		ck_assert_double_eq_tol(m.model.type[1].slope.value, 3, 0.04);
		in += machine_in(&m.model.type[0].slope, 12);
		in += machine_in(&m.model.type[1].slope, 3);
		ck_assert_double_eq_tol(m.model.type[1].base.value, 5, 0.1);
		/* Both loaded together: the mean. */
		ck_assert_double_eq_tol(m.model.load.slope.value, 7.5, 0.05);
		ck_assert_double_lt(model_half_width(&m.model.load), 0.01);
		ck_assert_double_eq(model_widest(&m.model),
			fmax(model_half_width(&m.model.load),
				model_half_width(&m.model.type[1])));
		machine_fini(&m);
	}
	ck_assert_uint_ge(in, 36); /* of 40 intervals of 95 % */
}
END_TEST

/* With noise and drift, 95 of 100 intervals contain the truth. */
START_TEST(types_of_cpus_with_noise)
{
	unsigned int in[2] = {0}, n = 100;

	for (unsigned int i = 1; i <= n; i++) {
		machine_of_types(&m, i, 12, 3);
		m.meter.noise_w = 0.4;
		m.meter.drift_w_per_s = machine_chance(&m, -0.03, 0.05);
		ck_assert_int_eq(machine_run_by_type(&m, i), 0);
		in[0] += machine_in(&m.model.type[0].slope, 12);
		in[1] += machine_in(&m.model.type[1].slope, 3);
		machine_fini(&m);
	}
	ck_assert_msg(in[0] >= 88 && in[1] >= 88, "%u and %u of %u", in[0], in[1], n);
}
END_TEST

struct tally {
	unsigned int in, narrow;
	double error, width;
};

static void tally(struct tally *t)
{
	double half = model_half_width(&m.model.load);

	t->in += machine_in(&m.model.load.slope, m.meter.busy_w);
	t->narrow += half <= 0.03;
	t->error += slope_error();
	t->width += half;
}

/* 95 % in the long run, and most within 3 % of the slope; the limits leave room for what
 * 100 machines vary by. */
START_TEST(machines_of_chance)
{
	const char *asked = getenv("MACHINES");
	unsigned int n = asked ? (unsigned int)atoi(asked) : 200;
	struct tally t = {0};

	for (unsigned int i = 1; i <= n; i++) {
		machine_of_chance(&m, i);
		ck_assert_int_eq(machine_run(&m, i), 0);
		ck_assert_int_eq(m.model.load.err, 0);
		tally(&t);
		machine_fini(&m);
	}
	if (asked)
		printf("# %u machines: %.3f of the intervals have the truth, %.3f are "
		       "within 3 %%; half width %.2f %%, error %.2f %%\n",
			n, (double)t.in / n, (double)t.narrow / n, 100 * t.width / n,
			100 * t.error / n);
	ck_assert_msg(t.in >= 0.9 * n, "%u of %u intervals have the truth", t.in, n);
	ck_assert_msg(t.narrow >= 0.89 * n, "%u of %u within 3 %%", t.narrow, n);
	ck_assert_msg(t.width <= 0.015 * n, "half width %.4f", t.width / n);
	ck_assert_msg(t.error <= 0.0065 * n, "error %.4f", t.error / n);
}
END_TEST

static TCase *tc_machines(void)
{
	TCase *tc = tcase_create("machines");

	tcase_set_timeout(tc, 600); /* seconds, for MACHINES and valgrind */
	tcase_add_test(tc, a_quiet_machine);
	tcase_add_test(tc, an_idle_machine);
	tcase_add_test(tc, drift);
	tcase_add_test(tc, outliers);
	tcase_add_test(tc, types_of_cpus);
	tcase_add_test(tc, types_of_cpus_with_noise);
	tcase_add_test(tc, machines_of_chance);
	return tc;
}

UNIT_MAIN("machines", tc_machines)
