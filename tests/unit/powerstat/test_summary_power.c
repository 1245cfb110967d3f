// SPDX-License-Identifier: GPL-2.0-or-later
/* Power in the report at the end. */
#include "powerstat_summary_rig.h"

START_TEST(rapl)
{
	begin_run();
	show();
	power.n = 3;
	finish();
	ck_assert(
		printed("\nSummary:\n"
			"CPU:  28.51 Watts on average with standard deviation 0.00\n"
			"Note: power read from RAPL domains: pkg-0.\n"
			"Note: not added: core (inside a package).\n"
			"Note: not added: psys (excluded by --total).\n"
			"These readings do not cover all the hardware in this device.\n"
			"Note: power measured by an energy counter or a power meter.\n"));
	ck_assert(!printed("Joules"));
	ck_assert(!printed("C-State"));
	ck_assert(!printed("istogram"));
}
END_TEST

START_TEST(psys_covers_the_platform)
{
	power.want.total = SM_RAPL_TOTAL_PSYS;
	begin_run();
	show();
	finish();
	ck_assert(printed("\nSystem:  28.51 Watts on average"));
	ck_assert(!printed("do not cover"));
}
END_TEST

START_TEST(counter_troubles)
{
	rapl_zones[0].sums.glitches = 2;
	rapl_zones[1].sums.glitches = 1;
	rapl_zones[1].sums.rebased = 1;
	begin_run();
	show();
	finish();
	ck_assert(
		printed("Note: energy counters: implausible readings 3, restarts 1.\n"));
}
END_TEST

START_TEST(all_estimates)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0].label = "BAT0\033";
	begin_run();
	sample.kind = SM_FIGURE_ESTIMATE;
	sample.window_ns = 50 * SEC;
	values[V_WATTS] = values[V_JOULES] = 30;
	show();
	values[V_WATTS] = values[V_JOULES] = 15.12;
	show();
	finish();
	ck_assert(
		printed(" Average  84.6   0.0   9.1   6.3   0.0  3.0 6279.0 1022.0 51.0 "
			"45.0 26.0      -\n"));
	ck_assert(printed(
		"System:  15.12 Watts on average, an estimate over the whole run\n"
		"Note: power read from batteries: BAT0\\x1b.\n"
		"Note: not added: core.\n"
		"Note: Power calculated from battery capacity drain, may not be "
		"accurate (last window: 50.0 seconds).\n"));
	ck_assert(has(json_path, "\"watts_average\":15.120000,"
				 "\"estimate\":true,\"joules\":45.120000,"
				 "\"joules_of_s\":2.000000000,\"joules_estimated\":"
				 "45.120000,"));
}
END_TEST

START_TEST(some_estimates)
{
	power.kind = SM_SOURCE_BATTERY;
	begin_run();
	sample.kind = SM_FIGURE_ESTIMATE;
	show();
	sample.kind = SM_FIGURE_GAUGE_RATE;
	show();
	finish();
	ck_assert(printed(
		"System:  28.51 Watts on average with standard deviation 0.00\n"));
	ck_assert(printed("Note: power reported by the battery (fuel gauge rate).\n"));
	ck_assert(printed(
		"Note: 1 estimate (marked E), not included in the statistics.\n"));
}
END_TEST

START_TEST(no_power)
{
	run.power = NULL;
	begin_run();
	values[V_WATTS] = NAN;
	sample.kind = SM_FIGURE_ABSENT;
	show();
	finish();
	ck_assert(printed("\nSummary:\nSystem: the power was not measured\n"));
	ck_assert(!printed("0.00 Watts"));
	ck_assert(has(json_path, "\"source\":\"none\",\"estimate\":false,"
				 "\"joules_of_s\":0.000000000,"));
	ck_assert(!has(json_path, "watts_stddev"));
}
END_TEST

START_TEST(a_source_that_is_none)
{
	power.kind = SM_SOURCE_NONE;
	o.hist = true;
	begin_run();
	values[V_WATTS] = NAN;
	sample.kind = SM_FIGURE_ABSENT;
	show();
	finish();
	ck_assert(printed(
		"\nSummary:\nSystem: the power was not measured\n\nRange is zero, "
		"cannot produce histogram of CPU utilization\n"));
}
END_TEST

static void show_without_a_value(void)
{
	values[V_WATTS] = values[V_JOULES] = NAN;
	sample.kind = SM_FIGURE_ABSENT;
	show();
}

