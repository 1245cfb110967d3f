// SPDX-License-Identifier: GPL-2.0-or-later
/* What is told at the end. */
#include "ps_view_rig.h"

static struct sm_cpuidle idle;

static void begin_run(void)
{
	memset(&idle, 0, sizeof(idle));
	begin();
}

static bool told(const char *what)
{
	return has(human_path, what);
}

START_TEST(rapl)
{
	begin_run();
	show();
	finish();
	ck_assert(
		told("\nSummary:\n"
		     "CPU:  28.51 Watts on average with standard deviation 0.00\n"
		     "Note: power read from RAPL domains: pkg-0.\n"
		     "Note: not added: core (lies inside a package).\n"
		     "Note: not added: psys (is not of this total).\n"
		     "These readings do not cover all the hardware in this device.\n"
		     "Note: measured figures: a counter of energy or a power meter.\n"));
	ck_assert(!told("Joules"));
	ck_assert(!told("C-State"));
	ck_assert(!told("istogram"));
}
END_TEST

START_TEST(psys_covers_the_platform)
{
	o.total = SM_RAPL_TOTAL_PSYS;
	begin_run();
	show();
	finish();
	ck_assert(told("\nSystem:  28.51 Watts on average"));
	ck_assert(!told("do not cover"));
}
END_TEST

START_TEST(counter_troubles)
{
	rapl_zones[0].glitches = 2;
	rapl_zones[1].glitches = 1;
	rapl_zones[1].rebased = 1;
	begin_run();
	show();
	finish();
	ck_assert(
		told("Note: energy counters: 3 readings that went back or could not be, "
		     "1 new start after such.\n"));
}
END_TEST

START_TEST(all_estimates)
{
	power.source = PS_BATTERY;
	domains[0].label = "BAT0\033";
	begin_run();
	sample.kind = PS_ESTIMATE;
	sample.window_ns = 50 * SEC;
	values[PS_WATTS] = values[PS_JOULES] = 30;
	show();
	values[PS_WATTS] = values[PS_JOULES] = 15.12;
	show();
	finish();
	ck_assert(told(" Average  84.6   0.0   9.1   6.3   0.0  3.0 6279.0 1022.0 51.0 "
		       "45.0 26.0      -\n"));
	ck_assert(told("System:  15.12 Watts on average, an estimate over the whole run\n"
		       "Note: power read from batteries: BAT0\\x1b.\n"
		       "Note: not added: core.\n"
		       "Note: Power calculated from battery capacity drain, may not be "
		       "accurate (at last over 50.0 seconds).\n"));
	ck_assert(has(json_path, "\"watts_average\":15.120000,\"watts_stddev\":null,"
				 "\"estimate\":true,\"joules\":45.120000,"
				 "\"joules_of_s\":2.000000000,\"joules_estimated\":"
				 "45.120000,"));
}
END_TEST

START_TEST(some_estimates)
{
	power.source = PS_BATTERY;
	begin_run();
	sample.kind = PS_ESTIMATE;
	show();
	sample.kind = PS_GAUGE_RATE;
	show();
	finish();
	ck_assert(told("System:  28.51 Watts on average with standard deviation 0.00\n"));
	ck_assert(told("Note: gauge rate: what the battery's own gauge tells.\n"));
	ck_assert(told("Note: 1 estimate (marked E), not in the statistics.\n"));
}
END_TEST

START_TEST(no_power)
{
	run.power = NULL;
	begin_run();
	values[PS_WATTS] = NAN;
	sample.kind = PS_ABSENT;
	show();
	finish();
	ck_assert(told("\nSummary:\nSystem: the power was not measured\n"));
	ck_assert(!told("0.00 Watts"));
	ck_assert(has(json_path, "\"watts_average\":null,\"watts_stddev\":null,"
				 "\"estimate\":false,\"joules\":null,"));
}
END_TEST

START_TEST(a_source_that_is_none)
{
	power.source = PS_NONE;
	o.hist = true;
	begin_run();
	values[PS_WATTS] = NAN;
	sample.kind = PS_ABSENT;
	show();
	finish();
	ck_assert(told("\nSummary:\nSystem: the power was not measured\n\nRange is zero, "
		       "cannot produce histogram of CPU utilization\n"));
}
END_TEST

START_TEST(no_samples)
{
	begin_run();
	finish();
	ck_assert(told("\nSummary:\nCPU: no figure of the power could be had\n"));
	ck_assert(!told("Average"));
	ck_assert(has(json_path, "{\"type\":\"summary\",\"time\":\"2026-11-21T13:05:59."
				 "123456789Z\",\"samples\":0,\"span_s\":0.000000000,"));
}
END_TEST

