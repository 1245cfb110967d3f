// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results of whole runs on machines whose meters are late (machine_rig.h): with a lag, an
 * average, or a value that is renewed rarely.  MACHINES=1000 in the environment
 * tries more machines than a test has time for; the figures are printed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine_rig.h"
#include "unit.h"

struct kind {
	const char *name;
	double every_s, lag_s, average_s, renew_s;
	double test_s, settle_s;
	double error; /* the mean one is less */
	double step_w;
};

/* Three levels on one and two CPUs; a battery is read once a second. */
static const struct kind kinds[] = {
	{"no lag", 0.097, 0, 0, 0, 10, 0, 0.01, 0},
	{"no lag, renewed each 1 s", 0.097, 0, 0, 1, 10, 0, 0.015, 0},
	{"lag 0.3 s", 0.097, 0.3, 0, 1, 10, 0, 0.012, 0},
	{"lag 1 s", 0.097, 1, 0, 0, 10, 0, 0.012, 0},
	{"lag 1 s, renewed each 1 s", 0.097, 1, 0, 1, 10, 0, 0.015, 0},
	{"lag 3 s", 0.097, 3, 0, 1, 10, 0, 0.025, 0},
	{"lag 10 s", 0.097, 10, 0, 1, 10, 0, 0.06, 0},
	{"average of 1 s", 0.097, 0, 1, 0, 10, 0, 0.012, 0},
	{"average of 5 s, renewed each 1 s", 0.097, 0, 5, 1, 10, 0, 0.05, 0},
	{"average of 10 s", 0.097, 0, 10, 0, 60, 0, 0.08, 0},
	{"average of 30 s, renewed each 1 s", 0.097, 0, 30, 1, 60, 0, 0.03, 0},
	{"gauge, lag 10 s", 1, 10, 0, 1, 10, 20, 0.04, 0},
	{"gauge, average of 30 s", 1, 0, 30, 1, 30, 20, 0.04, 0},
	{"steps of 1 W, renewed each 1 s", 0.097, 0, 0, 1, 10, 0, 0.03, 1},
	{"steps of 5 W, renewed each 1 s", 0.097, 0, 0, 1, 10, 0, 0.15, 5},
};

/* Machines whose times are judged together, how many of them may have errors by which
 * another time fits better, the time between their values, and the greatest deviation. */
#define TIMES	 24
#define CHANCE	 4
#define EVERY_S	 1
#define LITTLE_S 0.009

struct tally {
	unsigned int in, base_in, results, refused, late;
	double error, width;
};

static struct machine m;

static void run(const struct kind *k, unsigned int seed)
{
	const struct plan_want want = {.cpus = 2,
		.levels = 3,
		.test_ns = (uint64_t)(k->test_s * 1e9),
		.settle_ns = (uint64_t)(k->settle_s * 1e9),
		.interval_ns = SM_NSEC_PER_SEC,
		.seed = seed};

	machine_of_chance(&m, seed);
	m.every_s = k->every_s;
	m.step_w = k->step_w;
	m.meter.lag_s = k->lag_s;
	m.meter.average_s = k->average_s;
	m.meter.renew_s = k->renew_s > 0     ? k->renew_s
			  : k->average_s > 0 ? k->average_s
					     : 0.1;
	ck_assert_int_eq(machine_run_plan(&m, &want), 0);
}

/* A result may be missing only for a meter that was found to be later than the tests
 * allow. */
static bool is_refused(const struct tally *t)
{
	const struct model_line *l = &m.model.load;
	const struct lag *lag = &m.model.lag;

	if (!l->err)
		return false;
	ck_assert_msg(l->err == -EAGAIN && lag->meter.kind != HISTORY_SHARP &&
			      lag->meter.s > LAG_TESTS * (double)m.plan.slot_ns * 1e-9,
		"result %u: %s, meter of %.2f s", t->results, model_reason(l),
		lag->meter.s);
	return true;
}

