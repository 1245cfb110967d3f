// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results of whole runs on simulated machines of known parameters (machine_rig.h): the
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

/* A machine without noise has no error except the rounding of its clocks. */
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
		/* The slope of both loaded together is the mean. */
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

/* In the long run 95 % of the intervals contain the truth, and most are within 3 % of the
 * slope; the limits leave room for what 100 machines vary by. */
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

/* --- kinds of meters ---------------------------------------------------------------- */

struct kind {
	const char *name;
	unsigned int cpus;
	double noise, fade, growth, drift, outlier, step, quantum, other, unsteady,
		other_part;
	double width;		  /* mean half width of the slope, %: at most */
	double slope_in, base_in; /* coverage, least */
};

static void machine_of_kind(const struct kind *k, unsigned int seed)
{
	machine_plain(&m, seed + 5000);
	m.meter.base_w = machine_chance(&m, 3, 40);
	m.meter.busy_w = machine_chance(&m, 6, 25);
	m.meter.noise_w = k->noise;
	m.meter.fade_s = k->fade;
	m.meter.drift_w_per_s = k->drift;
	m.meter.outlier_w = k->outlier;
	m.meter.outlier_n = 40;
	m.meter.outlier_s = 0.5;
	m.cpus = k->cpus;
	m.growth = k->growth;
	m.step_w = k->step;
	m.quantum_j = k->quantum;
	m.other_part = k->other_part;
	if (k->other > 0)
		m.other = k->other;
	if (k->unsteady > 0)
		m.unsteady = k->unsteady;
}

struct figures {
	unsigned int slope, base, curved;
	double width, error, base_error;
};

static void add_figures(struct figures *f)
{
	const struct model_line *l = &m.model.load;

	f->slope += machine_in(&l->slope, m.meter.busy_w);
	f->base += machine_in(&l->base, m.base_w);
	f->curved += l->not_linear;
	f->width += 100 * model_half_width(l);
	f->error += 100 * slope_error();
	f->base_error += 100 * fabs(l->base.value / m.base_w - 1);
}

/* 60 machines of each kind: the limits leave room for what so few vary by. */
#define MACHINES_FEW 60
#define ROOM	     0.06

static void expect_kind(const struct kind *k)
{
	const char *asked = getenv("MACHINES");
	unsigned int n = asked ? (unsigned int)atoi(asked) : MACHINES_FEW;
	double room = asked ? 0.01 : ROOM;
	struct figures f = {0};

	for (unsigned int i = 1; i <= n; i++) {
		machine_of_kind(k, i);
		ck_assert_int_eq(machine_run(&m, i), 0);
		ck_assert_int_eq(m.model.load.err, 0);
		add_figures(&f);
		machine_fini(&m);
	}
	printf("# %u CPUs, %s: %u machines: the slope is in %.3f of the intervals, the "
	       "base in "
	       "%.3f; half width %.2f %%, error %.2f %%, of the base %.2f %%; "
	       "not linear %.3f\n",
		k->cpus, k->name, n, (double)f.slope / n, (double)f.base / n, f.width / n,
		f.error / n, f.base_error / n, (double)f.curved / n);
	ck_assert_msg(
		f.slope >= (k->slope_in - room) * n, "slope in %u of %u", f.slope, n);
	ck_assert_msg(f.base >= (k->base_in - room) * n, "base in %u of %u", f.base, n);
	ck_assert_msg(f.width <= k->width * n, "half width %.2f %%", f.width / n);
	ck_assert_msg(f.curved <= 0.05 * n, "%u of %u not linear", f.curved, n);
}

static const struct kind grows[] = {
	{.name = "3 %",
		.cpus = 2,
		.growth = 0.03,
		.width = 1.6,
		.slope_in = 0.92,
		.base_in = 0.95},
	{.name = "3 %",
		.cpus = 4,
		.growth = 0.03,
		.width = 1.3,
		.slope_in = 0.92,
		.base_in = 0.95},
	{.name = "3 %",
		.cpus = 16,
		.growth = 0.03,
		.width = 1.3,
		.slope_in = 0.92,
		.base_in = 0.95},
	{.name = "3 % and 0.3 W",
		.cpus = 16,
		.growth = 0.03,
		.noise = 0.3,
		.width = 1.3,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "3 % and outliers",
		.cpus = 2,
		.growth = 0.03,
		.noise = 0.1,
		.outlier = 60,
		.width = 2,
		.slope_in = 0.92,
		.base_in = 0.92},
};

START_TEST(noise_that_grows_with_the_load)
{
	expect_kind(&grows[_i]);
}
END_TEST

