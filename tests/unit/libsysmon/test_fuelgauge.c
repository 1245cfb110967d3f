// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "power/battery_level.h"
#include "fuelgauge_rig.h"

/* ---- a gauge that shows what has been drained, now and then, in steps ---- */

/* Reads it for so long; the time of the last reading. */
static double run(const struct sim *s, double seconds)
{
	double t = s->delay_s;

	g.quantum_uj = s->step_uwh * UWH_UJ;
	for (; t <= seconds; t += s->read_s)
		sm_fuelgauge_add(&g, at(t), shown_uj(s, t));
	return t - s->read_s;
}

/* The line from the first edge of the window to the last. */
static double from_ends(void)
{
	unsigned int last = (g.first + g.n - 1) % SM_FUELGAUGE_EDGES;

	return (g.edge[g.first].uj - g.edge[last].uj) /
	       ((double)(g.edge[last].t_ns - g.edge[g.first].t_ns) / 1e9);
}

struct worst {
	double fitted, ends; /* greatest relative error */
	double fitted_sum, ends_sum;
	unsigned int good, all;
};

/* The errors of good figures at the end, over phases of the gauge and of the reading. */
static struct worst worst_at(struct sim s, double seconds)
{
	struct worst w = {0};

	for (unsigned int i = 0; i < 20; i += one_in(4))
		for (unsigned int j = 0; j < 5; j += one_in(3)) {
			double end, fitted, ends;

			w.all++;
			s.phase_s = s.update_s * i / 20;
			s.delay_s = s.read_s * j / 5;
			sm_fuelgauge_init(&g, 120 * SM_NSEC_PER_SEC);
			end = run(&s, seconds);
			if (power(end) != 1)
				continue;
			fitted = fabs(uw / 1e6 / s.watts - 1);
			ends = fabs(from_ends() / 1e6 / s.watts - 1);
			w.good++;
			w.fitted_sum += fitted;
			w.ends_sum += ends;
			w.fitted = fmax(w.fitted, fitted);
			w.ends = fmax(w.ends, ends);
		}
	return w;
}

/* The example at the head of fuelgauge.h. */
START_TEST(worked_example)
{
	static const struct {
		double level_j;
		int kind;
		double watts;
	} line[] = {{180000, -ENODATA, 0}, {179820, -ENODATA, 0}, {179640, 0, 6.0},
		{179424, 0, 6.6}, {179208, 0, 6.9}, {178992, 1, 7.0}, {178776, 1, 7.2}};

	g.quantum_uj = 36e6;
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(line); i++) {
		sm_fuelgauge_add(&g, at(1 + 30 * i), line[i].level_j * 1e6);
		ck_assert_int_eq(power(1 + 30 * i), line[i].kind);
		if (line[i].watts > 0)
			ck_assert_double_eq_tol(uw * 1e-6, line[i].watts, 0.05);
	}
}
END_TEST

START_TEST(constant_power)
{
	static const struct {
		const char *name;
		double step_uwh, update_s, read_s;
		double least_watts; /* less gives too few steps in 120 s for one percent
				     */
	} t[] = {
		{"1 mWh at 1 s", 1000, 1, 1, 1},
		{"1 mWh at 1 s, read at 0.5 s", 1000, 1, 0.5, 1},
		{"1 mWh at 1 s, read at 10 s", 1000, 1, 10, 2},
		{"1 mWh at 30 s", 1000, 30, 1, 5},
		{"10 mWh at 1 s", 10000, 1, 1, 2},
		{"10 mWh at once", 10000, 0.001, 1, 2},
		{"10 mWh at 30 s, read at 5 s", 10000, 30, 5, 100},
	};
	static const double watts[] = {
		1, 2, 3.3, 5, 7.77, 10, 12.5, 15, 28, 45, 100, 230};
	double fitted = 0, ends = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		for (size_t j = 0; j < SM_ARRAY_SIZE(watts); j++) {
			struct sim s = {.step_uwh = t[i].step_uwh,
				.update_s = t[i].update_s,
				.read_s = t[i].read_s,
				.watts = watts[j]};
			struct worst w;

			if (watts[j] < t[i].least_watts)
				continue;
			w = worst_at(
				s, fmax(121, 22 * s.step_uwh * UWH_UJ / 1e6 / s.watts));
			ck_assert_msg(w.good == w.all, "%s, %g W: %u of %u good",
				t[i].name, watts[j], w.good, w.all);
			ck_assert_msg(w.fitted <= 0.01, "%s, %g W: %.2f %%", t[i].name,
				watts[j], w.fitted * 100);
			fitted += w.fitted_sum;
			ends += w.ends_sum;
		}
	/* what the simpler line would do */
	ck_assert_double_lt(fitted, ends / 2);
}
END_TEST

