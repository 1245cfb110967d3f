// SPDX-License-Identifier: GPL-2.0-or-later
/* Steps of the gauge that are corrections, and steps of the load. */
#include <errno.h>

#include "fuelgauge_rig.h"

START_TEST(jump_up_restarts)
{
	double level = 1e11, t;

	for (t = 0; t <= 100; t++, level -= 12e6)
		sm_fuelgauge_add(&g, at(t), level);
	ck_assert_int_eq(power(100), 1);
	level += 1080e6; /* 0.3 Wh */
	sm_fuelgauge_add(&g, at(101), level);
	ck_assert_uint_eq(g.jumps_up, 1);
	ck_assert_int_eq(power(101), -ENODATA);
	for (t = 102; t <= 200; t++) {
		sm_fuelgauge_add(&g, at(t), level -= 12e6);
		if (t < 103)
			continue;
		ck_assert_int_eq(power(t), t >= 162);
		ck_assert_double_eq_tol(uw, 12e6, 1);
	}
	ck_assert_uint_eq(g.jumps_up, 1);
	ck_assert_uint_eq(g.jumps_down, 0);
}
END_TEST

START_TEST(absurd_fall_restarts)
{
	sm_fuelgauge_add(&g, at(0), 1e11);
	for (unsigned int t = 1; t <= 100; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 12e6 * t);
	/* another battery: 20 Wh less within a second */
	for (unsigned int t = 101; t <= 180; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 72e9 - 12e6 * t);
	ck_assert_uint_eq(g.jumps_down, 1);
	ck_assert_int_eq(power(180), 1);
	ck_assert_double_eq_tol(uw, 12e6, 1);
	/* but a coarse gauge falls by a percent at once */
	setup();
	for (unsigned int t = 0; t <= 400; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 1800e6 * ((t + 89) / 90));
	ck_assert_uint_eq(g.jumps_down, 0);
	ck_assert_int_eq(power(400), 1);
	ck_assert_double_eq_tol(uw, 20e6, 1);
}
END_TEST

