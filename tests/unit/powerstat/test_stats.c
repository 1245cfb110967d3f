// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "powerstat/stats.h"
#include "powerstat/columns.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct opts o;
static struct columns t;
static struct stats s;
static struct sm_thermal_zone zones[1];
static struct sm_thermal thermal;
static struct sm_source_domain domains[1];
static struct sm_source power = {.domain = domains, .n = 1};
static double values[64];
static struct sample sample;

static void setup(void)
{
	memset(zones, 0, sizeof(zones));
	memset(values, 0, sizeof(values));
	strcpy(zones[0].label, "z");
	thermal = (struct sm_thermal){.zone = zones, .n = 1};
	domains[0] = (struct sm_source_domain){.label = "BAT0"};
	o = opts_default;
	o.thermal = o.freq = o.domains = o.joules = true;
	sample = (struct sample){.dt_ns = SEC, .v = values, .power = &power};
	ck_assert_int_eq(columns_init(&t, &o, &power, &thermal,
				 (struct columns_have){
					 .freq = true, .throttle = true, .events = true}),
		0);
	ck_assert_int_eq(stats_init(&s, &t, true), 0);
}

static void teardown(void)
{
	stats_fini(&s);
	columns_fini(&t);
}

static void add(double watts, enum sm_figure kind)
{
	values[V_WATTS] = watts;
	sample.energy_ns = domains[0].of_ns = sample.dt_ns;
	values[V_JOULES] = watts * (double)sample.dt_ns / 1e9;
	values[t.domain0] = watts;
	sample.kind = kind;
	stats_add(&s, &t, &sample);
}

static double get(enum stat_kind what)
{
	return stats_get(&s, V_WATTS, what);
}

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

START_TEST(known_values)
{
	add(2, SM_FIGURE_MEASURED);
	add(8, SM_FIGURE_MEASURED);
	NEAR(get(STAT_AVERAGE), 5);
	NEAR(get(STAT_GEOMEAN), 4);
	NEAR(get(STAT_STDDEV), 3);
	NEAR(get(STAT_MIN), 2);
	NEAR(get(STAT_MAX), 8);
	ck_assert_uint_eq(s.samples, 2);
	ck_assert_uint_eq(s.span_ns, 2 * SEC);
}
END_TEST

START_TEST(nothing_yet)
{
	for (int i = 0; i < STATS; i++)
		ck_assert(isnan(get((enum stat_kind)i)));
	ck_assert(isnan(stats_estimate_w(&s)));
}
END_TEST

START_TEST(zero_and_negative)
{
	add(0, SM_FIGURE_MEASURED);
	add(8, SM_FIGURE_MEASURED);
	NEAR(get(STAT_GEOMEAN), 0);
	add(-1, SM_FIGURE_MEASURED);
	ck_assert(isnan(get(STAT_GEOMEAN)));
	NEAR(get(STAT_MIN), -1);
}
END_TEST

/* The deviation is of the valid rows: 0.07 was the original's for 0.141. */
START_TEST(estimates_are_no_samples)
{
	for (int i = 0; i < 6; i++)
		add(100, SM_FIGURE_ESTIMATE);
	add(12.0, SM_FIGURE_LEVEL);
	add(12.2, SM_FIGURE_LEVEL);
	add(NAN, SM_FIGURE_ABSENT);
	ck_assert_uint_eq(s.col[V_WATTS].n, 2);
	ck_assert_uint_eq(s.col[t.domain0].n, 2);
	ck_assert_uint_eq(s.col[V_USER].n, 9);
	NEAR(get(STAT_AVERAGE), 12.1);
	NEAR(get(STAT_STDDEV), 0.1);
	ck_assert_uint_eq(s.kinds[SM_FIGURE_ESTIMATE], 6);
	ck_assert_uint_eq(s.kinds[SM_FIGURE_LEVEL], 2);
	ck_assert_uint_eq(s.kinds[SM_FIGURE_ABSENT], 1);
}
END_TEST