/* Reads it as a battery, which finds the quantum; returns the time of the first good
 * figure.  Each good figure is within 10 %, also when the steps and the updates alias. */
static double within_ten_percent(const struct sim *s, double seconds)
{
	struct sm_battery b = {.present = true,
		.system = true,
		.status = SM_BATTERY_DISCHARGING,
		.has_energy = true};
	double first = INFINITY;

	setup();
	for (double t = 0; t <= seconds; t += s->read_s) {
		b.energy_uwh = (uint64_t)llround(shown_uj(s, t) / UWH_UJ);
		sm_battery_level_update(&b, at(t + 1));
		g.quantum_uj = b.quantum_uj;
		sm_fuelgauge_add(&g, at(t + 1), b.level_uj);
		if (power(t + 1) != 1)
			continue;
		first = fmin(first, t);
		ck_assert_msg(fabs(uw / 1e6 / s->watts - 1) <= 0.1,
			"%g uWh, %g s, %g W: %g W at %g s", s->step_uwh, s->update_s,
			s->watts, uw / 1e6, t);
	}
	return first;
}

START_TEST(good_figures_are_within_ten_percent)
{
	static const double steps_uwh[] = {1000, 10000, 50000, 100000, 500000},
			    updates_s[] = {1, 5, 20, 30, 60},
			    watts[] = {2.3, 5.1, 8.9, 13.7, 27.3};

	for (unsigned int i = 0; i < 5 * 5 * 5 * 4; i += one_in(11)) {
		struct sim s = {.step_uwh = steps_uwh[i % 5],
			.update_s = updates_s[i / 5 % 5],
			.watts = watts[i / 25 % 5],
			.read_s = 1};
		double step_s = s.step_uwh * UWH_UJ / 1e6 / s.watts, first;
		double edge_s = fmax(step_s, s.update_s);

		s.phase_s = s.update_s * (i / 125) / 4;
		first = within_ten_percent(&s, 90 + 50 * edge_s);
		/* A minute or 20 steps, and the edges that these begin and end with; slow
		 * updates that are all of one size count as steps. */
		ck_assert_msg(
			first <= fmax(62, 20 * step_s) + 2 * (step_s + s.update_s) ||
				(s.update_s > step_s &&
					first <= 22 * s.update_s + step_s),
			"%g uWh, %g s, %g W: first at %g s", s.step_uwh, s.update_s,
			s.watts, first);
	}
}
END_TEST

/* A coarse gauge has five edges at 25 W for each at 5 W: they must not weigh more. */
START_TEST(changing_power_has_no_bias)
{
	struct sim s = {.step_uwh = 10000,
		.update_s = 0.001,
		.read_s = 1,
		.watts = 25,
		.low_watts = 5,
		.period_s = 150};
	double sum = 0;
	unsigned int n = 0;

	for (double t = 0; t <= 3000; t++) {
		sm_fuelgauge_add(&g, at(t), shown_uj(&s, t));
		if (t < 300)
			continue;
		ck_assert_int_ge(power(t), 0);
		sum += uw;
		n++;
	}
	ck_assert_double_eq_tol(sum / n / 1e6, 15, 0.15);
}
END_TEST

START_TEST(follows_a_step_within_the_window)
{
	double t, level = 1e11;

	for (t = 0; t < 200; t++, level -= 10e6)
		sm_fuelgauge_add(&g, at(t), level);
	ck_assert_int_eq(power(t - 1), 1);
	ck_assert_double_eq_tol(uw, 10e6, 1);
	for (; t < 320; t++, level -= 20e6)
		sm_fuelgauge_add(&g, at(t), level);
	ck_assert_int_eq(power(t - 1), 1);
	ck_assert_double_eq_tol(uw, 20e6, 0.2e6);
}
END_TEST

