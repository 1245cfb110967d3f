// SPDX-License-Identifier: GPL-2.0-or-later
#include "power/source_shown.h"
#include "source_rig.h"

/* ---- the choice ---- */

START_TEST(nothing_at_all)
{
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
	ck_assert_int_eq(p.kind, SM_SOURCE_AUTO);
	expect_why("  battery: there is none\n");
	expect_why("  rapl (/sys/class/powercap): there is none\n");
	expect_why("  perf (the power PMU): there is none\n");
	expect_why("  hwmon: no sensor measures the whole machine\n");
}
END_TEST

/* Simulates a container: the class has its links, and an empty file system covers the
 * zones. */
static void hide_zones(void)
{
	fix_mkdir("sys/devices/virtual/powercap");
	fix_mkdir("sys/class/powercap");
	fix_link("sys/class/powercap/intel-rapl",
		"../../devices/virtual/powercap/intel-rapl");
	fix_link("sys/class/powercap/intel-rapl:0",
		"../../devices/virtual/powercap/intel-rapl/intel-rapl:0");
}

START_TEST(hidden_zones)
{
	hide_zones();
	ck_assert_int_eq(refused(SM_SOURCE_RAPL), -ENODEV);
	expect_why("  rapl (/sys/class/powercap): hidden, as in a container; use the "
		   "host\n");
}
END_TEST

START_TEST(nothing_of_the_kind)
{
	static const int sources[] = {SM_SOURCE_BATTERY, SM_SOURCE_PERF, SM_SOURCE_HWMON};

	client();
	for (size_t i = 0; i < SM_ARRAY_SIZE(sources); i++) {
		ck_assert_int_eq(refused(sources[i]), -ENODEV);
		sm_source_close(&p);
	}
	open_as(SM_SOURCE_RAPL);
	sm_source_close(&p);
	remove_dir("sys/class/powercap");
	ck_assert_int_eq(refused(SM_SOURCE_RAPL), -ENODEV);
}
END_TEST

START_TEST(without_power)
{
	wanted.optional = true;
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_NONE);
	ck_assert_uint_eq(p.n, 0);
	take();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	ck_assert(!p.lost && !p.incomplete);
	ck_assert_uint_eq(sm_source_gap_ns(&p), UINT64_MAX);
	expect_described("none");
	sm_source_close(&p);
	wanted.optional = false;
	open_as(SM_SOURCE_NONE);
	ck_assert_int_eq(p.kind, SM_SOURCE_NONE);
	/* what is there is taken, -z or not */
	sm_source_close(&p);
	wanted.optional = true;
	client();
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
}
END_TEST

START_TEST(order)
{
	power_meter("30000000\n");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_HWMON);
	sm_source_close(&p);
	client();
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	sm_source_close(&p);
	supply("BAT0", BATTERY "STATUS=Full ENERGY_NOW=50000000");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	sm_source_close(&p);
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_BATTERY);
	expect_described("battery: BAT0");
	sm_source_close(&p);
	open_as(SM_SOURCE_RAPL);
	expect_described("RAPL: pkg-0 + dram");
	sm_source_close(&p);
	open_as(SM_SOURCE_HWMON);
	ck_assert_int_eq(p.kind, SM_SOURCE_HWMON);
}
END_TEST

/* A source without a value does not keep the next one from being used. */
START_TEST(without_a_figure)
{
	supply("BAT0", BATTERY "STATUS=Discharging CAPACITY=80");
	open_as(SM_SOURCE_AUTO); /* there is no other */
	ck_assert_int_eq(p.kind, SM_SOURCE_BATTERY);
	ck_assert(p.no_value);
	sm_source_close(&p);
	zone("intel-rapl:0", "package-0\n", 1000000);
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	ck_assert(!p.no_value);
	sm_source_close(&p);
	supply("BAT0", BATTERY "STATUS=Charging CAPACITY=80");
	fix_put("sys/class/powercap/intel-rapl:0/energy_uj", "x\n");
	open_as(SM_SOURCE_AUTO); /* it may have failed for a moment */
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	ck_assert(p.no_value);
	sm_source_close(&p);
	power_meter("30000000\n");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_HWMON);
	sm_source_close(&p);
	set_uj("intel-rapl:0", 1000000);
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_RAPL);
	sm_source_close(&p);
	supply("BAT0", BATTERY "STATUS=Discharging CHARGE_NOW=3000000 "
			       "VOLTAGE_NOW=12000000");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_BATTERY);
}
END_TEST

