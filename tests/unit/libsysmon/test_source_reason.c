// SPDX-License-Identifier: GPL-2.0-or-later
/* Reasons of sources without a value: the figures are those of machines in public
 * reports. */
#include <errno.h>

#include "power/source_reason.h"
#include "source_rig.h"

#define MS SM_NSEC_PER_MSEC

static void expect_reason(const char *want)
{
	expect_said(sm_source_reason, want);
}

static void expect_suspect(const char *want)
{
	expect_said(sm_source_suspect, want);
}

static struct sm_rapl_zone *zone_of(unsigned int i)
{
	return &p.rapl.zones.at[i];
}

/* Feeds zone i with a constant power, a reading a second. */
static void feed(unsigned int i, double watts, unsigned int n)
{
	for (unsigned int k = 0; k < n; k++)
		sm_rapl_counter_feed(&zone_of(i)->counter, &zone_of(i)->sums,
			71742470720 + (uint64_t)(watts * 1e6 * k),
			(1000 + k) * 1000 * MS);
}

static void constrain(const char *id, const char *uw)
{
	char name[128];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/constraint_0_max_power_uw",
		id);
	fix_put(name, uw);
}

/* An Atom whose kernel has a wrong energy unit: 4.1 kW of at most 6 W. */
START_TEST(rises_too_fast)
{
	zone("intel-rapl:0", "package-0\n", 71742470720);
	constrain("intel-rapl:0", "6000000\n");
	open_as(SM_SOURCE_RAPL);
	feed(0, 4100, 7);
	ck_assert_uint_eq(zone_of(0)->sums.energy_uj, 0);
	expect_reason("pkg-0 rose by 4100 W, the limit is 2000 W");
	expect_suspect("");
}
END_TEST

/* 500 W are less than 2 kW and are accepted, but not without a word. */
START_TEST(rises_faster_than_its_limit)
{
	zone("intel-rapl:0", "package-0\n", 71742470720);
	constrain("intel-rapl:0", "6000000\n");
	open_as(SM_SOURCE_RAPL);
	feed(0, 23, 5);
	expect_suspect("");
	sm_rapl_counter_forget(&zone_of(0)->counter);
	feed(0, 500, 5);
	ck_assert_uint_gt(zone_of(0)->sums.energy_uj, 1500000000);
	expect_suspect("pkg-0 rose by up to 500 W, the limit is 24.00 W");
}
END_TEST

/* A limit of 200 W, a server: the cap is 800 W, but at least 2 kW. */
START_TEST(limits_of_the_zone)
{
	zone("intel-rapl:0", "package-0\n", 71742470720);
	constrain("intel-rapl:0", "900000000\n");
	open_as(SM_SOURCE_RAPL);
	feed(0, 4100, 3);
	expect_reason("pkg-0 rose by 4100 W, the limit is 3600 W");
}
END_TEST

START_TEST(one_reading_in_doubt)
{
	zone("intel-rapl:0", "package-0\n", 71742470720);
	constrain("intel-rapl:0", "6000000\n");
	open_as(SM_SOURCE_RAPL);
	feed(0, 500, 2);
	expect_reason("pkg-0 rose by 500 W, the limit is 24.00 W, and no later reading "
		      "confirmed it");
}
END_TEST

/* A guest: 16 packages, all 0.  core is no part of the total. */
START_TEST(never_advanced)
{
	char id[32], name[32];

	for (int i = 0; i < 16; i++) {
		snprintf(id, sizeof(id), "intel-rapl:%d", i);
		snprintf(name, sizeof(name), "package-%d\n", i);
		zone(id, name, 0);
	}
	zone("intel-rapl:0:0", "core\n", 0);
	open_as(SM_SOURCE_RAPL);
	ck_assert_uint_eq(p.n, 17);
	for (unsigned int i = 0; i < p.n; i++) {
		zone_of(i)->counter.raw = (struct sm_rapl_reading){0, 5 * S};
		zone_of(i)->sums.still = 4;
	}
	sm_rapl_zones_mark(&p.rapl.zones, 0, SM_RAPL_STILL, -1);
	expect_reason("pkg-0, pkg-1, pkg-2, pkg-3 and 12 others: the energy counter has "
		      "never advanced from 0 J");
	zone_of(1)->counter.error = -EIO;
	expect_reason(
		"pkg-0, pkg-2, pkg-3, pkg-4 and 11 others: the energy counter has "
		"never advanced from 0 J; pkg-1 cannot be read: Input/output error");
}
END_TEST

START_TEST(counters_otherwise)
{
	client();
	open_as(SM_SOURCE_RAPL);
	expect_reason("pkg-0, dram: the energy counter was read only once");
	zone_of(0)->sums.glitches = 1;
	expect_reason(
		"pkg-0: the energy counter jumped in every sample; dram: the energy "
		"counter was read only once");
}
END_TEST

/* "Unknown" of ACPI, and a meter that is not connected. */
START_TEST(meters)
{
	power_meter("4294967295000\n");
	open_as(SM_SOURCE_HWMON);
	expect_reason("power_meter-power1 reports 4294967 W, the limit is 1000000 W");
	sensor("power1_average", "0\n");
	ck_assert_int_eq(sm_source_poll(&p, now), 0);
	expect_reason("power_meter-power1 reports 0 W, which is not a measurement");
}
END_TEST

START_TEST(batteries)
{
	supply("BAT0", BATTERY "STATUS=Discharging VOLTAGE_NOW=4006 CURRENT_NOW=-291");
	supply("BAT1", BATTERY "STATUS=Discharging ENERGY_NOW=5000000");
	supply("BAT2", BATTERY "STATUS=Full");
	supply("B\x1b", BATTERY "STATUS=Discharging CHARGE_NOW=3000000");
	open_as(SM_SOURCE_BATTERY);
	second();
	sm_buf_reset(&said);
	sm_source_reason(&p, &said);
	sm_buf_chr(&said, '\0');
	ck_assert_ptr_nonnull(strstr(said.p,
		"BAT1 reports only its level, which took 0 of the 2 steps that an "
		"estimate needs; measure longer"));
	ck_assert_ptr_nonnull(
		strstr(said.p, "BAT0 reports an implausible voltage (4006 uV)"));
	ck_assert_ptr_nonnull(
		strstr(said.p, "B\\x1b reports a charge, but no rate and no voltage"));
	ck_assert_ptr_null(strstr(said.p, "BAT2"));
}
END_TEST

static TCase *tc_reasons(void)
{
	TCase *tc = tcase_create("reasons");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rises_too_fast);
	tcase_add_test(tc, rises_faster_than_its_limit);
	tcase_add_test(tc, limits_of_the_zone);
	tcase_add_test(tc, one_reading_in_doubt);
	tcase_add_test(tc, never_advanced);
	tcase_add_test(tc, counters_otherwise);
	tcase_add_test(tc, meters);
	tcase_add_test(tc, batteries);
	return tc;
}

UNIT_MAIN("source_reason", tc_reasons)
