// SPDX-License-Identifier: GPL-2.0-or-later
/* Power meters that have no value, average, measure a part, or are chosen by the user. */
#include "source_rig.h"

static void part(unsigned int number, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/%s", number, file);
	fix_put(path, text);
}

static void processor(void)
{
	part(3, "name", "fam15h_power\n");
	part(3, "power1_input", "31000000\n");
}

static void expect_mention(const char *want)
{
	struct sm_buf b = {0};

	sm_source_mention_meter(&p, "--power=hwmon", &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

/* ---- without a value ---- */

START_TEST(zero_beside_counters)
{
	client();
	power_meter("0\n");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	expect_mention(" (power_meter-power1 reads 0 W and is not used)");
}
END_TEST

START_TEST(zero_in_addition_to_counters)
{
	client();
	power_meter("0\n");
	wanted.beside = true;
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	expect_mention(" (power_meter-power1 reads 0 W)");
}
END_TEST

START_TEST(zero_beside_a_processor)
{
	power_meter("0\n");
	processor();
	open_as(SM_SOURCE_AUTO);
	take();
	ck_assert_double_eq(p.total_uw, 31e6);
	expect_mention(" (power_meter-power1 reads 0 W and is not used)");
}
END_TEST

START_TEST(zero_only)
{
	power_meter("0\n");
	open_as(SM_SOURCE_AUTO);
	expect_why("  hwmon: power_meter-power1 reads 0 W\n");
	take();
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	expect_mention(" (power_meter-power1 reads 0 W)");
	ck_assert(sm_source_is_dead(&p));
	power_meter("40000000\n");
	second();
	ck_assert_double_eq(p.total_uw, 40e6);
	ck_assert(!sm_source_is_dead(&p));
}
END_TEST

START_TEST(unknown_power)
{
	power_meter("4294967295000\n");
	open_as(SM_SOURCE_HWMON);
	take();
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	expect_mention(" (power_meter-power1 reads 4294967 W, which is above the limit "
		       "of 1000000 W)");
}
END_TEST

/* The power of the channel takes the place of its counter. */
START_TEST(counter_stands_still)
{
	sensor("name", "ina228\n");
	sensor("power1_input", "9000000\n");
	sensor("energy1_input", "5000\n");
	open_as(SM_SOURCE_HWMON);
	take();
	ck_assert(at("ina228-energy1")->counted);
	now += S / 2;
	take();
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT); /* not 0 W */
	p.hwmon.sensor[1].read_ns -= S;
	now += S / 2;
	take();
	ck_assert(!at("ina228-energy1")->counted);
	ck_assert_double_eq(p.total_uw, 9e6);
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
}
END_TEST

/* ---- averages ---- */

START_TEST(averages)
{
	power_meter("25000000\n");
	sensor("power1_average_interval", "30000\n");
	sensor("power2_average", "5000000\n");
	sensor("power2_average_interval", "1000\n");
	open_as(SM_SOURCE_HWMON);
	ck_assert_uint_eq(sm_source_average_ns(&p), 30 * S);
	ck_assert(sm_source_too_short(&p, 90 * S - 1));
	ck_assert(!sm_source_too_short(&p, 90 * S));
	take();
	ck_assert_int_eq(p.figure, SM_FIGURE_AVERAGED);
	expect_described("power meter: power_meter-power1 + power_meter-power2 (mean of "
			 "30 s)");
}
END_TEST

START_TEST(no_average)
{
	power_meter("25000000\n");
	open_as(SM_SOURCE_HWMON);
	ck_assert_uint_eq(sm_source_average_ns(&p), 0);
	ck_assert(!sm_source_too_short(&p, 0));
	take();
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
	sm_source_close(&p);
	client();
	open_as(SM_SOURCE_RAPL);
	ck_assert_uint_eq(sm_source_average_ns(&p), 0);
}
END_TEST

/* ---- parts ---- */

START_TEST(processor_as_the_last_resort)
{
	processor();
	part(4, "name", "amdgpu\n");
	part(4, "power1_input", "12000000\n");
	open_as(SM_SOURCE_AUTO);
	take();
	ck_assert_double_eq(p.total_uw, 31e6);
	ck_assert(sm_source_is_processor(&p));
	expect_described("power sensors of the processor: fam15h_power-power1");
	sm_source_close(&p);
	client();
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
}
END_TEST

START_TEST(chosen_sensors)
{
	processor();
	part(4, "name", "amdgpu\n");
	part(4, "power1_label", "PPT\n");
	part(4, "power1_input", "12000000\n");
	power_meter("25000000\n");
	wanted.sensors = "PPT,fam15h_power-power1";
	open_as(SM_SOURCE_HWMON);
	ck_assert(sm_source_has_total(&p));
	take();
	ck_assert_double_eq(p.total_uw, 43e6);
	ck_assert(!sm_source_is_processor(&p));
	expect_described(
		"power sensors of parts of the machine: fam15h_power-power1 + PPT");
}
END_TEST

START_TEST(unknown_sensor)
{
	processor();
	wanted.sensors = "fam15h_power1\n";
	wanted.optional = true;
	ck_assert_int_eq(refused(SM_SOURCE_HWMON), -EINVAL);
	expect_why("  hwmon: no sensor 'fam15h_power1\\x0a'; the nearest label is "
		   "'fam15h_power-power1'; --list shows all labels\n");
}
END_TEST

static TCase *tc_meter(void)
{
	TCase *tc = tcase_create("meter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, zero_beside_counters);
	tcase_add_test(tc, zero_in_addition_to_counters);
	tcase_add_test(tc, zero_beside_a_processor);
	tcase_add_test(tc, zero_only);
	tcase_add_test(tc, unknown_power);
	tcase_add_test(tc, counter_stands_still);
	tcase_add_test(tc, averages);
	tcase_add_test(tc, no_average);
	tcase_add_test(tc, processor_as_the_last_resort);
	tcase_add_test(tc, chosen_sensors);
	tcase_add_test(tc, unknown_sensor);
	return tc;
}

UNIT_MAIN("source_meter", tc_meter)