START_TEST(estimate_until_a_minute_and_three_edges)
{
	double level = 1e11;

	ck_assert_int_eq(power(0), -ENODATA);
	ck_assert_uint_eq(sm_fuelgauge_span_ns(&g), 0);
	for (unsigned int t = 0; t <= 120; t++, level -= 12e6) {
		sm_fuelgauge_add(&g, at(t), level);
		/* edges at 1, 2, 3 ... */
		if (t < 2)
			ck_assert_int_eq(power(t), -ENODATA);
		else
			ck_assert_int_eq(power(t), t >= 61);
		if (t < 2)
			continue;
		ck_assert_double_eq_tol(uw, 12e6, 1);
		ck_assert_uint_eq(sm_fuelgauge_span_ns(&g), at(t - 1));
	}
	/* a minute, but two edges */
	setup();
	sm_fuelgauge_add(&g, at(0), 3000e6);
	sm_fuelgauge_add(&g, at(1), 2000e6);
	sm_fuelgauge_add(&g, at(81), 1000e6);
	ck_assert_int_eq(power(81), 0);
	ck_assert_double_eq_tol(uw, 12.5e6, 1);
	sm_fuelgauge_add(&g, at(161), 0);
	ck_assert_int_eq(power(161), 1);
	ck_assert_double_eq_tol(uw, 12.5e6, 1);
}
END_TEST

START_TEST(readings_without_an_edge_change_nothing)
{
	for (unsigned int t = 0; t <= 150; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 360e6 * ((t + 10) / 30));
	ck_assert_uint_eq(g.edges, 5); /* 20, 50, 80, 110, 140 */
	ck_assert_int_eq(power(150), 1);
	ck_assert_double_eq_tol(uw, 12e6, 1);
	ck_assert_uint_eq(sm_fuelgauge_span_ns(&g), at(120));
}
END_TEST

/* Three edges of a coarse gauge count at any age. */
START_TEST(coarse_gauge_uses_older_edges)
{
	for (unsigned int t = 0; t <= 1000; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 1800e6 * (t / 180));
	ck_assert_int_eq(power(1000), 1);
	ck_assert_double_eq_tol(uw, 10e6, 1);
	ck_assert_uint_eq(sm_fuelgauge_span_ns(&g), at(360));
}
END_TEST

START_TEST(no_edge_for_long_bounds_the_figure)
{
	double before;

	for (unsigned int t = 0; t <= 121; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 12e6 * t);
	ck_assert_int_eq(power(121), 1);
	ck_assert_int_eq(power(122.5), 1);
	ck_assert_double_eq_tol(uw, 12e6, 1);
	before = uw;
	for (unsigned int t = 125; t <= 2400; t += 25) {
		sm_fuelgauge_add(&g, at(t), 1e11 - 12e6 * 121);
		ck_assert_int_eq(power(t), 0);
		ck_assert_double_lt(uw, before);
		before = uw;
	}
	/* 120 s x 12 W and two steps in 2399 s */
	ck_assert_double_eq_tol(uw, 12e6 * 122 / 2399, 1);
}
END_TEST

START_TEST(from_the_start)
{
	double level = 1e11;

	sm_fuelgauge_init(&g, 0);
	for (unsigned int t = 0; t <= 600; t++) {
		sm_fuelgauge_add(&g, at(t), level);
		level -= t < 301 ? 10e6 : 30e6;
		if (t >= 2 && t <= 300) {
			ck_assert_int_eq(power(t), t >= 61);
			ck_assert_double_eq_tol(uw, 10e6, 1);
		}
	}
	/* 300 s at 10 W, 299 s at 30 W: the energy drained, divided by the time */
	ck_assert_int_eq(power(600), 1);
	ck_assert_double_eq_tol(uw, (300 * 10e6 + 299 * 30e6) / 599, 1);
	ck_assert_uint_eq(sm_fuelgauge_span_ns(&g), at(599));
	ck_assert_uint_eq(g.edges, 600);
	ck_assert_uint_eq(g.n, 2);
	sm_fuelgauge_add(&g, at(601), level + 1e9);
	ck_assert_uint_eq(g.jumps_up, 1);
	ck_assert_int_eq(power(601), -ENODATA);
}
END_TEST