static const struct kind even[] = {
	{.name = "white noise",
		.cpus = 2,
		.noise = 0.3,
		.width = 1.4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "white noise",
		.cpus = 16,
		.noise = 0.3,
		.width = 0.2,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "drift",
		.cpus = 2,
		.noise = 0.3,
		.drift = 0.05,
		.width = 1.4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "outliers",
		.cpus = 2,
		.noise = 0.3,
		.outlier = 60,
		.width = 1.4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "slow noise",
		.cpus = 2,
		.noise = 0.3,
		.fade = 2,
		.width = 1.5,
		.slope_in = 0.85,
		.base_in = 0.92},
};

START_TEST(noise_that_does_not)
{
	expect_kind(&even[_i]);
}
END_TEST

static const struct kind steps[] = {
	{.name = "steps of 1 W",
		.cpus = 2,
		.step = 1,
		.width = 4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 1 W, noise",
		.cpus = 2,
		.step = 1,
		.noise = 0.1,
		.width = 4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 1 W",
		.cpus = 16,
		.step = 1,
		.width = 0.4,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 5 W",
		.cpus = 2,
		.step = 5,
		.width = 24,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 5 W, drift",
		.cpus = 2,
		.step = 5,
		.noise = 0.1,
		.drift = 0.02,
		.width = 24,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 5 W, noise",
		.cpus = 16,
		.step = 5,
		.noise = 0.1,
		.width = 2,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 1 J",
		.cpus = 2,
		.quantum = 1,
		.width = 2,
		.slope_in = 0.92,
		.base_in = 0.92},
	{.name = "steps of 5 J",
		.cpus = 2,
		.quantum = 5,
		.width = 12,
		.slope_in = 0.92,
		.base_in = 0.92},
};

START_TEST(meters_of_coarse_steps)
{
	expect_kind(&steps[_i]);
}
END_TEST

/* The step is reported, and only that of a meter which has one. */
START_TEST(the_step_is_found)
{
	machine_of_kind(&steps[0], 3);
	ck_assert_int_eq(machine_run(&m, 3), 0);
	ck_assert_double_eq_tol(m.model.load.step_w, 1, 1e-9);
	machine_fini(&m);
	machine_of_kind(&even[0], 3);
	ck_assert_int_eq(machine_run(&m, 3), 0);
	ck_assert_double_eq(m.model.load.step_w, 0);
	machine_fini(&m);
}
END_TEST

static const struct kind others[] = {
	{.name = "steady other load of 0.02",
		.cpus = 2,
		.noise = 0.05,
		.other = 0.02,
		.unsteady = 0.1,
		.width = 0.6,
		.slope_in = 0.9,
		.base_in = 0.95},
	{.name = "as steady, 30 % less power",
		.cpus = 2,
		.noise = 0.05,
		.other = 0.02,
		.unsteady = 0.1,
		.other_part = 0.7,
		.width = 0.6,
		.slope_in = 0.9,
		.base_in = 0.9},
	{.name = "as steady, 30 % more power",
		.cpus = 2,
		.noise = 0.05,
		.other = 0.02,
		.unsteady = 0.1,
		.other_part = 1.3,
		.width = 0.6,
		.slope_in = 0.9,
		.base_in = 0.9},
	{.name = "steady 0.1, 30 % less power",
		.cpus = 4,
		.noise = 0.05,
		.other = 0.1,
		.unsteady = 0.1,
		.other_part = 0.7,
		.width = 1,
		.slope_in = 0.9,
		.base_in = 0.95},
	{.name = "unsteady 0.3, 30 % less power",
		.cpus = 2,
		.noise = 0.05,
		.other = 0.3,
		.unsteady = 1,
		.other_part = 0.7,
		.width = 1,
		.slope_in = 0.92,
		.base_in = 0.92},
};

START_TEST(small_other_load)
{
	expect_kind(&others[_i]);
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
	tcase_add_loop_test(
		tc, noise_that_grows_with_the_load, 0, (int)SM_ARRAY_SIZE(grows));
	tcase_add_loop_test(tc, noise_that_does_not, 0, (int)SM_ARRAY_SIZE(even));
	tcase_add_loop_test(tc, meters_of_coarse_steps, 0, (int)SM_ARRAY_SIZE(steps));
	tcase_add_test(tc, the_step_is_found);
	tcase_add_loop_test(tc, small_other_load, 0, (int)SM_ARRAY_SIZE(others));
	return tc;
}

UNIT_MAIN("machines", tc_machines)