START_TEST(others_beside)
{
	wanted.beside = true;
	supply("BAT0", AT_10W);
	client();
	sensor("name", "amdgpu\n");
	sensor("power1_average", "30000000\n");
	open_as(SM_SOURCE_AUTO);
	expect_described(
		"battery: BAT0; in addition RAPL: pkg-0 + dram; in addition power "
		"sensors of parts of the machine: amdgpu-power1");
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1000000 + 80000);
	now += S;
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_double_eq(p.beside->total_uj, 80000);
	ck_assert_double_eq(p.beside->beside->total_uw, 30e6);
	ck_assert_ptr_null(p.beside->beside->beside);
	sm_source_close(&p);
	/* no other of the same kind, and none that gives nothing */
	wanted.optional = true;
	supply("BAT0", BATTERY "STATUS=Full ENERGY_NOW=50000000");
	open_as(SM_SOURCE_AUTO);
	expect_described("RAPL: pkg-0 + dram; in addition power sensors of parts of the "
			 "machine: amdgpu-power1");
	sm_source_close(&p);
	remove_dir("sys/class/powercap");
	zone("intel-rapl:0", "package-0\n", 1);
	fix_put("sys/class/powercap/intel-rapl:0/energy_uj", "x\n");
	supply("BAT0", AT_10W);
	remove_dir("sys/class/hwmon");
	open_as(SM_SOURCE_AUTO);
	expect_described("battery: BAT0");
}
END_TEST

/* A mouse is not the machine. */
START_TEST(peripherals)
{
	supply("hidpp_battery_0", "TYPE=Battery SCOPE=Device PRESENT=1 "
				  "STATUS=Discharging POWER_NOW=3000000");
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
	expect_why("  battery: no system battery is discharging\n");
	sm_source_close(&p);
	supply("BAT0", AT_10W);
	open_as(SM_SOURCE_AUTO);
	ck_assert_uint_eq(p.n, 1);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
}
END_TEST

/* Asked for, it may still be unplugged. */
START_TEST(battery_on_mains)
{
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000 ENERGY_NOW=50000000");
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
	sm_source_close(&p);
	open_as(SM_SOURCE_BATTERY);
	ck_assert_uint_eq(p.n, 1);
	supply("BAT0", AT_10W);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert(!p.lost);
}
END_TEST

/* ---- power meters ---- */

START_TEST(meter)
{
	power_meter("30000000\n");
	sensor("power2_average", "1500000\n");
	open_as(SM_SOURCE_HWMON);
	ck_assert_uint_eq(p.n, 2);
	take();
	ck_assert_double_eq(p.total_uw, 31.5e6);
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
	now += 2 * S;
	sensor("power2_average", "x\n");
	take();
	ck_assert(p.incomplete);
	ck_assert_double_eq(p.total_uw, 30e6);
	about(p.total_uj, 60e6, 1e-9);
	ck_assert(!p.lost);
}
END_TEST

START_TEST(meter_lost)
{
	power_meter("30000000\n");
	sensor("power2_average", "1500000\n");
	open_as(SM_SOURCE_AUTO);
	take();
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert(!p.lost);
		sm_base_close_fd(&p.hwmon.sensor[i].file.fd);
		p.hwmon.sensor[i].error = -ENODEV;
		take();
	}
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the power meter was removed");
}
END_TEST

/* Parts of a machine are no machine, unless they are asked for. */
START_TEST(meter_of_a_part)
{
	sensor("name", "amdgpu\n");
	sensor("power1_average", "30000000\n");
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -ENODEV);
	expect_why("  hwmon: no sensor measures the whole machine\n");
	sm_source_close(&p);
	open_as(SM_SOURCE_HWMON);
	take();
	ck_assert_double_eq(p.total_uw, 30e6);
}
END_TEST

START_TEST(meter_that_counts)
{
	sensor("name", "xe\n");
	sensor("energy1_input", "1000000\n");
	open_as(SM_SOURCE_HWMON);
	take();
	ck_assert(isnan(p.total_uw));
	usleep(20000);
	sensor("energy1_input", "1300000\n");
	take();
	ck_assert_double_eq(p.total_uj, 300000);
	ck_assert_double_le(p.total_uw, 300000 / 0.02);
	ck_assert_double_gt(p.total_uw, 0);
}
END_TEST

static TCase *tc_choice(void)
{
	TCase *tc = tcase_create("choice");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_at_all);
	tcase_add_test(tc, hidden_zones);
	tcase_add_test(tc, nothing_of_the_kind);
	tcase_add_test(tc, without_power);
	tcase_add_test(tc, order);
	tcase_add_test(tc, without_a_figure);
	tcase_add_test(tc, others_beside);
	tcase_add_test(tc, peripherals);
	tcase_add_test(tc, battery_on_mains);
	return tc;
}