/* Plugged in meanwhile, it is still what was measured. */
START_TEST(battery_that_counted)
{
	power.source = PS_BATTERY;
	domains[0] = (struct power_domain){
		.label = "BAT0", .counted = false, .was_counted = true, .tells = true};
	begin_run();
	show();
	finish();
	ck_assert(told("Note: power read from batteries: BAT0.\n"
		       "Note: not added: core.\n"));
	ck_assert(!told("tells neither"));
}
END_TEST

START_TEST(battery_that_tells_nothing)
{
	power.source = PS_BATTERY;
	domains[0] = (struct power_domain){.label = "BAT0", .was_counted = true};
	begin_run();
	show();
	finish();
	ck_assert(told("Note: BAT0 tells neither rate nor level.\n"));
}
END_TEST

/* What went on with a level, a counter, a twin. */
START_TEST(troubles_of_sources)
{
	power.restarts = 2;
	begin_run();
	sample.kind = PS_LEVEL;
	show();
	finish();
	ck_assert(told("Note: 2 new starts of an estimate: the level jumped, or the "
		       "battery was charged or changed.\n"));
}
END_TEST

START_TEST(energy)
{
	o.joules = true;
	begin_run();
	show();
	sample.dt_ns = sample.energy_ns = 3 * SEC;
	values[PS_JOULES] = 3 * 28.51;
	show();
	finish();
	ck_assert(told("\nEnergy: 114.040 Joules in 4.0 seconds\n"));
	ck_assert(has(json_path, "\"joules\":114.040000,\"joules_of_s\":4.000000000,"));
}
END_TEST

START_TEST(energy_of_a_command)
{
	begin_run();
	end.command = true;
	sample.kind = PS_ESTIMATE;
	show();
	finish();
	ck_assert(told("\nEnergy: 28.510 Joules in 1.0 seconds, an estimate\n"));
}
END_TEST

START_TEST(missed_and_lost)
{
	begin_run();
	sample.events_lost = 12;
	sample.incomplete = true;
	show();
	end.missed = 2;
	end.skipped = 1;
	end.lost_rows = 4;
	power.mains_note = power.lost = true;
	power.lost_why = "BAT0 is\ngone";
	finish();
	ck_assert(told("Note: 1 sample without all that belongs to the total (marked "
		       "*).\n"));
	ck_assert(told("Note: the mains are connected while a battery discharges: it "
		       "gives only a part of the power.\n"
		       "Note: the power source was lost: BAT0 is\\x0agone.\n"
		       "Note: 2 samples missed: it was too late for them.\n"
		       "Note: 1 sample discarded (-b, -p).\n"
		       "Note: 12 fork/exec/exit events lost.\n"
		       "Note: 4 rows lost to a slow reader.\n"));
	ck_assert(has(json_path, "\"on_mains\":true,\"source_lost\":true,"
				 "\"source_lost_why\":\"BAT0 is\\u000agone\","));
	ck_assert(has(json_path, "\"incomplete\":1,\"missed\":2,\"skipped\":1,\"lost\":"
				 "12,\"lost_rows\":4}\n"));
}
END_TEST

START_TEST(asked_for_and_not_there)
{
	o.thermal = o.freq = o.gpu = o.cstates = true;
	thermal.n = 0;
	begin_run();
	show();
	finish();
	ck_assert(told("Note: No thermal zones on this device.\n"
		       "Note: No CPU frequencies on this device.\n"
		       "Note: No GPU frequency on this device.\n"
		       "Note: No C-States on this device (no cpuidle).\n"));
	ck_assert(has(json_path, ",\"cstates\":[],"));
}
END_TEST

/* The table of the specification. */
START_TEST(idle_states)
{
	o.cstates = true;
	begin_run();
	idle.nstates = 2;
	idle.covered_us = 1000000;
	idle.state[0] = (struct sm_cpuidle_state){"C1E", 10, 180000, 4532};
	idle.state[1] = (struct sm_cpuidle_state){"C6", 133, 600000, 2264};
	end.idle = &idle;
	finish();
	ck_assert(told("\n\nC-State    Resident      Count Latency\n"
		       "C6          60.000%       2264     133\n"
		       "C1E         18.000%       4532      10\n"
		       "C0          22.000%\n"));
	ck_assert(has(json_path,
		"\"cstates\":[{\"name\":\"C1E\",\"resident_pct\":18.000,"
		"\"count\":4532,\"latency_us\":10},{\"name\":\"C6\","
		"\"resident_pct\":60.000,\"count\":2264,\"latency_us\":133},"
		"{\"name\":\"C0\",\"resident_pct\":22.000}],"));
}
END_TEST

