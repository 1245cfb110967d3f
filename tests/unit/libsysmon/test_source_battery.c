// SPDX-License-Identifier: GPL-2.0-or-later
#include "source_rig.h"

START_TEST(battery_rate)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_int_eq(p.figure, SM_FIGURE_GAUGE_RATE);
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=-12500000");
	now += 4 * S;
	take();
	ck_assert_double_eq(p.total_uw, 12.5e6);
	about(p.total_uj, 50e6, 1e-9);
	ck_assert(!p.incomplete && !p.lost && !p.mains_note);
	ck_assert_uint_eq(p.window_ns, 0);
}
END_TEST

/* A battery is read once a second at most. */
START_TEST(battery_is_spared)
{
	wanted.interval_ns = S / 2;
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=20000000");
	now += S / 2;
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	now += S / 2;
	take();
	ck_assert_double_eq(p.total_uw, 20e6);
	about(p.total_uj, 10e6, 1e-9); /* of half a second */
}
END_TEST

START_TEST(two_batteries)
{
	wanted.domains = true;
	supply("BAT0", AT_10W);
	supply("BAT1", BATTERY "STATUS=Charging POWER_NOW=8000000");
	open_as(SM_SOURCE_AUTO);
	ck_assert_uint_eq(p.n, 2);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_double_eq(at("BAT1")->uw, 8e6); /* shown, not added */
	ck_assert(!at("BAT1")->counted);
	supply("BAT1", BATTERY "STATUS=Discharging POWER_NOW=8000000");
	second();
	ck_assert_double_eq(p.total_uw, 18e6);
	ck_assert(at("BAT1")->counted);
	supply("BAT0", BATTERY "STATUS=Not_charging POWER_NOW=0");
	second();
	ck_assert_double_eq(p.total_uw, 8e6);
	ck_assert(!p.lost);
}
END_TEST

START_TEST(mains_while_discharging)
{
	supply("AC", "TYPE=Mains ONLINE=0");
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	ck_assert(!p.mains_note);
	supply("AC", "TYPE=Mains ONLINE=1");
	second();
	ck_assert(p.mains_note);
	ck_assert(!p.lost);
	supply("AC", "TYPE=Mains ONLINE=0");
	second();
	ck_assert(p.mains_note); /* there was such a time */
}
END_TEST

static void level(unsigned int mwh)
{
	char words[128];

	snprintf(
		words, sizeof(words), BATTERY "STATUS=Discharging ENERGY_NOW=%u000", mwh);
	supply("BAT0", words);
}

/* 36 W: 10 mWh a second. */
static void discharge(unsigned int *mwh, unsigned int seconds)
{
	for (unsigned int i = 0; i < seconds; i++) {
		*mwh -= 10;
		level(*mwh);
		second();
	}
}

START_TEST(battery_level)
{
	unsigned int mwh = 50000;

	level(mwh);
	open_as(SM_SOURCE_AUTO);
	ck_assert_uint_eq(sm_source_gap_ns(&p), S);
	take();
	ck_assert(isnan(p.total_uw));
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	discharge(&mwh, 1);
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT); /* one edge is no slope */
	discharge(&mwh, 4);
	ck_assert_int_eq(p.figure, SM_FIGURE_ESTIMATE);
	about(p.total_uw, 36e6, 1e-6);
	about(p.total_uj, 36e6, 1e-6);
	ck_assert_uint_eq(p.window_ns, 4 * S);
	discharge(&mwh, 55);
	ck_assert_int_eq(p.figure, SM_FIGURE_ESTIMATE);
	discharge(&mwh, 2);
	ck_assert_int_eq(p.figure, SM_FIGURE_LEVEL);
	about(p.total_uw, 36e6, 1e-6);
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 120 * S);
}
END_TEST

START_TEST(battery_level_from_start)
{
	unsigned int mwh = 50000;

	wanted.from_start = true;
	level(mwh);
	open_as(SM_SOURCE_AUTO);
	take();
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 199 * S);
	about(p.total_uw, 36e6, 1e-6);
}
END_TEST