/* 25 W for 7 s, then 5 W: one reading at the end would make it 40 J. */
START_TEST(meter_within_the_interval)
{
	power_meter("25000000\n");
	open_as(SM_SOURCE_HWMON);
	now = SM_NSEC_PER_SEC;
	take();
	ck_assert_uint_eq(sm_source_gap_ns(&p), 97 * SM_NSEC_PER_MSEC);
	for (uint64_t t = SM_NSEC_PER_SEC; t < 9 * SM_NSEC_PER_SEC;
		t += SM_NSEC_PER_SEC / 10) {
		if (t == 8 * SM_NSEC_PER_SEC)
			power_meter("5000000\n");
		ck_assert_int_eq(sm_source_poll(&p, t), 0);
	}
	now = 9 * SM_NSEC_PER_SEC;
	take();
	ck_assert_double_eq_tol(p.total_uj, 180e6, 1.01e6);
	ck_assert_double_eq_tol(p.total_uw, 22.5e6, 126e3);
	ck_assert_uint_eq(p.total_ns, 8 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(p.readings, 82);
	/* the next interval starts afresh */
	now = 10 * SM_NSEC_PER_SEC;
	take();
	ck_assert_double_eq_tol(p.total_uw, 5e6, 1);
}
END_TEST

/* A mean of the last second is of that second. */
START_TEST(meter_that_averages)
{
	power_meter("25000000\n");
	fix_put("sys/class/hwmon/hwmon0/power1_average_interval", "1000\n");
	open_as(SM_SOURCE_HWMON);
	now = SM_NSEC_PER_SEC;
	take();
	ck_assert_uint_eq(sm_source_gap_ns(&p), SM_NSEC_PER_SEC);
	ck_assert_int_eq(sm_source_poll(&p, 2 * SM_NSEC_PER_SEC), 0);
	power_meter("5000000\n");
	now = 3 * SM_NSEC_PER_SEC;
	take();
	ck_assert_double_eq_tol(p.total_uj, 30e6, 1);
}
END_TEST

/* A tool that corrects the delay polls it like any other, and reads what it shows. */
START_TEST(meter_that_is_corrected)
{
	double uw;

	wanted.finely = true;
	power_meter("25000000\n");
	fix_put("sys/class/hwmon/hwmon0/power1_average_interval", "30000\n");
	open_as(SM_SOURCE_HWMON);
	ck_assert(!sm_source_shown(&p, &uw));
	now = SM_NSEC_PER_SEC;
	take();
	ck_assert_uint_eq(sm_source_gap_ns(&p), 97 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(sm_source_average_ns(&p), 30 * SM_NSEC_PER_SEC);
	power_meter("5000000\n");
	ck_assert_int_eq(sm_source_poll(&p, 2 * SM_NSEC_PER_SEC), 0);
	ck_assert(sm_source_shown(&p, &uw));
	ck_assert_double_eq(uw, 5e6);
}
END_TEST

/* Steps of 10 mWh (36 J); the first reading is no edge. */
START_TEST(level_in_steps)
{
	double uw;

	wanted.from_start = true;
	supply("BAT0", BATTERY "STATUS=Discharging ENERGY_NOW=50000000");
	open_as(SM_SOURCE_BATTERY);
	ck_assert(sm_source_level_only(&p));
	now = SM_NSEC_PER_SEC;
	for (unsigned int i = 0; i < 5; i++) {
		char words[128];

		snprintf(words, sizeof(words), BATTERY "STATUS=Discharging ENERGY_NOW=%u",
			50000000 - i * 10000);
		supply("BAT0", words);
		second();
		now += 3 * SM_NSEC_PER_SEC;
	}
	ck_assert_double_eq_tol(sm_source_level_steps(&p), 3, 1e-9);
	ck_assert(!sm_source_shown(&p, &uw));
	sm_source_resumed(&p);
	ck_assert_double_eq(sm_source_level_steps(&p), 0);
}
END_TEST

static TCase *tc_meter(void)
{
	TCase *tc = tcase_create("meter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, meter);
	tcase_add_test(tc, meter_within_the_interval);
	tcase_add_test(tc, meter_that_averages);
	tcase_add_test(tc, meter_that_is_corrected);
	tcase_add_test(tc, level_in_steps);
	tcase_add_test(tc, meter_lost);
	tcase_add_test(tc, meter_of_a_part);
	tcase_add_test(tc, meter_that_counts);
	return tc;
}

UNIT_MAIN("source", tc_choice, tc_meter)