static void add(struct tally *t)
{
	const struct model_line *l = &m.model.load;

	t->late += m.model.lag.meter.kind != HISTORY_SHARP;
	if (is_refused(t)) {
		t->refused++;
		return;
	}
	t->results++;
	t->in += machine_in(&l->slope, m.meter.busy_w);
	t->base_in += machine_in(&l->base, m.base_w);
	t->error += fabs(l->slope.value / m.meter.busy_w - 1);
	t->width += model_half_width(l);
}

static void show(const struct kind *k, const struct tally *t)
{
	printf("# %-34s %4u results: %.3f of the intervals have the truth, %.3f that of "
	       "the base; error %.2f %%, half width %.2f %%; %u with a lag, %u refused\n",
		k->name, t->results, (double)t->in / t->results,
		(double)t->base_in / t->results, 100 * t->error / t->results,
		100 * t->width / t->results, t->late, t->refused);
}

static unsigned int machines(void)
{
	const char *asked = getenv("MACHINES");

	return asked ? (unsigned int)atoi(asked) : 12;
}

/* The limits leave room for what so few machines vary by. */
START_TEST(late_meters)
{
	const struct kind *k = &kinds[_i];
	struct tally t = {0};
	unsigned int n = machines();

	for (unsigned int i = 1; i <= n; i++) {
		run(k, i);
		add(&t);
		machine_fini(&m);
	}
	if (getenv("MACHINES"))
		show(k, &t);
	ck_assert_uint_le(t.refused, n / 12);
	n = t.results;
	ck_assert_msg(t.in >= 0.66 * n, "%s: %u of %u have the truth", k->name, t.in, n);
	ck_assert_msg(t.base_in >= 0.66 * n, "%s: %u of %u have the base", k->name,
		t.base_in, n);
	ck_assert_msg(t.error <= k->error * n, "%s: error %.4f", k->name, t.error / n);
}
END_TEST

/* One machine is judged, not machines of chance. */
static void run_first(const struct kind *k, unsigned int seed)
{
	unsetenv("MACHINE_SEED");
	run(k, seed);
}

START_TEST(time_constants)
{
	static const struct {
		double lag_s, average_s;
	} meters[] = {{1, 0}, {3, 0}, {0, 5}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(meters); i++) {
		const struct kind k = {"", 0.097, meters[i].lag_s, meters[i].average_s,
			0.1, 10, 0, 0, 0};

		run_first(&k, 1);
		ck_assert_int_eq(m.model.lag.meter.kind,
			meters[i].lag_s > 0 ? HISTORY_LAG : HISTORY_MEAN);
		ck_assert_double_eq_tol(
			m.model.lag.meter.s, meters[i].lag_s + meters[i].average_s, 0.2);
		machine_fini(&m);
	}
}
END_TEST

/* The driver's averaging time is used if it fits the readings. */
START_TEST(told_average)
{
	const struct kind k = {"", 0.097, 0, 10, 0, 60, 0, 0, 0};

	run_first(&k, 2);
	ck_assert(!m.model.lag.searched);
	ck_assert_int_eq(m.model.lag.meter.kind, HISTORY_MEAN);
	ck_assert_double_eq_tol(m.model.lag.meter.s, 10, 1e-9);
	model_fini(&m.model);
	m.readings.average_s = 3;
	ck_assert_int_eq(model_fit(&m.model, &m.readings, &m.plan, false), 0);
	ck_assert(m.model.lag.searched);
	ck_assert_double_eq_tol(m.model.lag.meter.s, 10, 1);
	machine_fini(&m);
}
END_TEST

/* Values renewed each 10 s: the times of the polls that saw them differ by up to 0.097 s.
 */
START_TEST(even_times)
{
	const struct kind k = {"", 0.097, 0, 10, 0, 60, 0, 0, 0};
	double last_s = NAN;

	run_first(&k, 2);
	for (size_t i = 0; i < m.readings.n; i++) {
		const struct lag_point *p = &m.model.lag.point[i];

		if (!p->used)
			continue;
		if (isfinite(last_s))
			ck_assert_double_eq_tol(remainder(p->t_s - last_s, 10), 0, 0.005);
		last_s = p->t_s;
	}
	machine_fini(&m);
}
END_TEST

/* Returns how far the times of the points are from those at which the meter renewed its
 * value: each EVERY_S since the machine was started. */