/* The level of a battery that was inserted again restarts. */
START_TEST(battery_level_of_another_stretch)
{
	unsigned int mwh = 50000;

	level(mwh);
	supply("BAT1", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	discharge(&mwh, 100);
	ck_assert_int_eq(p.figure, SM_FIGURE_LEVEL);
	supply("BAT0", BATTERY "STATUS=Charging ENERGY_NOW=49000000");
	second();
	ck_assert_int_eq(p.figure, SM_FIGURE_GAUGE_RATE);
	ck_assert_double_eq(p.total_uw, 10e6);
	mwh = 48500;
	level(mwh);
	second();
	discharge(&mwh, 10);
	ck_assert_int_eq(p.figure, SM_FIGURE_ESTIMATE);
	about(p.total_uw, 46e6, 1e-6);
	ck_assert_uint_le(p.window_ns, 10 * S);
	ck_assert_uint_eq(p.restarts, 1);
}
END_TEST

/* No figure is computed from the level of one that reports a rate. */
START_TEST(level_beside_a_rate_that_jumps)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	second();
	supply("BAT0",
		BATTERY "STATUS=Discharging POWER_NOW=10000000 ENERGY_NOW=53000000");
	second();
	second();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_uint_eq(p.restarts, 0);
}
END_TEST

/* After a gauge has corrected itself, the line restarts, which is counted. */
START_TEST(level_that_jumps)
{
	unsigned int mwh = 50000;
	double before;

	level(mwh);
	open_as(SM_SOURCE_AUTO);
	take();
	discharge(&mwh, 100);
	before = p.total_uw;
	ck_assert_uint_eq(p.restarts, 0);
	mwh += 2000;
	level(mwh);
	second();
	ck_assert_uint_eq(p.restarts, 1);
	ck_assert(isnan(p.total_uw));
	discharge(&mwh, 10);
	ck_assert_int_eq(p.figure, SM_FIGURE_ESTIMATE);
	about(p.total_uw, before, 0.01);
	mwh -= 20000; /* 72 kJ in a second */
	level(mwh);
	second();
	ck_assert_uint_eq(p.restarts, 2);
}
END_TEST

START_TEST(charger_plugged_in)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000");
	second();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "charger"));
	ck_assert(isnan(p.total_uw));
}
END_TEST

static void status(const char *name, const char *value)
{
	char words[128];

	snprintf(words, sizeof(words), BATTERY "STATUS=%s POWER_NOW=9000000", value);
	supply(name, words);
}

/* The batteries that count are known before the first reading, for the header. */
START_TEST(counted_from_the_start)
{
	supply("BAT0", AT_10W);
	status("BAT1", "Charging");
	open_as(SM_SOURCE_BATTERY);
	ck_assert(at("BAT0")->counted && !at("BAT1")->counted);
	take();
	ck_assert(at("BAT0")->counted && !at("BAT1")->counted);
}
END_TEST

/* And what counted at all, for the summary. */
START_TEST(was_counted)
{
	supply("BAT0", AT_10W);
	status("BAT1", "Full");
	open_as(SM_SOURCE_BATTERY);
	take();
	status("BAT0", "Charging");
	second();
	ck_assert(p.lost && !at("BAT0")->counted && at("BAT0")->was_counted);
	ck_assert(!at("BAT1")->was_counted);
	sm_source_close(&p);
	remove_dir("sys/class/power_supply/BAT1");
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_BATTERY);
	take();
	remove_dir("sys/class/power_supply/BAT0");
	second();
	ck_assert(p.lost);
	ck_assert(!at("BAT0")->counted && at("BAT0")->was_counted);
}
END_TEST