START_TEST(a_run_without_a_value)
{
	rapl_zones[0].counter.refused_uw = 4100e6;
	rapl_zones[0].counter.cap_uw = 2000000000;
	begin_run();
	show_without_a_value();
	finish();
	ck_assert(summary_no_figure(&end));
	ck_assert(
		printed("\nCPU: no power value was available: pkg-0 rose by 4100 W, the "
			"limit is 2000 W\n"));
	ck_assert(
		has(json_path, "\"source_lost\":false,\"reason\":\"pkg-0 rose by 4100 W, "
			       "the limit is 2000 W\","));
	ck_assert(!has(json_path, "suspect"));
}
END_TEST

/* A value of one sample, an estimate or a domain's column is a value. */
START_TEST(runs_with_a_value)
{
	o.domains = true;
	begin_run();
	values[table.domain0 + 1] = 3;
	show_without_a_value();
	finish();
	ck_assert(!summary_no_figure(&end));
	ck_assert(printed("\nCPU: no power value was available\n"));
	ck_assert(!has(json_path, "\"reason\""));
}
END_TEST

START_TEST(one_value_is_enough)
{
	begin_run();
	show();
	show_without_a_value();
	finish();
	ck_assert(!summary_no_figure(&end));
}
END_TEST

START_TEST(power_above_the_limit_of_the_zone)
{
	rapl_zones[0].counter.limit_uw = 24000000;
	rapl_zones[0].counter.highest_uw = 500e6;
	begin_run();
	show();
	finish();
	ck_assert(printed(
		"\nNote: pkg-0 rose by up to 500 W, the limit is 24.00 W (4 times "
		"the highest power limit of the zone); the kernel may use a wrong "
		"energy unit.\n"));
	ck_assert(has(json_path, "\"suspect\":\"pkg-0 rose by up to 500 W, the limit is "
				 "24.00 W\","));
}
END_TEST

START_TEST(no_samples)
{
	begin_run();
	finish();
	ck_assert(printed("\nSummary:\nCPU: no power value was available\n"));
	ck_assert(!printed("Average"));
	ck_assert(has(json_path, "{\"type\":\"summary\",\"time\":\"2026-11-21T13:05:59."
				 "123456789Z\",\"samples\":0,\"span_s\":0.000000000,"));
}
END_TEST

/* Plugged in meanwhile, it is still what was measured. */
START_TEST(battery_that_counted)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0] = (struct sm_source_domain){.label = "BAT0",
		.counted = false,
		.was_counted = true,
		.has_power = true};
	begin_run();
	show();
	finish();
	ck_assert(printed("Note: power read from batteries: BAT0.\n"
			  "Note: not added: core.\n"));
	ck_assert(!printed("reports neither"));
}
END_TEST

START_TEST(battery_inserted_later)
{
	power.kind = SM_SOURCE_BATTERY;
	begin_run();
	domains[2] = (struct sm_source_domain){
		.label = "BAT1", .counted = true, .was_counted = true};
	power.all = 3;
	show();
	finish();
	ck_assert(printed("Note: power read from batteries: pkg-0, BAT1.\n"));
	ck_assert(printed("Note: BAT1 reports neither rate nor level.\n"));
}
END_TEST

START_TEST(battery_that_tells_nothing)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0] = (struct sm_source_domain){.label = "BAT0", .was_counted = true};
	begin_run();
	show();
	finish();
	ck_assert(printed("Note: BAT0 reports neither rate nor level.\n"));
}
END_TEST

/* 208.8 J in 29 s are 7.2 W. */
START_TEST(level_that_contradicts_the_rate)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0].was_counted = domains[0].has_power = true;
	domains[0].level = (struct sm_levelcheck){.first_ns = 1 * SEC,
		.last_ns = 30 * SEC,
		.first_uj = 1e9,
		.last_uj = 1e9 - 208.8e6,
		.step_uj = 3.6e6,
		.at_edge = {.n = 29, .weight = 29e9, .mean = 25.6e6}};
	begin_run();
	show();
	finish();
	ck_assert(printed("Note: pkg-0 is not consistent: the level fell at 7.2 W, the "
			  "gauge reports 25.6 W.\n"));
	ck_assert(has(json_path, ",\"level_watts\":7.200000,"));
}
END_TEST

START_TEST(level_that_agrees)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0].was_counted = domains[0].has_power = true;
	domains[0].level = (struct sm_levelcheck){.first_ns = 1 * SEC,
		.last_ns = 30 * SEC,
		.first_uj = 1e9,
		.last_uj = 1e9 - 208.8e6,
		.step_uj = 3.6e6,
		.at_edge = {.n = 29, .weight = 29e9, .mean = 7.9e6}};
	begin_run();
	show();
	finish();
	ck_assert(!printed("not consistent"));
	ck_assert(has(json_path, ",\"level_watts\":7.200000,"));
}
END_TEST

