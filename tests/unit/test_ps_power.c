// SPDX-License-Identifier: GPL-2.0-or-later
#include "ps_power_rig.h"

/* ---- the choice ---- */

START_TEST(nothing_at_all)
{
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	ck_assert_int_eq(p.source, PS_AUTO);
	expect_why("  battery: there is none\n");
	expect_why("  rapl (/sys/class/powercap): there is none\n");
	expect_why("  perf (the power PMU): there is none\n");
	expect_why("  hwmon: no power meter of the system\n");
}
END_TEST

START_TEST(nothing_of_the_kind)
{
	static const int sources[] = {PS_BATTERY, PS_PERF, PS_HWMON};

	client();
	for (size_t i = 0; i < SM_ARRAY_SIZE(sources); i++) {
		ck_assert_int_eq(refused(sources[i]), -ENODEV);
		power_close(&p);
	}
	open_as(PS_RAPL);
	power_close(&p);
	remove_dir("sys/class/powercap");
	ck_assert_int_eq(refused(PS_RAPL), -ENODEV);
}
END_TEST

START_TEST(without_power)
{
	o.no_power = true;
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_NONE);
	ck_assert_uint_eq(p.n, 0);
	take();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	ck_assert(!p.lost && !p.incomplete);
	ck_assert_uint_eq(power_gap_ns(&p), UINT64_MAX);
	expect_described("none");
	power_close(&p);
	o.no_power = false;
	open_as(PS_NONE);
	ck_assert_int_eq(p.source, PS_NONE);
	/* what is there is taken, -z or not */
	power_close(&p);
	o.no_power = true;
	client();
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
}
END_TEST

START_TEST(order)
{
	power_meter("30000000\n");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_HWMON);
	power_close(&p);
	client();
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
	power_close(&p);
	supply("BAT0", BATTERY "STATUS=Full ENERGY_NOW=50000000");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
	power_close(&p);
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_BATTERY);
	expect_described("battery: BAT0");
	power_close(&p);
	open_as(PS_RAPL);
	expect_described("RAPL: pkg-0 + dram");
	power_close(&p);
	open_as(PS_HWMON);
	ck_assert_int_eq(p.source, PS_HWMON);
}
END_TEST

/* A mouse is not the machine. */
START_TEST(peripherals)
{
	supply("hidpp_battery_0", "TYPE=Battery SCOPE=Device PRESENT=1 "
				  "STATUS=Discharging POWER_NOW=3000000");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	expect_why("  battery: no system battery is discharging\n");
	power_close(&p);
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	ck_assert_uint_eq(p.n, 1);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
}
END_TEST

/* Asked for, it may still be unplugged. */
START_TEST(battery_on_mains)
{
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000 ENERGY_NOW=50000000");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	power_close(&p);
	open_as(PS_BATTERY);
	ck_assert_uint_eq(p.n, 1);
	supply("BAT0", AT_10W);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert(!p.lost);
}
END_TEST

/* ---- RAPL ---- */

START_TEST(rapl)
{
	uint64_t start, end;

	o.domains = true;
	client();
	open_as(PS_RAPL);
	ck_assert_uint_eq(p.n, 4);
	take();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	start = sm_mono_ns();
	usleep(100000);
	set_uj("intel-rapl:0", 1000000 + 2000000);
	set_uj("intel-rapl:0:0", 500000 + 1000000);
	set_uj("intel-rapl:0:1", 200000 + 400000);
	set_uj("intel-rapl:1", 9000000 + 5000000);
	take();
	end = sm_mono_ns();
	ck_assert_int_eq(p.kind, PS_MEASURED);
	ck_assert(!p.incomplete && !p.lost);
	ck_assert_double_eq(p.total_uj, 2400000);
	ck_assert_double_eq(at("core")->uj, 1000000);
	ck_assert_double_eq(at("psys")->uj, 5000000);
	ck_assert(at("pkg-0")->counted && at("dram")->counted);
	ck_assert(!at("core")->counted && !at("psys")->counted);
	/* each zone's own interval: about that between the two takes */
	about(p.total_uw, 2400000 * 1e9 / (double)(end - start), 0.2);
	ck_assert_double_le(at("pkg-0")->uw, 2000000 * 1e9 / 100e6 * 1.01);
	/* an interval without a step */
	usleep(1000);
	take();
	ck_assert_double_eq(p.total_uw, 0);
	ck_assert_double_eq(p.total_uj, 0);
	ck_assert_int_eq(p.kind, PS_MEASURED);
}
END_TEST