static double time_error(void)
{
	for (size_t i = 0; i < m.readings.n; i++)
		if (m.model.lag.point[i].used)
			return remainder(m.model.lag.point[i].t_s + m.start_s, EVERY_S);
	return NAN;
}

/* A run whose meter averages over EVERY_S, as its driver reports; fade_s: time constant
 * of the errors, 0: independent. */
static void run_average(unsigned int seed, double fade_s)
{
	machine_plain(&m, seed);
	m.every_s = 0.097;
	m.meter.noise_w = fade_s > 0 ? 0.5 : 0.1;
	m.meter.fade_s = fade_s;
	m.meter.average_s = m.meter.renew_s = EVERY_S;
	ck_assert_int_eq(machine_run(&m, seed), 0);
}

static bool is_known(void)
{
	return m.model.lag.meter.kind == HISTORY_MEAN && !m.model.lag.searched;
}

/* The polls at the ends of the readings of a run are equally long after a renewal, by up
 * to 0.05 s; the other polls tell how long. */
START_TEST(true_times)
{
	double sum = 0;
	unsigned int known = 0;

	for (unsigned int seed = 1; seed <= TIMES; seed++) {
		run_average(seed, 0);
		if (is_known()) {
			sum += time_error() * time_error();
			known++;
		}
		machine_fini(&m);
	}
	ck_assert_uint_ge(known, TIMES - CHANCE);
	ck_assert_double_le(sqrt(sum / known), LITTLE_S);
}
END_TEST

/* Slow errors of the power are no reason to doubt the driver's averaging time. */
START_TEST(known_with_slow_errors)
{
	unsigned int known = 0;

	for (unsigned int seed = 1; seed <= TIMES; seed++) {
		run_average(seed, 4);
		known += is_known();
		machine_fini(&m);
	}
	ck_assert_uint_ge(known, TIMES - CHANCE);
}
END_TEST

/* The time constant of the errors is not one of the meter: however long it is, the tests
 * are long enough. */
START_TEST(slow_errors)
{
	unsetenv("MACHINE_SEED");
	for (unsigned int seed = 1; seed <= TIMES; seed++) {
		machine_plain(&m, seed);
		m.every_s = 0.097;
		m.meter.noise_w = 1;
		m.meter.fade_s = 60;
		m.meter.renew_s = EVERY_S;
		ck_assert_int_eq(machine_run(&m, seed), 0);
		ck_assert_int_eq(m.model.lag.meter.kind, HISTORY_SHARP);
		ck_assert_int_eq(m.model.load.err, 0);
		machine_fini(&m);
	}
}
END_TEST

/* --- types of CPUs ------------------------------------------------------------------ */

struct types_kind {
	const char *name;
	double lag_s, average_s, renew_s;
	bool untold; /* the driver does not report the averaging time */
	bool three;  /* types, otherwise two */
	unsigned int test_s;
	double error; /* the mean one of all types is less, in watts */
};

static const struct types_kind types_kinds[] = {
	{"types, no lag", 0, 0, 0.1, false, false, 10, 0.1},
	{"types, lag 0.3 s, renewed each 1 s", 0.3, 0, 1, false, false, 10, 0.12},
	{"types, lag 1 s", 1, 0, 0.1, false, false, 10, 0.12},
	{"types, lag 1 s, renewed each 1 s", 1, 0, 1, false, false, 10, 0.15},
	{"types, lag 3 s", 3, 0, 0.1, false, false, 10, 0.15},
	{"types, average of 5 s", 0, 5, 1, false, false, 20, 0.3},
	{"types, average of 5 s, untold", 0, 5, 1, true, false, 20, 0.3},
	{"three types, lag 1 s", 1, 0, 0.1, false, true, 10, 0.12},
	{"three types, lag 3 s", 3, 0, 1, false, true, 10, 0.15},
	{"three types, average of 5 s, untold", 0, 5, 1, true, true, 20, 0.3},
};

static const double price_w[] = {12, 3, 5};

/* Makes a machine with one CPU of each of two types, or with three, one and two CPUs of
 * three types. */