START_TEST(odd_batteries)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0].was_counted = true;
	battery = (struct sm_battery){
		.odd = "voltage", .odd_value = 4006, .odd_unit = "uV"};
	begin_run();
	show();
	finish();
	ck_assert(printed("Note: pkg-0 reports an implausible voltage (4006 uV).\n"));
	ck_assert(!has(json_path, "level_watts"));
}
END_TEST

START_TEST(corrected_batteries)
{
	power.kind = SM_SOURCE_BATTERY;
	domains[0].was_counted = domains[0].has_power = true;
	battery = (struct sm_battery){.mislabelled = true,
		.has_rate = true,
		.rate_of_current = true,
		.voltage_is_design = true,
		.voltage_uv = 7400000};
	begin_run();
	show();
	finish();
	ck_assert(printed(
		"Note: pkg-0 reports a negative rate without a charger: it "
		"discharges, although its status is another.\n"
		"Note: pkg-0 reports no voltage: its power is calculated with the "
		"design voltage, 7.40 V.\n"));
}
END_TEST

/* What went on with a level, a counter, a duplicate zone. */
START_TEST(troubles_of_sources)
{
	power.restarts = 2;
	begin_run();
	sample.kind = SM_FIGURE_LEVEL;
	show();
	finish();
	ck_assert(printed("Note: 2 restarts of an estimate: the level jumped, or the "
			  "battery was charged or replaced.\n"));
}
END_TEST

START_TEST(energy)
{
	o.joules = true;
	begin_run();
	show();
	sample.dt_ns = sample.energy_ns = 3 * SEC;
	values[V_JOULES] = 3 * 28.51;
	show();
	finish();
	ck_assert(printed("\nEnergy: 114.040 Joules in 4.0 seconds\n"));
	ck_assert(has(json_path, "\"joules\":114.040000,\"joules_of_s\":4.000000000,"));
}
END_TEST

START_TEST(energy_of_a_command)
{
	begin_run();
	end.command = true;
	sample.kind = SM_FIGURE_ESTIMATE;
	show();
	finish();
	ck_assert(printed("\nEnergy: 28.510 Joules in 1.0 seconds, an estimate\n"));
}
END_TEST

START_TEST(names)
{
	static const enum sm_source_kind sources[] = {SM_SOURCE_BATTERY, SM_SOURCE_RAPL,
		SM_SOURCE_PERF, SM_SOURCE_HWMON, SM_SOURCE_NONE};
	static const char *const words[] = {"battery", "rapl", "perf", "hwmon", "none"};

	for (unsigned int i = 0; i < 5; i++) {
		power.kind = sources[i];
		ck_assert_str_eq(summary_source(&power), words[i]);
	}
	ck_assert_str_eq(summary_source(NULL), "none");
	ck_assert_str_eq(columns_kind(SM_FIGURE_GAUGE_RATE), "fuel_gauge_rate");
	ck_assert_str_eq(columns_kind(SM_FIGURES), "absent");
}
END_TEST

START_TEST(other_sources)
{
	struct sm_powerpmu_domain pmu[2] = {
		{.sums = {.energy_uj = 5, .glitches = 2, .still = 1}}, {.sums.still = 4}};

	power.kind = SM_SOURCE_PERF;
	power.pmu.domain = pmu;
	begin_run();
	show();
	finish();
	ck_assert(printed("CPU:  28.51 Watts"));
	ck_assert(printed("Note: power read from the perf PMU's energy events: pkg-0.\n"
			  "Note: not added: core.\n"
			  "Note: energy counters: implausible readings 2, restarts 0.\n"
			  "Note: counters that did not advance in some samples (no value "
			  "shown): pkg-0.\n"
			  "These readings do not cover all"));
}
END_TEST

START_TEST(hwmon)
{
	struct sm_hwmon_sensor sensors[2] = {
		{.scope = SM_HWMON_SYSTEM, .counted = true}, {.scope = SM_HWMON_DEVICE}};

	power.kind = SM_SOURCE_HWMON;
	power.hwmon.sensor = sensors;
	power.hwmon.n = 2;
	begin_run();
	show();
	finish();
	ck_assert(printed("System:  28.51 Watts"));
	ck_assert(printed("Note: power read from hwmon sensors: pkg-0.\n"
			  "Note: not added: core (measures a part of the machine).\n"));
	ck_assert(!printed("do not cover"));
}
END_TEST