START_TEST(idle_states_hostile)
{
	o.cstates = true;
	begin_run();
	idle.nstates = 1;
	idle.covered_us = 100;
	/* A name without its NUL, and more time than there was. */
	memset(idle.state[0].name, '\033', sizeof(idle.state[0].name));
	idle.state[0].time_us = 150;
	end.idle = &idle;
	finish();
	ck_assert(told("\\x1b150.000%          0       0\nC0           0.000%\n"));
	ck_assert(!told("\033"));
}
END_TEST

START_TEST(idle_states_never_read)
{
	o.cstates = true;
	begin_run();
	idle.nstates = 1;
	end.idle = &idle;
	finish();
	ck_assert(told("Note: C-States: not a single interval could be read.\n"));
	ck_assert(!told("nan"));
}
END_TEST

START_TEST(histograms)
{
	o.hist = o.thermal = o.freq = with_freq = true;
	strcpy(zones[0].label, "%s%n");
	begin_run();
	for (int i = 0; i < 11; i++) {
		/* None of them at the edge of a bin, but the least and the greatest. */
		double x = i % 10 ? i + 0.3 : i;

		values[PS_WATTS] = 20 + x;
		values[PS_IDLE] = 50;
		values[table.freq0] = 1000000 + x * 100000;
		values[table.thermal0] = -5 + x;
		show();
	}
	finish();
	ck_assert(told("\n\nHistogram (of 11 power measurements)\n\n"
		       " Range (Watts)  Count\n"
		       "20.000 - 20.999     1 ####################\n"
		       "21.000 - 21.999     1 ####################\n"));
	ck_assert(
		told("29.000 - 30.000     2 ########################################\n"));
	ck_assert(
		told("\n\nRange is zero, cannot produce histogram of CPU utilization\n"));
	ck_assert(told("\nHistogram (of 11 CPU average frequencies)\n\n"
		       " Range (GHz)  Count\n1.000 - 1.099     1 "));
	ck_assert(told("\nHistogram (of 11 thermal zone %s%n readings)\n\n"
		       "   Range (C)    Count\n-5.000 - -4.001     1 "));
	ck_assert(told("\nThere are no values, cannot produce histogram of thermal zone "
		       "x86_pkg_temp\n"));
}
END_TEST

START_TEST(names)
{
	static const enum ps_source sources[] = {
		PS_BATTERY, PS_RAPL, PS_PERF, PS_HWMON, PS_NONE};
	static const char *const words[] = {"battery", "rapl", "perf", "hwmon", "none"};

	for (unsigned int i = 0; i < 5; i++) {
		power.source = sources[i];
		ck_assert_str_eq(summary_source(&power), words[i]);
	}
	ck_assert_str_eq(summary_source(NULL), "none");
	ck_assert_str_eq(summary_kind(PS_GAUGE_RATE), "gauge_rate");
	ck_assert_str_eq(summary_kind(PS_KINDS), "absent");
}
END_TEST

START_TEST(other_sources)
{
	power.source = PS_PERF;
	begin_run();
	show();
	finish();
	ck_assert(told("CPU:  28.51 Watts"));
	ck_assert(told("Note: power read from the perf PMU's energy events: pkg-0.\n"
		       "Note: not added: core.\nThese readings do not cover all"));
}
END_TEST

START_TEST(hwmon)
{
	power.source = PS_HWMON;
	begin_run();
	show();
	finish();
	ck_assert(told("System:  28.51 Watts"));
	ck_assert(told("Note: power read from hwmon sensors: pkg-0.\n"));
	ck_assert(!told("do not cover"));
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
	tcase_add_test(tc, no_samples);
	tcase_add_test(tc, battery_that_counted);
	tcase_add_test(tc, battery_that_tells_nothing);
	tcase_add_test(tc, troubles_of_sources);
	tcase_add_test(tc, energy);
	tcase_add_test(tc, energy_of_a_command);
	tcase_add_test(tc, names);
	tcase_add_test(tc, other_sources);
	tcase_add_test(tc, hwmon);
	return tc;
}

static TCase *tc_rest(void)
{
	TCase *tc = tcase_create("the rest");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, missed_and_lost);
	tcase_add_test(tc, asked_for_and_not_there);
	tcase_add_test(tc, idle_states);
	tcase_add_test(tc, idle_states_hostile);
	tcase_add_test(tc, idle_states_never_read);
	tcase_add_test(tc, histograms);
	return tc;
}

UNIT_MAIN("ps_summary", tc_power, tc_rest)