/* What is polled between two takes is in the second one. */
START_TEST(rapl_polls)
{
	client();
	open_as(PS_RAPL);
	take();
	for (unsigned int i = 1; i <= 3; i++) {
		usleep(20000);
		set_uj("intel-rapl:0", 1000000 + i * 100000);
		ck_assert_int_eq(power_poll(&p, now), 0);
	}
	take();
	ck_assert_double_eq(p.total_uj, 300000);
	/* half a range at 2 kW */
	ck_assert_uint_eq(power_gap_ns(&p), 65535832212);
}
END_TEST

/* Only the total's zones are read without -D. */
START_TEST(rapl_total_only)
{
	client();
	open_as(PS_RAPL);
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1500000);
	set_uj("intel-rapl:0:0", 600000);
	take();
	ck_assert_double_eq(at("pkg-0")->uj, 500000);
	ck_assert(isnan(at("core")->uj));
	ck_assert_double_eq(p.total_uj, 500000);
	ck_assert(!p.incomplete);
}
END_TEST

START_TEST(rapl_rules)
{
	static const struct {
		int rule;
		double uj;
	} t[] = {{SM_RAPL_TOTAL_PKG, 100000}, {SM_RAPL_TOTAL_PKG_DRAM, 110000},
		{SM_RAPL_TOTAL_PSYS, 200000}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		client();
		o.total = t[i].rule;
		open_as(PS_RAPL);
		take();
		usleep(20000);
		set_uj("intel-rapl:0", 1100000);
		set_uj("intel-rapl:0:1", 210000);
		set_uj("intel-rapl:1", 9200000);
		take();
		ck_assert_double_eq(p.total_uj, t[i].uj);
		power_close(&p);
	}
}
END_TEST

/* One that fails is missing in the total, which says so; the next reading bridges it. */
START_TEST(rapl_incomplete)
{
	client();
	open_as(PS_RAPL);
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1100000);
	fix_put("sys/class/powercap/intel-rapl:0:1/energy_uj", "?\n");
	take();
	ck_assert(p.incomplete);
	ck_assert(!p.lost);
	ck_assert_double_eq(p.total_uj, 100000);
	ck_assert_int_eq(p.kind, PS_MEASURED);
	ck_assert(isnan(at("dram")->uw));
	usleep(20000);
	set_uj("intel-rapl:0", 1200000);
	set_uj("intel-rapl:0:1", 250000);
	take();
	ck_assert(!p.incomplete);
	ck_assert_double_eq(p.total_uj, 150000);
	fix_put("sys/class/powercap/intel-rapl:0/energy_uj", "");
	fix_put("sys/class/powercap/intel-rapl:0:1/energy_uj", "");
	take();
	ck_assert(!p.incomplete && !p.lost); /* of nothing nothing is missing */
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.kind, PS_ABSENT);
}
END_TEST

static uint64_t take_after_20_ms(void)
{
	uint64_t before = now;

	usleep(20000);
	now = sm_mono_ns();
	take();
	return now - before;
}

/* The time that the energy is of: also that of a row without a figure ... */
START_TEST(rapl_time_of_a_hole)
{
	uint64_t hole;

	client();
	open_as(PS_RAPL);
	now = sm_mono_ns();
	take();
	set_uj("intel-rapl:0", 0);
	set_uj("intel-rapl:0:1", 0);
	hole = take_after_20_ms();
	ck_assert_int_eq(p.kind, PS_ABSENT);
	ck_assert_uint_eq(p.total_ns, 0);
	set_uj("intel-rapl:0", 1600000);
	set_uj("intel-rapl:0:1", 300000);
	hole += take_after_20_ms();
	ck_assert_double_eq(p.total_uj, 700000);
	about((double)p.total_ns, (double)hole, 0.1);
	ck_assert_uint_le(p.total_ns, hole);
	about(p.total_uw, 700000 * 1e9 / (double)hole, 0.1);
}
END_TEST