/* A meter that averages over 30 s, of which readings were not values. */
static void slow_meter(struct sm_hwmon_sensor *s)
{
	*s = (struct sm_hwmon_sensor){.label = "m\x1b",
		.scope = SM_HWMON_SYSTEM,
		.counted = true,
		.interval_ms = 30000,
		.zeros = 2,
		.stood = 3,
		.excesses = 1,
		.excess_uw = UINT64_C(4294967295000)};
	power.kind = SM_SOURCE_HWMON;
	power.hwmon.sensor = s;
	power.hwmon.n = power.n = power.all = 1;
	sample.kind = SM_FIGURE_AVERAGED;
	begin_run();
	show();
}

START_TEST(meter_that_averages)
{
	struct sm_hwmon_sensor s;

	slow_meter(&s);
	end.idle_power = (struct idle){.watts = 5, .of_ns = 89 * SEC};
	finish();
	ck_assert(printed("Note: m\\x1b read 0 W 2 times, which is not a power of a "
			  "running machine.\n"
			  "Note: the counter of m\\x1b did not advance in 3 readings.\n"
			  "Note: m\\x1b read 4294967 W 1 time, which is above the limit "
			  "of 1000000 W.\n"));
	ck_assert(printed(
		"Note: the power meter reports its mean over 30.0 seconds.\n"
		"Warning: the measurement took 1.0 seconds, less than 3 times "
		"this mean: its power includes the power before it; measure "
		"for at least 90.0 seconds.\n"
		"Warning: the measurement of the idle machine took 89.0 seconds"));
	ck_assert(!printed("power measured by"));
	ck_assert(has(json_path, ",\"average_s\":30.000000000,\"zones\":"));
	ck_assert(has(json_path, "\"kind\":\"averaged\""));
	ck_assert(has(json_path, "\"kinds\":{\"measured\":0,\"averaged\":1,"));
	ck_assert(has(json_path, "\"average_s\":30.000000000,\"too_short\":true,"
				 "\"idle_too_short\":true,"));
}
END_TEST

START_TEST(long_enough_for_the_meter)
{
	struct sm_hwmon_sensor s;

	sample.dt_ns = sample.energy_ns = 90 * SEC;
	slow_meter(&s);
	end.idle_power = (struct idle){.watts = 5, .of_ns = 90 * SEC};
	finish();
	ck_assert(printed("reports its mean over 30.0 seconds.\n"));
	ck_assert(!printed("Warning"));
	ck_assert(has(json_path, "\"too_short\":false,\"idle_too_short\":false,"));
}
END_TEST

/* Runs of COMMAND are compared with the meter one by one. */
START_TEST(runs_shorter_than_the_meter)
{
	struct repeat repeat = {.run.number = 2};
	struct sm_hwmon_sensor s;

	sample.dt_ns = sample.energy_ns = 90 * SEC;
	slow_meter(&s);
	end.repeat = &repeat;
	finish();
	ck_assert(printed("Warning: a run took 45.0 seconds, less than"));
}
END_TEST

static TCase *tc_power(void)
{
	TCase *tc = tcase_create("power");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rapl);
	tcase_add_test(tc, psys_covers_the_platform);
	tcase_add_test(tc, counter_troubles);
	tcase_add_test(tc, all_estimates);
	tcase_add_test(tc, some_estimates);
	tcase_add_test(tc, no_power);
	tcase_add_test(tc, a_source_that_is_none);
	tcase_add_test(tc, a_run_without_a_value);
	tcase_add_test(tc, runs_with_a_value);
	tcase_add_test(tc, one_value_is_enough);
	tcase_add_test(tc, power_above_the_limit_of_the_zone);
	tcase_add_test(tc, no_samples);
	tcase_add_test(tc, battery_that_counted);
	tcase_add_test(tc, battery_inserted_later);
	tcase_add_test(tc, battery_that_tells_nothing);
	tcase_add_test(tc, level_that_contradicts_the_rate);
	tcase_add_test(tc, level_that_agrees);
	tcase_add_test(tc, odd_batteries);
	tcase_add_test(tc, corrected_batteries);
	tcase_add_test(tc, troubles_of_sources);
	tcase_add_test(tc, energy);
	tcase_add_test(tc, energy_of_a_command);
	tcase_add_test(tc, names);
	tcase_add_test(tc, other_sources);
	tcase_add_test(tc, hwmon);
	tcase_add_test(tc, meter_that_averages);
	tcase_add_test(tc, long_enough_for_the_meter);
	tcase_add_test(tc, runs_shorter_than_the_meter);
	return tc;
}

UNIT_MAIN("summary power", tc_power)