static void machine_of_kind(const struct types_kind *k, unsigned int seed)
{
	machine_plain(&m, seed);
	machine_add_type(&m, k->three ? 3 : 1, price_w[0]);
	machine_add_type(&m, 1, price_w[1]);
	if (k->three)
		machine_add_type(&m, 2, price_w[2]);
	m.every_s = 0.097;
	m.meter.noise_w = machine_chance(&m, 0.05, 0.4);
	m.meter.drift_w_per_s = machine_chance(&m, -0.03, 0.05);
	m.meter.lag_s = k->lag_s;
	m.meter.average_s = k->average_s;
	m.meter.renew_s = k->renew_s;
	m.untold = k->untold;
}

struct types_tally {
	unsigned int in[PLAN_TYPES_MAX], mean_in, late;
	double error, width;
};

/* Returns the power of a busy CPU of all types together. */
static double mean_w(void)
{
	double sum = 0;

	for (unsigned int i = 0; i < m.cpus; i++)
		sum += m.price_w[i] / m.cpus;
	return sum;
}

static void add_types(struct types_tally *t)
{
	ck_assert_uint_eq(m.model.types, m.types);
	ck_assert_int_eq(m.model.load.err, 0);
	for (unsigned int i = 0; i < m.types; i++) {
		const struct sm_autocorr_estimate *e = &m.model.type[i].slope;

		ck_assert_int_eq(m.model.type[i].err, 0);
		t->in[i] += machine_in(e, price_w[i]);
		t->error += fabs(e->value - price_w[i]) / m.types;
		t->width += (e->high - e->low) / 2 / m.types;
	}
	t->mean_in += machine_in(&m.model.load.slope, mean_w());
	t->late += m.model.lag.meter.kind != HISTORY_SHARP;
}

static void show_types(
	const struct types_kind *k, const struct types_tally *t, unsigned int n)
{
	unsigned int least = t->mean_in;

	for (unsigned int i = 0; i < (k->three ? 3 : 2); i++)
		least = t->in[i] < least ? t->in[i] : least;
	if (getenv("MACHINES"))
		printf("# %-35s %4u results: %.3f of the intervals have the truth, of "
		       "the worst type or the mean; error %.2f W, half width %.2f W; %u "
		       "with a lag\n",
			k->name, n, (double)least / n, t->error / n, t->width / n,
			t->late);
	ck_assert_msg(
		least >= 0.75 * n, "%s: only %u of %u have the truth", k->name, least, n);
}

START_TEST(types_of_late_meters)
{
	const struct types_kind *k = &types_kinds[_i];
	struct types_tally t = {0};
	unsigned int n = machines();

	for (unsigned int i = 1; i <= n; i++) {
		machine_of_kind(k, i);
		ck_assert_int_eq(machine_run_types(&m, i, k->test_s), 0);
		add_types(&t);
		machine_fini(&m);
	}
	show_types(k, &t, n);
	ck_assert_msg(t.error <= k->error * n, "%s: error %.4f", k->name, t.error / n);
}
END_TEST

/* Six values in a run are too few for a line. */
START_TEST(few_values)
{
	const struct kind k = {"", 0.097, 0, 10, 0, 10, 0, 0, 0};

	run_first(&k, 1);
	ck_assert_int_eq(m.model.load.err, -EAGAIN);
	ck_assert(m.model.lag.few);
	machine_fini(&m);
}
END_TEST

static TCase *tc_meters(void)
{
	TCase *tc = tcase_create("meters");

	tcase_set_timeout(tc, 600); /* seconds, for MACHINES and valgrind */
	tcase_add_loop_test(tc, late_meters, 0, SM_ARRAY_SIZE(kinds));
	tcase_add_test(tc, time_constants);
	tcase_add_test(tc, told_average);
	tcase_add_test(tc, even_times);
	tcase_add_test(tc, true_times);
	tcase_add_test(tc, known_with_slow_errors);
	tcase_add_test(tc, slow_errors);
	tcase_add_loop_test(tc, types_of_late_meters, 0, SM_ARRAY_SIZE(types_kinds));
	tcase_add_test(tc, few_values);
	return tc;
}

UNIT_MAIN("meters", tc_meters)