/* ... but not twice that of a row with a part of it. */
START_TEST(rapl_time_of_a_part)
{
	uint64_t span;

	client();
	open_as(PS_RAPL);
	now = sm_mono_ns();
	take();
	set_uj("intel-rapl:0", 1100000);
	set_uj("intel-rapl:0:1", 0);
	span = take_after_20_ms();
	ck_assert(p.missing);
	about((double)p.total_ns, (double)span, 0.1);
	set_uj("intel-rapl:0", 1200000);
	set_uj("intel-rapl:0:1", 300000);
	span = take_after_20_ms();
	ck_assert(!p.missing);
	ck_assert_double_eq(p.total_uj, 200000);
	about((double)p.total_ns, (double)span, 0.1);
}
END_TEST

START_TEST(rapl_rebase)
{
	client();
	open_as(PS_RAPL);
	take();
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000); /* of a suspend */
	power_rebase(&p);
	take();
	ck_assert(isnan(p.total_uw));
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000 + 100);
	take();
	ck_assert_double_eq(p.total_uj, 100);
}
END_TEST

/* What sysfs says when the module has gone; a prepared root cannot. */
static void lose_zone(const char *id)
{
	for (unsigned int i = 0; i < p.rapl.n; i++)
		if (strcmp(p.rapl.zone[i].id, id) == 0) {
			sm_close_fd(&p.rapl.zone[i].fd);
			p.rapl.zone[i].error = -ENODEV;
		}
}

START_TEST(rapl_lost)
{
	client();
	open_as(PS_RAPL);
	take();
	lose_zone("intel-rapl:0:1");
	usleep(1000);
	set_uj("intel-rapl:0", 1000100);
	take();
	ck_assert(!p.lost && p.incomplete);
	ck_assert_double_eq(p.total_uj, 100);
	lose_zone("intel-rapl:0");
	take();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "RAPL"));
}
END_TEST

/* Root's files; as root nothing is unreadable. */
START_TEST(rapl_permission)
{
	static const char *const ids[] = {
		"intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1"};
	char name[96];

	if (geteuid() == 0)
		return;
	client();
	for (size_t i = 0; i < SM_ARRAY_SIZE(ids); i++) {
		snprintf(name, sizeof(name), "sys/class/powercap/%s/energy_uj", ids[i]);
		ck_assert_int_eq(chmod(fix_path(name), 0), 0);
	}
	ck_assert_int_eq(refused(PS_RAPL), -EACCES);
	expect_why("  rapl: /sys/class/powercap/intel-rapl:");
	expect_why("/energy_uj: Permission denied\n");
	expect_why("  perf (the power PMU): there is none\n");
	power_close(&p);
	ck_assert_int_eq(refused(PS_AUTO), -EACCES);
	power_close(&p);
	power_meter("30000000\n");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_HWMON);
}
END_TEST

/* ---- power meters ---- */

START_TEST(meter)
{
	power_meter("30000000\n");
	sensor("power2_average", "1500000\n");
	open_as(PS_HWMON);
	ck_assert_uint_eq(p.n, 2);
	take();
	ck_assert_double_eq(p.total_uw, 31.5e6);
	ck_assert_int_eq(p.kind, PS_MEASURED);
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
	open_as(PS_AUTO);
	take();
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert(!p.lost);
		sm_close_fd(&p.hwmon.sensor[i].file.fd);
		p.hwmon.sensor[i].error = -ENODEV;
		take();
	}
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the power meter has gone");
}
END_TEST

/* Parts of a machine are no machine, unless they are asked for. */
START_TEST(meter_of_a_part)
{
	sensor("name", "amdgpu\n");
	sensor("power1_average", "30000000\n");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	expect_why("  hwmon: no power meter of the system\n");
	power_close(&p);
	open_as(PS_HWMON);
	take();
	ck_assert_double_eq(p.total_uw, 30e6);
}
END_TEST