/* A downward correction is no power, neither while it is asked about nor later. */
START_TEST(correction_downwards_is_no_power)
{
	static const struct sim t[] = {
		{.step_uwh = 10000, .update_s = 1, .watts = 11.4, .drop_uwh = 300000},
		{.step_uwh = 10000, .update_s = 1, .watts = 11.4, .drop_uwh = 50000},
		{.step_uwh = 1000, .update_s = 1, .watts = 11.4, .drop_uwh = 50000},
		{.step_uwh = 1000, .update_s = 1, .watts = 5, .drop_uwh = 30000},
		{.step_uwh = 10000, .update_s = 1, .watts = 30, .drop_uwh = 200000},
		{.step_uwh = 1000, .update_s = 30, .watts = 11.4, .drop_uwh = 500000},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		for (unsigned int phase = 0; phase < 40; phase += one_in(9)) {
			struct sim s = t[i];
			unsigned int good = 0;

			s.read_s = 1;
			s.phase_s = 0.001;
			s.drop_s = 200 + phase * 0.17;
			setup();
			for (double at_s = 0; at_s <= 450; at_s++) {
				int is_good;

				sm_fuelgauge_add(&g, at(at_s), shown_uj(&s, at_s));
				is_good = power(at_s);
				if (is_good != 1)
					continue;
				good += at_s > 300;
				ck_assert_msg(fabs(uw / 1e6 / s.watts - 1) < 0.06,
					"%zu: %g W at %g s", i, uw / 1e6, at_s);
			}
			ck_assert_uint_eq(g.jumps_down, 1);
			ck_assert_uint_ge(good, 90);
		}
}
END_TEST

/* While it is asked about: the figure of before, as an estimate. */
static void suspect_step(uint64_t window_ns)
{
	double level = 1e11, t;

	sm_fuelgauge_init(&g, window_ns);
	for (t = 0; t <= 150; t++)
		sm_fuelgauge_add(&g, at(t), level -= 12e6);
	ck_assert_int_eq(power(150), 1);
	for (; t <= 152; t++) {
		sm_fuelgauge_add(&g, at(t), level -= t < 152 ? 480e6 : 12e6);
		ck_assert_int_eq(power(t), 0);
		ck_assert_double_eq_tol(uw, 12e6, 1);
		ck_assert_uint_eq(g.jumps_down, 0);
	}
	for (; t <= 250; t++) {
		sm_fuelgauge_add(&g, at(t), level -= 12e6);
		ck_assert_uint_eq(g.jumps_down, 1);
		ck_assert_int_eq(power(t), t >= 212);
		ck_assert_double_eq_tol(uw, 12e6, 1);
	}
}

START_TEST(suspect_step_is_an_estimate)
{
	suspect_step(120 * SM_NSEC_PER_SEC);
	suspect_step(0);
	/* and when no more edges come the bound knows of what is held back */
	setup();
	for (unsigned int t = 0; t <= 150; t++)
		sm_fuelgauge_add(&g, at(t), 1e11 - 12e6 * t);
	sm_fuelgauge_add(&g, at(151), 1e11 - 12e6 * 151 - 480e6);
	ck_assert_int_eq(power(750), 0);
	/* 121 s of 12 W and the step, and two of 120 steps more, in 720 s */
	ck_assert_double_eq_tol(uw, (121 * 12e6 + 480e6) * 122 / 120 / 720, 1);
}
END_TEST

/* Twelve times the power is power: nothing is left out of it. */
START_TEST(follows_a_large_load_step)
{
	static const struct {
		double step_uwh, update_s, before_s;
	} t[] = {{1000, 1, 200}, {1000, 1, 20}, {1000, 2, 200}, {1000, 5, 200},
		{10000, 1, 200}, {10000, 0.001, 200}, {1000, 30, 300}, {10000, 30, 300}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		for (unsigned int phase = 0; phase < 40; phase += one_in(9)) {
			struct sim s = {.step_uwh = t[i].step_uwh,
				.update_s = t[i].update_s,
				.phase_s = t[i].update_s * phase / 40};
			double step = s.step_uwh * UWH_UJ, now = 0;
			double end = t[i].before_s + 121 + 2 * s.update_s;

			setup();
			for (; now <= end; now++) {
				double looked =
					fmax(0, floor((now - s.phase_s) / s.update_s) *
								s.update_s +
							s.phase_s);
				double left = 1e11 - 5e6 * looked -
					      55e6 * fmax(0, looked - t[i].before_s);

				sm_fuelgauge_add(&g, at(now), floor(left / step) * step);
			}
			ck_assert_uint_eq(g.jumps_down, 0);
			ck_assert_int_eq(power(now - 1), 1);
			ck_assert_msg(
				fabs(uw / 60e6 - 1) < 0.02, "%zu: %g W", i, uw / 1e6);
		}
}
END_TEST

/* A burst of a second each half minute: after the first one they are known as power. */
START_TEST(bursts_are_power)
{
	double level = 1e11, sum = 0;
	unsigned int n = 0;

	for (unsigned int t = 0; t <= 1200; t++) {
		sm_fuelgauge_add(&g, at(t), level);
		level -= t % 30 == 29 ? 100e6 : 5e6;
		if (t < 300)
			continue;
		ck_assert_int_eq(power(t), 1);
		sum += uw / 1e6;
		n++;
	}
	ck_assert_uint_eq(g.jumps_down, 1);
	ck_assert_double_eq_tol(sum / n, (29 * 5 + 100) / 30.0, 0.1);
}
END_TEST

static TCase *gauge(void)
{
	TCase *tc = tcase_create("gauge");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, jump_up_restarts);
	tcase_add_test(tc, absurd_fall_restarts);
	tcase_add_test(tc, correction_downwards_is_no_power);
	tcase_add_test(tc, suspect_step_is_an_estimate);
	tcase_add_test(tc, follows_a_large_load_step);
	tcase_add_test(tc, bursts_are_power);
	return tc;
}

UNIT_MAIN("gauge jumps", gauge)