/* While no battery discharges, rows have no figure, and the run goes on. */
START_TEST(one_takes_over_from_another)
{
	supply("BAT0", AT_10W);
	status("BAT1", "Full"); /* never used: it does not tell of a charger */
	open_as(SM_SOURCE_AUTO);
	ck_assert_uint_eq(sm_source_gap_ns(&p), UINT64_MAX);
	take();
	status("BAT0", "Not_charging");
	for (unsigned int i = 0; i < 4; i++) {
		second();
		ck_assert(isnan(p.total_uw) && isnan(p.total_uj) && !p.lost);
		ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
		ck_assert_uint_eq(sm_source_gap_ns(&p), S);
	}
	status("BAT1", "Discharging");
	second();
	ck_assert(!p.lost);
	ck_assert_double_eq(p.total_uw, 9e6);
	about(p.total_uj, 9e6, 1e-9); /* of the last second */
	ck_assert(at("BAT0")->was_counted && at("BAT1")->was_counted);
	/* the time restarts */
	status("BAT1", "Unknown");
	for (unsigned int i = 0; i < 5; i++) {
		second();
		ck_assert(!p.lost);
	}
	second();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "no battery is discharging"));
}
END_TEST

/* A poll between two samples sees that it goes on. */
START_TEST(status_unknown_now_and_then)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	for (unsigned int i = 0; i < 3; i++) {
		status("BAT0", "Unknown");
		now += 5 * S;
		take();
		ck_assert(isnan(p.total_uw) && !p.lost);
		supply("BAT0", AT_10W);
		now += 5 * S;
		ck_assert_int_eq(sm_source_poll(&p, now), 0);
	}
	now += S;
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
}
END_TEST

START_TEST(mains_end_it_at_once)
{
	supply("AC", "TYPE=Mains ONLINE=0");
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	supply("AC", "TYPE=Mains ONLINE=1");
	status("BAT0", "Not_charging");
	second();
	ck_assert(p.lost);
	sm_source_close(&p);
	/* but a weak charger was there before */
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_BATTERY);
	take();
	ck_assert(p.mains_note);
	status("BAT0", "Unknown");
	second();
	ck_assert(!p.lost && isnan(p.total_uw));
	status("BAT0", "Full");
	second();
	ck_assert(p.lost);
}
END_TEST

/* Asked for while it charges: it is watched, in case it is unplugged. */
START_TEST(unplugged_while_waiting)
{
	status("BAT0", "Charging");
	open_as(SM_SOURCE_BATTERY);
	for (unsigned int i = 0; i < 4; i++) {
		ck_assert_uint_eq(sm_source_gap_ns(&p), S);
		ck_assert_int_eq(sm_source_poll(&p, now), 0);
		ck_assert_uint_eq(sm_battery_discharging(&p.batteries), i == 3);
		now += S;
		if (i == 2)
			supply("BAT0", AT_10W);
	}
	ck_assert_uint_eq(sm_source_gap_ns(&p), UINT64_MAX);
	take();
	ck_assert(!p.lost && at("BAT0")->counted);
	ck_assert_double_eq(p.total_uw, 10e6);
}
END_TEST

/* Only a capacity in percent: no row has a figure, and has_power is false. */
START_TEST(neither_rate_nor_level)
{
	supply("BAT0", BATTERY "STATUS=Discharging CAPACITY=80 POWER_NOW=0");
	supply("BAT1", AT_10W);
	status("BAT2", "Charging");
	open_as(SM_SOURCE_AUTO);
	for (unsigned int i = 0; i < 3; i++)
		second();
	ck_assert(at("BAT0")->was_counted && !at("BAT0")->has_power);
	ck_assert(at("BAT1")->was_counted && at("BAT1")->has_power);
	ck_assert(!at("BAT2")->was_counted);
	supply("BAT0", BATTERY "STATUS=Discharging ENERGY_NOW=50000000");
	second();
	ck_assert(at("BAT0")->has_power);
}
END_TEST

