// SPDX-License-Identifier: GPL-2.0-or-later
#include "ps_power_rig.h"

START_TEST(battery_rate)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_int_eq(p.kind, PS_GAUGE_RATE);
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=-12500000");
	now += 4 * S;
	take();
	ck_assert_double_eq(p.total_uw, 12.5e6);
	about(p.total_uj, 50e6, 1e-9);
	ck_assert(!p.incomplete && !p.lost && !p.mains_note);
	ck_assert_uint_eq(p.window_ns, 0);
}
END_TEST

/* Not more often than once a second. */
START_TEST(battery_is_spared)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
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
	o.domains = true;
	supply("BAT0", AT_10W);
	supply("BAT1", BATTERY "STATUS=Charging POWER_NOW=8000000");
	open_as(PS_AUTO);
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
	open_as(PS_AUTO);
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
	open_as(PS_AUTO);
	ck_assert_uint_eq(power_gap_ns(&p), S);
	take();
	ck_assert(isnan(p.total_uw));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	discharge(&mwh, 1);
	ck_assert_int_eq(p.kind, PS_ABSENT); /* one edge is no slope */
	discharge(&mwh, 4);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	about(p.total_uw, 36e6, 1e-6);
	about(p.total_uj, 36e6, 1e-6);
	ck_assert_uint_eq(p.window_ns, 4 * S);
	discharge(&mwh, 55);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	discharge(&mwh, 2);
	ck_assert_int_eq(p.kind, PS_LEVEL);
	about(p.total_uw, 36e6, 1e-6);
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 120 * S);
}
END_TEST

START_TEST(battery_level_from_start)
{
	unsigned int mwh = 50000;

	o.from_start = true;
	level(mwh);
	open_as(PS_AUTO);
	take();
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 199 * S);
	about(p.total_uw, 36e6, 1e-6);
}
END_TEST

/* What is put in anew begins anew. */
START_TEST(battery_level_of_another_stretch)
{
	unsigned int mwh = 50000;

	level(mwh);
	supply("BAT1", AT_10W);
	open_as(PS_AUTO);
	take();
	discharge(&mwh, 100);
	ck_assert_int_eq(p.kind, PS_LEVEL);
	supply("BAT0", BATTERY "STATUS=Charging ENERGY_NOW=49000000");
	second();
	ck_assert_int_eq(p.kind, PS_GAUGE_RATE);
	ck_assert_double_eq(p.total_uw, 10e6);
	mwh = 48500;
	level(mwh);
	second();
	discharge(&mwh, 10);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	about(p.total_uw, 46e6, 1e-6);
	ck_assert_uint_le(p.window_ns, 10 * S);
	ck_assert_uint_eq(p.restarts, 1);
}
END_TEST

/* A gauge that corrects itself: the power is that of after it, and it is told. */
START_TEST(level_that_jumps)
{
	unsigned int mwh = 50000;
	double before;

	level(mwh);
	open_as(PS_AUTO);
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
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
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
	open_as(PS_AUTO);
	take();
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000");
	second();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "charger"));
	ck_assert(isnan(p.total_uw));
}
END_TEST

START_TEST(battery_taken_out)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	remove_dir("sys/class/power_supply/BAT0");
	second();
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the battery has gone");
}
END_TEST

/* Without a column, but in the total. */
START_TEST(battery_put_in)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	supply("BAT1", AT_10W);
	for (unsigned int i = 0; i < 11; i++)
		second();
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.all, 2);
	ck_assert_double_eq(p.total_uw, 20e6);
}
END_TEST

/* As many as there is room for. */
START_TEST(many_batteries_put_in)
{
	char name[16];

	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
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
	tcase_add_test(tc, level_that_jumps);
	tcase_add_test(tc, charger_plugged_in);
	tcase_add_test(tc, battery_taken_out);
	tcase_add_test(tc, battery_put_in);
	tcase_add_test(tc, many_batteries_put_in);
	return tc;
}

UNIT_MAIN("ps_power_battery", tc_battery)