START_TEST(infinity_is_no_value)
{
	add(INFINITY, SM_FIGURE_MEASURED);
	ck_assert_uint_eq(s.col[V_WATTS].n, 0);
	ck_assert_uint_eq(s.kinds[SM_FIGURE_ABSENT], 1);
}
END_TEST

START_TEST(energy_by_true_time)
{
	uint64_t covered_ns;

	add(10, SM_FIGURE_MEASURED);
	sample.dt_ns = 3 * SEC;
	add(20, SM_FIGURE_MEASURED);
	add(NAN, SM_FIGURE_ABSENT);
	NEAR(stats_joules(&s, &covered_ns), 70);
	ck_assert_uint_eq(covered_ns, 4 * SEC);
	ck_assert_uint_eq(s.span_ns, 7 * SEC);
}
END_TEST

/* 12 W for 3 s, and a rest of 30 ms with 150 W before the end of COMMAND. */
START_TEST(weighted_by_time)
{
	uint64_t covered_ns;
	double joules;

	for (int i = 0; i < 3; i++)
		add(12, SM_FIGURE_MEASURED);
	sample.dt_ns = 30 * SM_NSEC_PER_MSEC;
	sample.partial = true;
	values[V_USER] = 100;
	add(150, SM_FIGURE_MEASURED);
	joules = stats_joules(&s, &covered_ns);
	NEAR(joules, 40.5);
	ck_assert_uint_eq(covered_ns, 3 * SEC + 30 * SM_NSEC_PER_MSEC);
	NEAR(get(STAT_AVERAGE), joules / 3.03);
	NEAR(stats_get(&s, t.domain0, STAT_AVERAGE), joules / 3.03);
	NEAR(stats_get(&s, V_USER, STAT_AVERAGE), 3 / 3.03);
	NEAR(get(STAT_MAX), 12);
	NEAR(stats_get(&s, V_USER, STAT_MAX), 0);
	ck_assert_uint_eq(s.col[V_WATTS].n, 4);
}
END_TEST

/* 6 W, a glitch of 70 J that two later readings refute; the last figure is of all of the
 * time. */
START_TEST(retracted)
{
	uint64_t covered_ns;

	add(6, SM_FIGURE_MEASURED);
	add(76, SM_FIGURE_MEASURED);
	add(NAN, SM_FIGURE_ABSENT);
	sample.retracted_j = 76;
	domains[0].retracted_uj = 76e6;
	values[V_WATTS] = values[t.domain0] = 6;
	values[V_JOULES] = 18;
	sample.kind = SM_FIGURE_MEASURED;
	sample.energy_ns = 2 * SEC;
	domains[0].of_ns = 3 * SEC;
	stats_add(&s, &t, &sample);
	NEAR(get(STAT_AVERAGE), 6);
	NEAR(get(STAT_MAX), 6);
	NEAR(s.col[V_WATTS].weight, 4e9);
	NEAR(stats_get(&s, t.domain0, STAT_MAX), 6);
	NEAR(stats_joules(&s, &covered_ns), 24);
	ck_assert_uint_eq(covered_ns, 4 * SEC);
	ck_assert_uint_eq(s.col[V_JOULES].n, 2);
	stats_end(&s);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 2);
	ck_assert_int_eq(s.hist[HIST_POWER].max, 6000000);
	NEAR(s.col[t.domain0].weight, 4e9);
}
END_TEST

/* The sample that replaces a wrong figure of 76 W. */
static void retract_76(double watts, double joules)
{
	sample.retracted_j = 76;
	domains[0].retracted_uj = 76e6;
	values[V_WATTS] = values[t.domain0] = watts;
	values[V_JOULES] = joules;
	sample.kind = isfinite(watts) ? SM_FIGURE_MEASURED : SM_FIGURE_ABSENT;
	sample.energy_ns = 2 * SEC;
	domains[0].of_ns = 3 * SEC;
}

static void later(void)
{
	sample.retracted_j = domains[0].retracted_uj = 0;
	add(6, SM_FIGURE_MEASURED);
	NEAR(get(STAT_AVERAGE), 6);
	NEAR(get(STAT_MAX), 6);
	NEAR(stats_get(&s, t.domain0, STAT_MAX), 6);
	stats_end(&s);
	ck_assert_int_eq(s.hist[HIST_POWER].max, 6000000);
}