/* A battery is preferred to RAPL only if its properties give a power. */
START_TEST(preferred_if_it_gives_a_value)
{
	client();
	supply("BAT0", BATTERY "STATUS=Discharging CHARGE_NOW=3000000");
	open_as(SM_SOURCE_AUTO);
	expect_described("RAPL: pkg-0 + dram");
	expect_why("BAT0 reports a charge, but no rate and no voltage");
	sm_source_close(&p);
	supply("BAT0", BATTERY "STATUS=Discharging CHARGE_NOW=3000000 "
			       "VOLTAGE_MIN_DESIGN=3500000");
	open_as(SM_SOURCE_AUTO);
	expect_described("battery: BAT0");
}
END_TEST

/* A voltmeter and a gauge of one pack, as in the Nokia N900. */
START_TEST(two_supplies_of_one_pack)
{
	supply("bq27200-0", BATTERY "STATUS=Discharging VOLTAGE_NOW=4000000 "
				    "CURRENT_NOW=300000 CAPACITY=77 CHARGE_NOW=980000");
	supply("rx51-battery", BATTERY "STATUS=Discharging VOLTAGE_NOW=3999000 "
				       "CHARGE_FULL_DESIGN=1272000 TEMP=300");
	open_as(SM_SOURCE_AUTO);
	expect_described("battery: bq27200-0");
	second();
	ck_assert_double_eq(p.total_uw, 1.2e6);
	ck_assert(!p.incomplete && !at("rx51-battery")->counted);
	/* alone, it is the battery, without a value */
	supply("bq27200-0", BATTERY "STATUS=Charging");
	second();
	ck_assert(at("rx51-battery")->counted);
	ck_assert(isnan(p.total_uw));
}
END_TEST

/* The driver of the gauge only knows its own charger. */
START_TEST(not_charging_without_a_charger)
{
#define FLOWS_OUT BATTERY "STATUS=Not_charging VOLTAGE_NOW=4000000 CURRENT_NOW=-300000"
	supply("AC", "TYPE=Mains ONLINE=1");
	supply("BAT0", FLOWS_OUT);
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
	sm_source_close(&p);
	supply("AC", "TYPE=Mains ONLINE=0");
	open_as(SM_SOURCE_AUTO);
	second();
	ck_assert_double_eq(p.total_uw, 1.2e6);
	/* the charger is plugged in: nothing flows, or it is not known where to */
	supply("AC", "TYPE=Mains ONLINE=1");
	second();
	ck_assert(!at("BAT0")->counted);
	sm_source_close(&p);
	/* a positive current may be a charge */
	supply("AC", "TYPE=Mains ONLINE=0");
	supply("BAT0", BATTERY "STATUS=Not_charging VOLTAGE_NOW=4000000 "
			       "CURRENT_NOW=300000");
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
}
END_TEST

START_TEST(value_by_the_design_voltage_is_an_estimate)
{
	supply("BAT0", BATTERY "STATUS=Discharging CURRENT_NOW=500000 "
			       "VOLTAGE_MIN_DESIGN=7400000");
	open_as(SM_SOURCE_AUTO);
	second();
	ck_assert_double_eq(p.total_uw, 3.7e6);
	ck_assert_int_eq(p.figure, SM_FIGURE_ESTIMATE);
	supply("BAT0", BATTERY "STATUS=Discharging CURRENT_NOW=500000 "
			       "VOLTAGE_NOW=8000000 VOLTAGE_MIN_DESIGN=7400000");
	second();
	ck_assert_int_eq(p.figure, SM_FIGURE_GAUGE_RATE);
}
END_TEST

/* The level falls by STEPS_A_MINUTE mWh; returns the result of the comparison. */
static int compare_levels(unsigned int uw, unsigned int steps_a_minute,
	unsigned int seconds, double *level_uw, double *rate_uw)
{
	char words[160];

	for (unsigned int s = 0; s <= seconds; s++) {
		snprintf(words, sizeof(words),
			BATTERY "STATUS=Discharging POWER_NOW=%u ENERGY_NOW=%u000", uw,
			20000 - s * steps_a_minute / 60);
		supply("BAT0", words);
		if (s == 0)
			open_as(SM_SOURCE_AUTO);
		second();
	}
	return sm_levelcheck_result(&at("BAT0")->level, level_uw, rate_uw);
}