START_TEST(meter_that_counts)
{
	sensor("name", "xe\n");
	sensor("energy1_input", "1000000\n");
	open_as(PS_HWMON);
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

/* ---- the list ---- */

static void expect_list(const char *const *want, size_t n)
{
	struct sm_buf b = {0};

	power_list(&fix, &o, &b);
	sm_buf_chr(&b, '\0');
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(strstr(b.p, want[i]), "'%s' is not in\n%s", want[i], b.p);
	sm_buf_fini(&b);
}

#define LIST(...)                                                \
	do {                                                     \
		static const char *const want[] = {__VA_ARGS__}; \
		expect_list(want, SM_ARRAY_SIZE(want));          \
	} while (0)

START_TEST(list_of_nothing)
{
	LIST("Batteries: none\n", "RAPL (powercap): none\n",
		"RAPL (perf's power PMU): none\n", "Power meters (hwmon): none\n",
		"Taken: none\n");
}
END_TEST

START_TEST(list)
{
	client();
	power_meter("30000000\n");
	supply("BAT0", AT_10W);
	supply("BAT1", BATTERY "STATUS=Full ENERGY_NOW=1000000");
	supply("mouse", "TYPE=Battery SCOPE=Device PRESENT=1 STATUS=Discharging");
	supply("AC", "TYPE=Mains ONLINE=1");
	LIST("\n  BAT0: discharging, gauge rate 10.000 W, added\n",
		"\n  BAT1: full, level only: an estimate, added while it discharges\n",
		"\n  mouse: of a peripheral, not added\n", "\n  (mains are online)\n",
		"\n  intel-rapl:0 (pkg-0): readable, added\n",
		"\n  intel-rapl:0:0 (core): readable, inside its package, not added\n",
		"\n  intel-rapl:0:1 (dram): readable, added\n",
		"\n  intel-rapl:1 (psys): readable, not added by this rule (--total)\n",
		"(power_meter, power1_average): of the whole machine, added\n",
		"\nTaken: battery: ");
}
END_TEST

/* Names are files' names: any bytes. */
START_TEST(list_is_sanitised)
{
	struct sm_buf b = {0};

	supply("B\x1b[2J\n\xff", AT_10W);
	sensor("name", "chip\x1b]0;\n");
	sensor("power1_label", "\x1b[31mred\n");
	sensor("power1_average", "30000000\n");
	power_list(&fix, &o, &b);
	for (size_t i = 0; i < b.len; i++)
		ck_assert((unsigned char)b.p[i] >= ' ' || b.p[i] == '\n');
	sm_buf_chr(&b, '\0');
	ck_assert_ptr_null(strstr(b.p, "[2J\n"));
	ck_assert_ptr_nonnull(strstr(b.p, "Taken: battery: B"));
	sm_buf_fini(&b);
}
END_TEST

static TCase *tc_choice(void)
{
	TCase *tc = tcase_create("choice");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_at_all);
	tcase_add_test(tc, nothing_of_the_kind);
	tcase_add_test(tc, without_power);
	tcase_add_test(tc, order);
	tcase_add_test(tc, peripherals);
	tcase_add_test(tc, battery_on_mains);
	tcase_add_test(tc, list_of_nothing);
	tcase_add_test(tc, list);
	tcase_add_test(tc, list_is_sanitised);
	return tc;
}

static TCase *tc_rapl(void)
{
	TCase *tc = tcase_create("rapl");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rapl);
	tcase_add_test(tc, rapl_polls);
	tcase_add_test(tc, rapl_total_only);
	tcase_add_test(tc, rapl_rules);
	tcase_add_test(tc, rapl_incomplete);
	tcase_add_test(tc, rapl_time_of_a_hole);
	tcase_add_test(tc, rapl_time_of_a_part);
	tcase_add_test(tc, rapl_rebase);
	tcase_add_test(tc, rapl_lost);
	tcase_add_test(tc, rapl_permission);
	return tc;
}

static TCase *tc_meter(void)
{
	TCase *tc = tcase_create("meter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, meter);
	tcase_add_test(tc, meter_lost);
	tcase_add_test(tc, meter_of_a_part);
	tcase_add_test(tc, meter_that_counts);
	return tc;
}

UNIT_MAIN("ps_power", tc_choice, tc_rapl, tc_meter)