/* -b, -p discard the sample that retracts: the wrong second leaves with its energy. */
START_TEST(retracted_by_a_discarded_sample)
{
	uint64_t covered_ns;

	add(6, SM_FIGURE_MEASURED);
	add(76, SM_FIGURE_MEASURED);
	retract_76(6, 18);
	stats_discard(&s, &t, &sample);
	NEAR(stats_joules(&s, &covered_ns), 6);
	ck_assert_uint_eq(covered_ns, SEC);
	ck_assert_uint_eq(s.samples, 2);
	later();
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 2);
}
END_TEST

/* The wrong figure itself was discarded: good ones stay. */
START_TEST(discarded_and_retracted)
{
	add(6, SM_FIGURE_MEASURED);
	values[V_WATTS] = values[t.domain0] = 76;
	stats_discard(&s, &t, &sample);
	retract_76(6, 12);
	sample.retracted_j = 0; /* as the pipeline passes it on */
	stats_add(&s, &t, &sample);
	ck_assert_uint_eq(s.col[V_WATTS].n, 2);
	ck_assert_uint_eq(s.col[t.domain0].n, 2);
	later();
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 3);
}
END_TEST

/* The other package of the total has no figure when the first one's is retracted. */
START_TEST(retracted_by_a_part)
{
	uint64_t covered_ns;

	add(6, SM_FIGURE_MEASURED);
	add(76, SM_FIGURE_MEASURED);
	retract_76(3, 9);
	sample.missing = true;
	stats_add(&s, &t, &sample);
	NEAR(get(STAT_MAX), 6);
	ck_assert_uint_eq(s.col[V_WATTS].n, 1);
	NEAR(stats_joules(&s, &covered_ns), 15);
	sample.missing = false;
	values[t.domain0] = NAN;
	later();
}
END_TEST

/* After a reading that failed the figure is of more than its row's interval; a counter
 * that began anew is of less. */
START_TEST(energy_of_other_times_than_the_rows)
{
	uint64_t covered_ns;

	add(20, SM_FIGURE_MEASURED);
	add(NAN, SM_FIGURE_ABSENT);
	values[V_WATTS] = 20;
	values[V_JOULES] = 40;
	sample.kind = SM_FIGURE_MEASURED;
	sample.energy_ns = 2 * SEC;
	stats_add(&s, &t, &sample);
	NEAR(stats_joules(&s, &covered_ns), 60);
	ck_assert_uint_eq(covered_ns, 3 * SEC);
	values[V_JOULES] = 5;
	sample.energy_ns = SEC / 4;
	stats_add(&s, &t, &sample);
	NEAR(stats_joules(&s, &covered_ns), 65);
	ck_assert_uint_eq(covered_ns, 3 * SEC + SEC / 4);
	ck_assert_uint_eq(s.span_ns, 4 * SEC);
}
END_TEST

/* The last slope covers the run; where the window is shorter the mean is better. */
START_TEST(estimate_of_the_run)
{
	sample.window_ns = SEC;
	add(30, SM_FIGURE_ESTIMATE);
	sample.window_ns = 2 * SEC;
	add(15, SM_FIGURE_ESTIMATE);
	NEAR(stats_estimate_w(&s), 15);
	sample.window_ns = SEC / 2;
	add(15, SM_FIGURE_ESTIMATE);
	NEAR(stats_estimate_w(&s), 20);
}
END_TEST

static void add_part(double watts, bool incomplete, bool missing)
{
	sample.incomplete = incomplete;
	sample.missing = missing;
	add(watts, SM_FIGURE_MEASURED);
}

/* Dram never readable: figures are of the package, and so are the statistics; where even
 * of that something was missing, it is not like the others. */
