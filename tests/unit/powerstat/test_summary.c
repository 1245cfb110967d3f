// SPDX-License-Identifier: GPL-2.0-or-later
/* The report at the end: idle power, losses, CPU states, histograms. */
#include "powerstat_summary_rig.h"

static void idle_of_8_w(void)
{
	end.idle_power.watts = 8;
	end.idle_power.of_ns = end.idle_power.covered_ns = 10 * SEC;
	for (int i = 0; i < 10; i++)
		sm_stats_add(&end.idle_power.pieces, i % 2 ? 7.5 : 8.5, 1, false);
}

/* sqrt(0.27778 / 10 + 0.27778) W in a second; test_idle.c has the formula. */
START_TEST(above_idle)
{
	begin_run();
	idle_of_8_w();
	show();
	finish();
	ck_assert(printed("\nAbove idle: 20.510 Joules, standard error 0.553 (idle: 8.00 "
			  "Watts over 10.0 seconds before the command)\n"));
	ck_assert(has(json_path, "\"idle_watts\":8.000000,\"idle_of_s\":10.000000000,"
				 "\"idle_watts_stderr\":0.166667,"
				 "\"joules_above_idle\":20.510000,"
				 "\"joules_above_idle_stderr\":0.552771,"));
}
END_TEST

/* Readings of 28.51 and 30.51 W, whose mean has an error of 1 W: 2 sqrt(0.027778 +
 * 0.13889 + 1) J. */
START_TEST(above_idle_by_readings)
{
	power.readings = 2;
	begin_run();
	idle_of_8_w();
	show();
	values[V_WATTS] = values[V_JOULES] = 30.51;
	show();
	finish();
	ck_assert(printed("\nAbove idle: 43.020 Joules, standard error 2.160 ("));
}
END_TEST

START_TEST(above_idle_of_one_piece)
{
	begin_run();
	end.idle_power.watts = 8;
	end.idle_power.of_ns = end.idle_power.covered_ns = SEC;
	sm_stats_add(&end.idle_power.pieces, 8, 1, false);
	show();
	finish();
	ck_assert(printed(
		"\nAbove idle: 20.510 Joules (idle: 8.00 Watts over 1.0 seconds"));
	ck_assert(!has(json_path, "stderr"));
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
	ck_assert(printed("Note: 1 sample with an incomplete total (marked *).\n"));
	ck_assert(printed("Note: AC power is connected while a battery discharges: the "
			  "battery supplies only a part of the power.\n"
			  "Note: the power source was lost: BAT0 is\\x0agone.\n"
			  "Note: 2 samples missed: woken too late.\n"
			  "Note: 1 sample discarded (-b, -p).\n"
			  "Note: 12 fork/exec/exit events lost.\n"
			  "Note: 4 rows of output lost.\n"));
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
	ck_assert(printed("Note: No thermal zones on this device.\n"
			  "Note: No CPU frequencies on this device.\n"
			  "Note: No GPU frequency on this device.\n"
			  "Note: No C-States on this device (no cpuidle).\n"));
	ck_assert(has(json_path, ",\"cstates\":[],"));
}
END_TEST

START_TEST(throttling)
{
	o.freq = with_throttle = true;
	begin_run();
	values[table.throttle] = NAN;
	show();
	values[table.throttle] = 4;
	sample.core_throttles = 3;
	sample.package_throttles = 1;
	show();
	values[table.throttle] = 0;
	sample.core_throttles = sample.package_throttles = 0;
	show();
	finish();
	ck_assert(printed("\nThermal throttling: 3 times on a core, 1 on a package\n"));
	ck_assert(has(json_path, "\"throttles\":{\"n\":2,\"average\":2.000000,"));
	ck_assert(has(json_path,
		"\"max\":4.000000}},\"core_throttles\":3,\"package_throttles\":1,"));
}
END_TEST

START_TEST(throttling_unknown)
{
	o.freq = with_throttle = true;
	begin_run();
	show();
	finish();
	ck_assert(printed("\nThermal throttling: unknown\n"));
	ck_assert(!has(json_path, "core_throttles"));
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
	ck_assert(printed("\n\nC-State    Resident      Count Latency\n"
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
	ck_assert(printed("\\x1b 150.000% 0 0\nC0           0.000%\n"));
	ck_assert(!printed("\033"));
}
END_TEST

START_TEST(idle_states_never_read)
{
	o.cstates = true;
	begin_run();
	idle.nstates = 1;
	end.idle = &idle;
	finish();
	ck_assert(printed("Note: C-States: no interval could be read.\n"));
	ck_assert(!printed("nan"));
}
END_TEST

START_TEST(histograms)
{
	o.hist = o.thermal = o.freq = with_freq = true;
	strcpy(zones[0].label, "%s%n");
	begin_run();
	for (int i = 0; i < 11; i++) {
		/* Only the minimum and the maximum are at the edge of a bin. */
		double x = i % 10 ? i + 0.3 : i;

		values[V_WATTS] = 20 + x;
		values[V_IDLE] = 50;
		values[table.freq0] = 1000000 + x * 100000;
		values[table.thermal0] = -5 + x;
		show();
	}
	finish();
	ck_assert(printed("\n\nHistogram (of 11 power measurements)\n\n"
			  " Range (Watts)  Count\n"
			  "20.000 - 20.999     1 ####################\n"
			  "21.000 - 21.999     1 ####################\n"));
	ck_assert(printed(
		"29.000 - 30.000     2 ########################################\n"));
	ck_assert(printed(
		"\n\nRange is zero, cannot produce histogram of CPU utilization\n"));
	ck_assert(printed("\nHistogram (of 11 CPU average frequencies)\n\n"
			  " Range (GHz)  Count\n1.000 - 1.099     1 "));
	ck_assert(printed("\nHistogram (of 11 thermal zone %s%n readings)\n\n"
			  "   Range (C)    Count\n-5.000 - -4.001     1 "));
	ck_assert(
		printed("\nThere are no values, cannot produce histogram of thermal zone "
			"x86_pkg_temp\n"));
}
END_TEST

static TCase *tc_rest(void)
{
	TCase *tc = tcase_create("the rest");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, above_idle);
	tcase_add_test(tc, above_idle_by_readings);
	tcase_add_test(tc, above_idle_of_one_piece);
	tcase_add_test(tc, missed_and_lost);
	tcase_add_test(tc, asked_for_and_not_there);
	tcase_add_test(tc, throttling);
	tcase_add_test(tc, throttling_unknown);
	tcase_add_test(tc, idle_states);
	tcase_add_test(tc, idle_states_hostile);
	tcase_add_test(tc, idle_states_never_read);
	tcase_add_test(tc, histograms);
	return tc;
}

UNIT_MAIN("summary", tc_rest)
