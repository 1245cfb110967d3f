// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "powerstat/statrows.h"
#include "powerstat/table.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct ps_opts o;
static struct ps_table t;
static struct ps_stats s;
static struct sm_thermal_zone zones[1];
static struct sm_thermal thermal;
static struct power_domain domains[1];
static double values[64];
static struct ps_sample sample;

static void setup(void)
{
	memset(zones, 0, sizeof(zones));
	memset(values, 0, sizeof(values));
	strcpy(zones[0].label, "z");
	thermal = (struct sm_thermal){zones, 1};
	domains[0] = (struct power_domain){.label = "BAT0"};
	o = ps_opts_default;
	o.thermal = o.freq = o.domains = o.joules = true;
	sample = (struct ps_sample){.dt_ns = SEC, .v = values};
	ck_assert_int_eq(
		ps_table_init(&t, &o, domains, 1, &thermal, true, false, true), 0);
	ck_assert_int_eq(ps_stats_init(&s, &t, true), 0);
}

static void teardown(void)
{
	ps_stats_fini(&s);
	ps_table_fini(&t);
}

static void add(double watts, enum ps_kind kind)
{
	values[PS_WATTS] = watts;
	sample.energy_ns = sample.dt_ns;
	values[PS_JOULES] = watts * (double)sample.dt_ns / 1e9;
	values[t.domain0] = watts;
	sample.kind = kind;
	ps_stats_add(&s, &t, &sample);
}

static double get(enum ps_stat what)
{
	return ps_stats_get(&s, PS_WATTS, what);
}

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

START_TEST(known_values)
{
	add(2, PS_MEASURED);
	add(8, PS_MEASURED);
	NEAR(get(PS_STAT_AVERAGE), 5);
	NEAR(get(PS_STAT_GEOMEAN), 4);
	NEAR(get(PS_STAT_STDDEV), 3);
	NEAR(get(PS_STAT_MIN), 2);
	NEAR(get(PS_STAT_MAX), 8);
	ck_assert_uint_eq(s.samples, 2);
	ck_assert_uint_eq(s.span_ns, 2 * SEC);
}
END_TEST

START_TEST(nothing_yet)
{
	for (int i = 0; i < PS_STATS; i++)
		ck_assert(isnan(get((enum ps_stat)i)));
	ck_assert(isnan(ps_stats_estimate_w(&s)));
}
END_TEST

START_TEST(zero_and_negative)
{
	add(0, PS_MEASURED);
	add(8, PS_MEASURED);
	NEAR(get(PS_STAT_GEOMEAN), 0);
	add(-1, PS_MEASURED);
	ck_assert(isnan(get(PS_STAT_GEOMEAN)));
	NEAR(get(PS_STAT_MIN), -1);
}
END_TEST

/* The deviation is of the valid rows: 0.07 was the original's for 0.141. */
START_TEST(estimates_are_no_samples)
{
	for (int i = 0; i < 6; i++)
		add(100, PS_ESTIMATE);
	add(12.0, PS_LEVEL);
	add(12.2, PS_LEVEL);
	add(NAN, PS_ABSENT);
	ck_assert_uint_eq(s.col[PS_WATTS].n, 2);
	ck_assert_uint_eq(s.col[t.domain0].n, 2);
	ck_assert_uint_eq(s.col[PS_USER].n, 9);
	NEAR(get(PS_STAT_AVERAGE), 12.1);
	NEAR(get(PS_STAT_STDDEV), 0.1);
	ck_assert_uint_eq(s.kinds[PS_ESTIMATE], 6);
	ck_assert_uint_eq(s.kinds[PS_LEVEL], 2);
	ck_assert_uint_eq(s.kinds[PS_ABSENT], 1);
}
END_TEST

START_TEST(infinity_is_no_value)
{
	add(INFINITY, PS_MEASURED);
	ck_assert_uint_eq(s.col[PS_WATTS].n, 0);
	ck_assert_uint_eq(s.kinds[PS_ABSENT], 1);
}
END_TEST

START_TEST(energy_by_true_time)
{
	uint64_t covered_ns;

	add(10, PS_MEASURED);
	sample.dt_ns = 3 * SEC;
	add(20, PS_MEASURED);
	add(NAN, PS_ABSENT);
	NEAR(ps_stats_joules(&s, &covered_ns), 70);
	ck_assert_uint_eq(covered_ns, 4 * SEC);
	ck_assert_uint_eq(s.span_ns, 7 * SEC);
}
END_TEST

/* After a reading that failed the figure is of more than its row's interval; a counter
 * that began anew is of less. */
START_TEST(energy_of_other_times_than_the_rows)
{
	uint64_t covered_ns;

	add(20, PS_MEASURED);
	add(NAN, PS_ABSENT);
	values[PS_WATTS] = 20;
	values[PS_JOULES] = 40;
	sample.kind = PS_MEASURED;
	sample.energy_ns = 2 * SEC;
	ps_stats_add(&s, &t, &sample);
	NEAR(ps_stats_joules(&s, &covered_ns), 60);
	ck_assert_uint_eq(covered_ns, 3 * SEC);
	values[PS_JOULES] = 5;
	sample.energy_ns = SEC / 4;
	ps_stats_add(&s, &t, &sample);
	NEAR(ps_stats_joules(&s, &covered_ns), 65);
	ck_assert_uint_eq(covered_ns, 3 * SEC + SEC / 4);
	ck_assert_uint_eq(s.span_ns, 4 * SEC);
}
END_TEST