START_TEST(none_is_whole)
{
	add_part(10, true, true);
	NEAR(get(STAT_MAX), 10);
	add_part(20, true, true);
	NEAR(get(STAT_AVERAGE), 15);
	stats_end(&s);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 2);
	add_part(40, true, false);
	add_part(10, true, true);
	add_part(42, true, false);
	NEAR(get(STAT_AVERAGE), 41);
	NEAR(get(STAT_MIN), 40);
	ck_assert_uint_eq(s.col[V_JOULES].n, 2);
	stats_end(&s);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 2);
	ck_assert_int_eq(s.hist[HIST_POWER].min, 40000000);
	ck_assert_uint_eq(s.col[t.domain0].n, 5);
	ck_assert_uint_eq(s.col[V_USER].n, 5);
	ck_assert_uint_eq(s.incomplete, 5);
}
END_TEST

/* From the first whole sample on the statistics are of whole ones. */
START_TEST(whole_ones_first)
{
	add_part(10, true, true);
	add_part(NAN, false, false);
	NEAR(get(STAT_AVERAGE), 10);
	add_part(13, false, false);
	add_part(10, true, false);
	add_part(10, true, true);
	add_part(15, false, false);
	NEAR(get(STAT_AVERAGE), 14);
	NEAR(get(STAT_STDDEV), 1);
	stats_end(&s);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 2);
	add(99, SM_FIGURE_ESTIMATE);
	NEAR(get(STAT_MAX), 15);
}
END_TEST

START_TEST(losses)
{
	sample.events_lost = 3;
	sample.incomplete = true;
	add(1, SM_FIGURE_MEASURED);
	add(1, SM_FIGURE_MEASURED);
	ck_assert_uint_eq(s.events_lost, 6);
	ck_assert_uint_eq(s.incomplete, 2);
}
END_TEST

START_TEST(histograms)
{
	values[V_IDLE] = 40;
	values[t.freq0] = 1652000.25;
	values[t.thermal0] = -8.5;
	add(12.5, SM_FIGURE_MEASURED);
	add(99, SM_FIGURE_ESTIMATE);
	add(NAN, SM_FIGURE_ABSENT);
	stats_end(&s);
	ck_assert_uint_eq(s.nhist, 4);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 1);
	ck_assert_int_eq(s.hist[HIST_POWER].max, 12500000);
	ck_assert_uint_eq(s.hist[HIST_CPU].n, 3);
	ck_assert_int_eq(s.hist[HIST_CPU].min, 60000000);
	ck_assert_int_eq(s.hist[HIST_FREQ].max, 1652000250);
	ck_assert_int_eq(s.hist[HIST_THERMAL0].min, -8500);
}
END_TEST

/* sysfs can say what it likes. */
START_TEST(absurd_values)
{
	values[t.freq0] = 1.8e19;
	values[t.thermal0] = -1.7e308;
	add(1e300, SM_FIGURE_MEASURED);
	ck_assert_uint_eq(s.hist[HIST_POWER].n, 0);
	ck_assert_uint_eq(s.hist[HIST_FREQ].n, 0);
	ck_assert_uint_eq(s.hist[HIST_THERMAL0].n, 0);
	NEAR(get(STAT_MAX) / 1e300, 1);
}
END_TEST

static TCase *tc_statrows(void)
{
	TCase *tc = tcase_create("statrows");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, known_values);
	tcase_add_test(tc, nothing_yet);
	tcase_add_test(tc, zero_and_negative);
	tcase_add_test(tc, estimates_are_no_samples);
	tcase_add_test(tc, infinity_is_no_value);
	tcase_add_test(tc, energy_by_true_time);
	tcase_add_test(tc, weighted_by_time);
	tcase_add_test(tc, retracted);
	tcase_add_test(tc, retracted_by_a_discarded_sample);
	tcase_add_test(tc, discarded_and_retracted);
	tcase_add_test(tc, retracted_by_a_part);
	tcase_add_test(tc, energy_of_other_times_than_the_rows);
	tcase_add_test(tc, estimate_of_the_run);
	tcase_add_test(tc, none_is_whole);
	tcase_add_test(tc, whole_ones_first);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, histograms);
	tcase_add_test(tc, absurd_values);
	return tc;
}

UNIT_MAIN("statrows", tc_statrows)
