// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <unistd.h>

#include "events/perf.h"
#include "powerstat/list.h"
#include "source_rig.h"

static void expect_list(const char *const *lines, size_t n)
{
	struct sm_buf b = {0};

	list_sources(&fix, &wanted, 80, &b);
	sm_buf_chr(&b, '\0');
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(strstr(b.p, lines[i]), "'%s' is not in\n%s", lines[i], b.p);
	sm_buf_fini(&b);
}

#define LIST(...)                                                 \
	do {                                                      \
		static const char *const lines[] = {__VA_ARGS__}; \
		expect_list(lines, SM_ARRAY_SIZE(lines));         \
	} while (0)

START_TEST(list_of_nothing)
{
	LIST("Batteries: none\n", "RAPL (powercap): none\n",
		"RAPL (perf's power PMU): none\n", "Power meters (hwmon): none\n",
		"Selected source: none\n");
}
END_TEST

START_TEST(list_of_hidden_zones)
{
	fix_mkdir("sys/class/powercap");
	fix_link("sys/class/powercap/intel-rapl:0", "../../devices/intel-rapl:0");
	LIST("RAPL (powercap): hidden, as in a container\n", "Selected source: none\n");
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
	LIST("\n  BAT0: discharging, fuel gauge rate 10.000 W, added\n",
		"\n  BAT1: full, no rate (power estimated from the level), added while "
		"it "
		"discharges\n",
		"\n  mouse: belongs to a peripheral, not added\n",
		"\n  (AC power is connected)\n",
		"\n  intel-rapl:0 (pkg-0): readable, added\n",
		"\n  intel-rapl:0:0 (core): readable, inside a package, not added\n",
		"\n  intel-rapl:0:1 (dram): readable, added\n",
		"\n  intel-rapl:1 (psys): readable, excluded by --total, not added\n",
		"(power_meter, power1_average): readable, 30.00 W, measures the whole "
		"machine, "
		"added\n",
		"\nSelected source: battery: ");
}
END_TEST

START_TEST(list_of_batteries_without_a_value)
{
	supply("BAT0", BATTERY "STATUS=Discharging CAPACITY=50");
	supply("BAT1", BATTERY "STATUS=Discharging VOLTAGE_NOW=4006 CHARGE_NOW=1181");
	supply("BAT2", BATTERY "STATUS=Not_charging POWER_NOW=-5000000");
	supply("BAT3", BATTERY "STATUS=Discharging VOLTAGE_NOW=4006000");
	LIST("\n  BAT0: discharging, reports neither rate nor level, not added\n",
		"\n  BAT1: discharging, reports an implausible voltage (4006 uV), not "
		"added\n",
		"\n  BAT2: discharging (by the sign of its rate), fuel gauge rate 5.000 "
		"W, added\n",
		"\n  BAT3: discharging, reports neither rate nor level, not added\n");
}
END_TEST

/* As in the run: a source without a value is selected if no other source has one. */
START_TEST(list_of_a_selection_without_a_value)
{
	supply("BAT0", BATTERY "STATUS=Discharging CAPACITY=50");
	LIST("\n  BAT0: discharging, reports neither rate nor level, not added\n",
		"\nSelected source: battery: BAT0 (gives no value now)\n");
	wanted.kind = SM_SOURCE_BATTERY;
	LIST("\nSelected source: battery: BAT0 (gives no value now)\n");
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=5000000");
	LIST("\nSelected source: battery: BAT0\n");
	supply("BAT0", BATTERY "STATUS=Full");
	LIST("\nSelected source: battery\n");
}
END_TEST

/* A PMU whose events are a CPU's clock: cores are readable and in no total. */
START_TEST(list_of_a_pmu)
{
#define PMU "sys/bus/event_source/devices/power/"
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE};
	int fd = sm_perf_event_open(&attr, -1, 0, -1, 0);

	if (fd < 0)
		return;
	close(fd);
	fix_put(PMU "type", "1\n");
	fix_put(PMU "cpumask", "0\n");
	fix_put(PMU "events/energy-pkg", "event=0x00\n");
	fix_put(PMU "events/energy-pkg.scale", "1e-9\n");
	fix_put(PMU "events/energy-pkg.unit", "Joules\n");
	fix_put(PMU "events/energy-cores", "event=0x00\n");
	fix_put(PMU "events/energy-cores.scale", "1e-9\n");
	fix_put(PMU "events/energy-cores.unit", "Joules\n");
	LIST("\n  pkg-0: readable, added\n", "\n  core: readable, not added\n");
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
	list_sources(&fix, &wanted, 80, &b);
	for (size_t i = 0; i < b.len; i++)
		ck_assert((unsigned char)b.p[i] >= ' ' || b.p[i] == '\n');
	sm_buf_chr(&b, '\0');
	ck_assert_ptr_null(strstr(b.p, "[2J\n"));
	ck_assert_ptr_nonnull(strstr(b.p, "Selected source: battery: B"));
	sm_buf_fini(&b);
}
END_TEST

static TCase *tc_list(void)
{
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, list_of_nothing);
	tcase_add_test(tc, list_of_hidden_zones);
	tcase_add_test(tc, list);
	tcase_add_test(tc, list_of_batteries_without_a_value);
	tcase_add_test(tc, list_of_a_selection_without_a_value);
	tcase_add_test(tc, list_of_a_pmu);
	tcase_add_test(tc, list_is_sanitised);
	return tc;
}

UNIT_MAIN("list", tc_list)