/* The last slope covers the run; where the window is shorter the mean is better. */
START_TEST(estimate_of_the_run)
{
	sample.window_ns = SEC;
	add(30, PS_ESTIMATE);
	sample.window_ns = 2 * SEC;
	add(15, PS_ESTIMATE);
	NEAR(ps_stats_estimate_w(&s), 15);
	sample.window_ns = SEC / 2;
	add(15, PS_ESTIMATE);
	NEAR(ps_stats_estimate_w(&s), 20);
}
END_TEST

static void add_part(double watts, bool incomplete, bool missing)
{
	sample.incomplete = incomplete;
	sample.missing = missing;
	add(watts, PS_MEASURED);
}

/* Dram never readable: figures are of the package, and so are the statistics; where even
 * of that something was missing, it is not like the others. */
START_TEST(none_is_whole)
{
	add_part(10, true, true);
	NEAR(get(PS_STAT_MAX), 10);
	add_part(20, true, true);
	NEAR(get(PS_STAT_AVERAGE), 15);
	ck_assert_uint_eq(s.hist[PS_HIST_POWER].n, 2);
	add_part(40, true, false);
	add_part(10, true, true);
	add_part(42, true, false);
	NEAR(get(PS_STAT_AVERAGE), 41);
	NEAR(get(PS_STAT_MIN), 40);
	ck_assert_uint_eq(s.col[PS_JOULES].n, 2);
	ck_assert_uint_eq(s.hist[PS_HIST_POWER].n, 2);
	ck_assert_int_eq(s.hist[PS_HIST_POWER].min, 40000000);
	ck_assert_uint_eq(s.col[t.domain0].n, 5);
	ck_assert_uint_eq(s.col[PS_USER].n, 5);
	ck_assert_uint_eq(s.incomplete, 5);
}
END_TEST

/* From the first whole sample on the statistics are of whole ones. */
START_TEST(whole_ones_first)
{
	add_part(10, true, true);
	add_part(NAN, false, false);
	NEAR(get(PS_STAT_AVERAGE), 10);
	add_part(13, false, false);
	add_part(10, true, false);
	add_part(10, true, true);
	add_part(15, false, false);
	NEAR(get(PS_STAT_AVERAGE), 14);
	NEAR(get(PS_STAT_STDDEV), 1);
	ck_assert_uint_eq(s.hist[PS_HIST_POWER].n, 2);
	add(99, PS_ESTIMATE);
	NEAR(get(PS_STAT_MAX), 15);
}
END_TEST

START_TEST(losses)
{
	sample.events_lost = 3;
	sample.incomplete = true;
	add(1, PS_MEASURED);
	add(1, PS_MEASURED);
	ck_assert_uint_eq(s.events_lost, 6);
	ck_assert_uint_eq(s.incomplete, 2);
}
END_TEST

START_TEST(histograms)
{
	values[PS_IDLE] = 40;
	values[t.freq0] = 1652000.25;
	values[t.thermal0] = -8.5;
	add(12.5, PS_MEASURED);
	add(99, PS_ESTIMATE);
	add(NAN, PS_ABSENT);
	ck_assert_uint_eq(s.nhist, 4);
	ck_assert_uint_eq(s.hist[PS_HIST_POWER].n, 1);
	ck_assert_int_eq(s.hist[PS_HIST_POWER].max, 12500000);
	ck_assert_uint_eq(s.hist[PS_HIST_CPU].n, 3);
	ck_assert_int_eq(s.hist[PS_HIST_CPU].min, 60000000);
	ck_assert_int_eq(s.hist[PS_HIST_FREQ].max, 1652000250);
	ck_assert_int_eq(s.hist[PS_HIST_THERMAL0].min, -8500);
}
END_TEST

/* sysfs can say what it likes. */
START_TEST(absurd_values)
{
	values[t.freq0] = 1.8e19;
	values[t.thermal0] = -1.7e308;
	add(1e300, PS_MEASURED);
	ck_assert_uint_eq(s.hist[PS_HIST_POWER].n, 0);
	ck_assert_uint_eq(s.hist[PS_HIST_FREQ].n, 0);
	ck_assert_uint_eq(s.hist[PS_HIST_THERMAL0].n, 0);
	NEAR(get(PS_STAT_MAX) / 1e300, 1);
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
	tcase_add_test(tc, energy_of_other_times_than_the_rows);
	tcase_add_test(tc, estimate_of_the_run);
	tcase_add_test(tc, none_is_whole);
	tcase_add_test(tc, whole_ones_first);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, histograms);
	tcase_add_test(tc, absurd_values);
	return tc;
}

UNIT_MAIN("ps_statrows", tc_statrows)