START_TEST(rate_that_contradicts_the_level)
{
	double level_uw, rate_uw;

	/* 120 mWh a minute are 7.2 W */
	ck_assert_int_eq(compare_levels(25600000, 120, 8, &level_uw, &rate_uw), -ENODATA);
	sm_source_close(&p);
	ck_assert_int_eq(compare_levels(25600000, 120, 30, &level_uw, &rate_uw), 1);
	about(level_uw, 7.2e6, 0.03);
	about(rate_uw, 25.6e6, 1e-9);
	sm_source_close(&p);
	ck_assert_int_eq(compare_levels(7000000, 120, 30, &level_uw, &rate_uw), 0);
	about(level_uw, 7.2e6, 0.03);
	/* after a suspend, the level of before is no beginning */
	sm_source_resumed(&p);
	second();
	second();
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=7000000 ENERGY_NOW=1000000");
	second();
	second();
	ck_assert_int_lt(
		sm_levelcheck_result(&at("BAT0")->level, &level_uw, &rate_uw), 0);
}
END_TEST

START_TEST(battery_taken_out)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	remove_dir("sys/class/power_supply/BAT0");
	second();
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the battery was removed");
}
END_TEST

/* A battery that was put in has no column; the total includes it. */
START_TEST(battery_put_in)
{
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	supply("BAT1", AT_10W);
	for (unsigned int i = 0; i < 11; i++)
		second();
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.all, 2);
	ck_assert_double_eq(p.total_uw, 20e6);
}
END_TEST

/* The source has room for so many batteries. */
START_TEST(many_batteries_put_in)
{
	char name[16];

	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	take();
	for (unsigned int i = 1; i < 40; i++) {
		snprintf(name, sizeof(name), "BAT%u", i);
		supply(name, AT_10W);
	}
	for (unsigned int i = 0; i < 22; i++)
		second();
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.all, 17);
	ck_assert_double_eq(p.total_uw, 170e6);
}
END_TEST

static TCase *tc_battery(void)
{
	TCase *tc = tcase_create("battery");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, battery_rate);
	tcase_add_test(tc, battery_is_spared);
	tcase_add_test(tc, two_batteries);
	tcase_add_test(tc, mains_while_discharging);
	tcase_add_test(tc, battery_level);
	tcase_add_test(tc, battery_level_from_start);
	tcase_add_test(tc, battery_level_of_another_stretch);
	tcase_add_test(tc, level_beside_a_rate_that_jumps);
	tcase_add_test(tc, level_that_jumps);
	tcase_add_test(tc, charger_plugged_in);
	tcase_add_test(tc, counted_from_the_start);
	tcase_add_test(tc, was_counted);
	tcase_add_test(tc, one_takes_over_from_another);
	tcase_add_test(tc, status_unknown_now_and_then);
	tcase_add_test(tc, mains_end_it_at_once);
	tcase_add_test(tc, unplugged_while_waiting);
	tcase_add_test(tc, neither_rate_nor_level);
	tcase_add_test(tc, preferred_if_it_gives_a_value);
	tcase_add_test(tc, two_supplies_of_one_pack);
	tcase_add_test(tc, not_charging_without_a_charger);
	tcase_add_test(tc, value_by_the_design_voltage_is_an_estimate);
	tcase_add_test(tc, rate_that_contradicts_the_level);
	tcase_add_test(tc, battery_taken_out);
	tcase_add_test(tc, battery_put_in);
	tcase_add_test(tc, many_batteries_put_in);
	return tc;
}

UNIT_MAIN("source_battery", tc_battery)