/* An hour's window at ten readings a second: 36 000 edges in 512 places. */
START_TEST(a_long_window_is_thinned)
{
	double level = 1e12;

	sm_fuelgauge_init(&g, 3600 * SM_NSEC_PER_SEC);
	for (unsigned int i = 0; i <= 60000; i++) {
		sm_fuelgauge_add(&g, at(i / 10.0), level);
		level -= i < 30000 ? 1e6 : 2e6;
	}
	ck_assert_uint_le(g.n, SM_FUELGAUGE_EDGES);
	ck_assert_uint_gt(g.n, SM_FUELGAUGE_EDGES / 4);
	ck_assert_uint_ge(sm_fuelgauge_span_ns(&g), at(3600));
	ck_assert_uint_le(sm_fuelgauge_span_ns(&g), at(3630));
	ck_assert_int_eq(power(6000), 1);
	/* 10 W for 600 s, 20 W for 3000 s */
	ck_assert_double_gt(uw, 19e6);
	ck_assert_double_lt(uw, 20e6);
	/* the newest edge is always among them */
	ck_assert_uint_eq(
		g.edge[(g.first + g.n - 1) % SM_FUELGAUGE_EDGES].t_ns, at(6000));
}
END_TEST

/* Eight edges at equal distances: their numbers, of those that are kept. */
static void kept_edges(uint64_t distance_ns, const unsigned int *want, unsigned int n)
{
	setup();
	sm_fuelgauge_add(&g, 1, 1e11);
	for (unsigned int i = 1; i <= 8; i++)
		sm_fuelgauge_add(&g, 1 + i * distance_ns, 1e11 - 6e6 * i);
	ck_assert_uint_eq(g.edges, 8);
	ck_assert_uint_eq(g.n, n);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_uint_eq(g.edge[(g.first + i) % SM_FUELGAUGE_EDGES].t_ns,
			1 + want[i] * distance_ns);
}

/* With four edges or more, a new one replaces the last if the one before that is nearer
 * than the spacing: 120 s / 256. */
START_TEST(spacing_of_edges)
{
	static const unsigned int all[] = {1, 2, 3, 4, 5, 6, 7, 8},
				  some[] = {1, 2, 3, 5, 7, 8};
	const uint64_t half = 120 * SM_NSEC_PER_SEC / SM_FUELGAUGE_EDGES;

	kept_edges(half, all, 8);
	kept_edges(half - 1, some, 6);
}
END_TEST

START_TEST(short_windows_are_made_longer)
{
	sm_fuelgauge_init(&g, 1);
	ck_assert_uint_eq(g.window_ns, 120 * SM_NSEC_PER_SEC);
}
END_TEST

START_TEST(what_is_no_reading_is_left_out)
{
	for (unsigned int t = 0; t <= 100; t++) {
		sm_fuelgauge_add(&g, at(t), 1e11 - 12e6 * t);
		sm_fuelgauge_add(&g, at(t), 5);
		sm_fuelgauge_add(&g, at(t / 2.0), 1e12);
		sm_fuelgauge_add(&g, at(t + 0.5), (double)NAN);
		sm_fuelgauge_add(&g, at(t + 0.5), (double)INFINITY);
	}
	ck_assert_uint_eq(g.jumps_up + g.jumps_down, 0);
	ck_assert_uint_eq(g.edges, 100);
	ck_assert_int_eq(power(100), 1);
	ck_assert_double_eq_tol(uw, 12e6, 1);
}
END_TEST

static TCase *gauge(void)
{
	TCase *tc = tcase_create("gauge");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, worked_example);
	tcase_add_test(tc, constant_power);
	tcase_add_test(tc, good_figures_are_within_ten_percent);
	tcase_add_test(tc, changing_power_has_no_bias);
	tcase_add_test(tc, follows_a_step_within_the_window);
	tcase_add_test(tc, estimate_until_a_minute_and_three_edges);
	tcase_add_test(tc, readings_without_an_edge_change_nothing);
	tcase_add_test(tc, coarse_gauge_uses_older_edges);
	tcase_add_test(tc, no_edge_for_long_bounds_the_figure);
	tcase_add_test(tc, from_the_start);
	tcase_add_test(tc, a_long_window_is_thinned);
	tcase_add_test(tc, spacing_of_edges);
	tcase_add_test(tc, short_windows_are_made_longer);
	tcase_add_test(tc, what_is_no_reading_is_left_out);
	return tc;
}

UNIT_MAIN("gauge", gauge)
