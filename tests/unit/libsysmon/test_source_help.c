// SPDX-License-Identifier: GPL-2.0-or-later
/* Causes of a missing power source: one machine for each, and the command that helps. */
#include "power/source_help.h"
#include "source_rig.h"

#define MODPROBE "\n      sudo modprobe intel_rapl_msr\n      sudo tool --load-modules\n"

static const struct sm_source_help words = {
	.tool = "tool", .option = "-P ", .loads_modules = true};

static void help_setup(void)
{
	setup();
	fix_mkdir("sys");
}

static void ask_at(enum sm_source_kind kind, unsigned int columns)
{
	sm_buf_reset(&said);
	sm_source_help(&fix, kind, &words, columns, &said);
	sm_buf_chr(&said, '\0');
}

static void ask(enum sm_source_kind kind)
{
	ask_at(kind, 80);
}

/* Compares words, not the ends of lines. */
static bool says(const char *what)
{
	static char flat[8192];
	size_t n = 0;

	for (const char *c = said.p; *c && n < sizeof(flat) - 1; c++)
		if (*c != ' ' && *c != '\n')
			flat[n++] = *c;
		else if (n && flat[n - 1] != ' ')
			flat[n++] = ' ';
	flat[n] = '\0';
	return strstr(flat, what) != NULL;
}

static void expect(const char *what)
{
	ck_assert_msg(says(what), "'%s' is not in\n%s", what, said.p);
}

static void cpu(
	const char *vendor, unsigned int family, unsigned int model, const char *flags)
{
	char text[256];

	snprintf(text, sizeof(text),
		"processor\t: 0\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
		"flags\t\t: %s\n\n",
		vendor, family, model, flags);
	fix_put("proc/cpuinfo", text);
}

START_TEST(driver_is_not_loaded)
{
	cpu("GenuineIntel", 6, 142, "fpu");
	fix_mkdir("sys/class/powercap");
	ask(SM_SOURCE_RAPL);
	expect("the driver intel_rapl_msr is not loaded");
	ck_assert_ptr_nonnull(strstr(said.p, MODPROBE));
	/* The driver may help if the processor is unknown. */
	fix_put("proc/cpuinfo", "");
	ask(SM_SOURCE_AUTO);
	ck_assert_ptr_nonnull(strstr(said.p, MODPROBE));
}
END_TEST

START_TEST(driver_finds_nothing)
{
	cpu("AuthenticAMD", 25, 33, "fpu");
	fix_mkdir("sys/module/intel_rapl_msr");
	ask(SM_SOURCE_AUTO);
	expect("intel_rapl_msr, is loaded, but");
	ck_assert(says("sudo dmesg | grep -i rapl") && !says("modprobe"));
}
END_TEST

/* Core 2, Westmere, an early Atom, Pentium 4, Bulldozer, VIA; and the first ones that
 * count. */
START_TEST(processors)
{
	static const struct {
		const char *vendor;
		unsigned int family, model;
		bool counts;
	} list[] = {{"GenuineIntel", 6, 23, false}, {"GenuineIntel", 6, 44, false},
		{"GenuineIntel", 6, 54, false}, {"GenuineIntel", 15, 6, false},
		{"AuthenticAMD", 21, 2, false}, {"CentaurHauls", 6, 15, false},
		{"GenuineIntel", 6, 42, true}, {"GenuineIntel", 6, 55, true},
		{"GenuineIntel", 6, 207, true}, {"GenuineIntel", 19, 1, true},
		{"AuthenticAMD", 23, 1, true}, {"HygonGenuine", 24, 0, true}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(list); i++) {
		cpu(list[i].vendor, list[i].family, list[i].model, "fpu");
		ask(SM_SOURCE_AUTO);
		ck_assert_msg(says("modprobe") == list[i].counts, "%s %u %u: %s",
			list[i].vendor, list[i].family, list[i].model, said.p);
		ck_assert(says("has no energy counters (RAPL)") != list[i].counts);
	}
	cpu("AuthenticAMD", 21, 2, "fpu");
	ask(SM_SOURCE_AUTO);
	expect("The processor (AuthenticAMD family 21 model 2) has no energy counters");
	fix_put("proc/cpuinfo", "CPU implementer\t: 0x41\n");
	ask(SM_SOURCE_AUTO);
	expect("The processor has no energy counters (RAPL)");
}
END_TEST

START_TEST(guest)
{
	cpu("GenuineIntel", 6, 142, "fpu hypervisor");
	fix_put("sys/class/dmi/id/sys_vendor", "QE\x1b[2J\n");
	fix_put("sys/hypervisor/type", "xe\x1bn\n");
	ask(SM_SOURCE_AUTO);
	expect("This is a virtual machine (xe\\x1bn). The energy counters of the "
	       "processor");
	ck_assert(says("measure on the host.") && !says("modprobe"));
}
END_TEST

/* Hidden zones are those of a processor that counts; otherwise the host may be a guest.
 */
START_TEST(container)
{
	cpu("GenuineIntel", 6, 142, "fpu");
	fix_put("proc/self/mountinfo", "23 22 0:21 / /sys ro,nosuid - sysfs sysfs ro\n");
	ask(SM_SOURCE_AUTO);
	expect("This is a container.");
	expect("docker run --privileged IMAGE tool");
	cpu("GenuineIntel", 6, 142, "fpu hypervisor");
	ask(SM_SOURCE_AUTO);
	ck_assert(says("This is a virtual machine.") && !says("This is a container."));
	fix_mkdir("sys/class/powercap");
	fix_link("sys/class/powercap/intel-rapl:0", "../../devices/intel-rapl:0");
	ask(SM_SOURCE_RAPL);
	ck_assert(says("This is a container.") && !says("virtual machine"));
}
END_TEST

/* Makes a counter unreadable for an ordinary user, as the kernel does. */
static void hide(const char *id)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/class/powercap/%s/energy_uj", id);
	ck_assert_int_eq(chmod(fix_path(path), 0), 0);
}

START_TEST(permission)
{
	uid_t user = geteuid();

	client();
	hide("intel-rapl:0");
	hide("intel-rapl:1");
	ck_assert_int_eq(chmod(fix_dir, 0755), 0);
	ck_assert(user || seteuid(65534) == 0);
	ask(SM_SOURCE_AUTO); /* dram can be read */
	ck_assert(!says("only root"));
	ck_assert(user || seteuid(0) == 0);
	hide("intel-rapl:0:1"); /* core, which can be read, is not enough */
	ck_assert(user || seteuid(65534) == 0);
	ask(SM_SOURCE_AUTO);
	ck_assert(user || seteuid(0) == 0);
	expect("only root may read the counters");
	expect("sudo setcap cap_perfmon=ep \"$(command -v tool)\"");
}
END_TEST

START_TEST(zones_without_a_counter)
{
	fix_put("sys/class/powercap/dtpm:0/name", "soc\n");
	fix_put("sys/class/powercap/dtpm:0/power_uw", "2434000\n");
	fix_put("sys/class/powercap/dtpm/enabled", "0\n");
	fix_put("proc/cpuinfo", "CPU implementer\t: 0x41\n");
	ask(SM_SOURCE_RAPL);
	expect("have no energy counter (energy_uj)");
	ck_assert_ptr_nonnull(
		strstr(said.p, "\n  dtpm:0 (soc): no energy counter, 2.434 W now\n"));
	ck_assert(!says("The processor has no"));
	client(); /* counters beside them are not reported */
	sm_buf_reset(&said);
	ck_assert_uint_eq(sm_source_help_zones(&fix, &said), 1);
}
END_TEST

START_TEST(batteries)
{
	supply("BAT0",
		BATTERY "STATUS=Not_charging VOLTAGE_NOW=4000000 CURRENT_NOW=300000");
	supply("BAT1", BATTERY "STATUS=Full");
	supply("mouse", "TYPE=Battery SCOPE=Device PRESENT=1 STATUS=Discharging");
	ask(SM_SOURCE_BATTERY);
	expect("A battery shows the power of the machine only while it discharges (BAT");
	expect("BAT1: full");
	ck_assert(says(", 1.200 W") && says("Unplug the charger") && !says("mouse"));
	ck_assert(!says("RAPL"));
}
END_TEST

START_TEST(batteries_without_a_value)
{
	supply("BAT0", BATTERY "STATUS=Discharging CAPACITY=50");
	ask(SM_SOURCE_BATTERY);
	expect("A battery discharges, but its properties do not give a power: BAT0 "
	       "reports neither rate nor level.");
	supply("BAT0", BATTERY "STATUS=Discharging VOLTAGE_NOW=4006 CHARGE_NOW=1181");
	ask(SM_SOURCE_AUTO);
	expect("give a power: BAT0 reports an implausible voltage (4006 uV).");
	supply("BAT0", BATTERY "STATUS=Discharging CHARGE_NOW=1181000");
	ask(SM_SOURCE_AUTO);
	expect("BAT0 reports a charge, but no rate and no voltage.");
}
END_TEST

START_TEST(states_of_batteries)
{
	supply("BAT0", BATTERY "STATUS=Full");
	open_as(SM_SOURCE_BATTERY);
	sm_source_help_discharge(&p.batteries, &said);
	sm_buf_chr(&said, '\0');
	ck_assert_str_eq(
		said.p, "no battery is discharging (BAT0: full); unplug the charger");
	sm_source_close(&p);
	remove_dir("sys/class/power_supply/BAT0");
	supply("mouse", "TYPE=Battery SCOPE=Device PRESENT=1 STATUS=Discharging");
	open_as(SM_SOURCE_BATTERY);
	sm_buf_reset(&said);
	sm_source_help_discharge(&p.batteries, &said);
	sm_buf_chr(&said, '\0');
	ck_assert_str_eq(said.p, "no battery is discharging; unplug the charger");
}
END_TEST

static void read_zones(uint64_t still, uint64_t of_first)
{
	open_as(SM_SOURCE_RAPL);
	ck_assert_int_eq(sm_source_take(&p, S), 0);
	for (unsigned int i = 0; i < p.n; i++)
		p.rapl.zones.at[i].sums.still = i ? still : of_first;
	sm_buf_reset(&said);
	sm_source_help_still(&p, 80, &said);
	sm_buf_chr(&said, '\0');
	sm_source_close(&p);
}

/* Counters that a hypervisor lets stand still, and those of a machine that is none. */
START_TEST(still_counters)
{
	for (unsigned int i = 0; i < 16; i++) {
		char id[32], name[32];

		snprintf(id, sizeof(id), "intel-rapl:%u", i);
		snprintf(name, sizeof(name), "package-%u\n", i);
		zone(id, name, 0);
	}
	cpu("GenuineIntel", 6, 142, "fpu hypervisor");
	read_zones(4, 4);
	expect("This is a virtual machine. The energy counters of the processor");
	read_zones(4, 0); /* the first one jumps */
	ck_assert_str_eq(said.p, "");
	read_zones(0, 0);
	ck_assert_str_eq(said.p, "");
	cpu("GenuineIntel", 6, 142, "fpu");
	read_zones(4, 4);
	ck_assert_str_eq(said.p, "");
}
END_TEST

START_TEST(sensors_of_parts)
{
	sensor("name", "fam15h_power\n");
	sensor("power1_input", "31000000\n");
	sensor("power2_label", "a\x1b\n");
	sensor("power2_input", "4294967295000\n");
	cpu("AuthenticAMD", 21, 2, "fpu");
	ask(SM_SOURCE_AUTO);
	expect("fam15h_power-power1 31.00 W; a\\x1b reports more than 1 MW. tool -P "
	       "hwmon");
	ask(SM_SOURCE_BATTERY);
	ck_assert(!says("hwmon"));
	sensor("power1_input", "x\n");
	ask(SM_SOURCE_AUTO);
	ck_assert(
		says("No power sensor (hwmon) has a usable value:") && !says("tool -P"));
}
END_TEST

START_TEST(meters)
{
	ask(SM_SOURCE_HWMON);
	expect("sudo modprobe acpi_power_meter");
	ck_assert(!says("RAPL"));
}
END_TEST

/* Returns the length of the longest line; its words fill the width. */
static size_t longest_line(unsigned int columns)
{
	size_t n = 0, most = 0;

	ask_at(SM_SOURCE_AUTO, columns);
	ck_assert_int_eq(said.p[0], '\n');
	for (const char *c = said.p; *c; c++) {
		n = *c == '\n' ? 0 : n + 1;
		most = n > most ? n : most;
	}
	ck_assert_ptr_null(strstr(said.p, " \n"));
	expect("hypervisors hide them from their guests");
	return most;
}

START_TEST(lines)
{
	static const unsigned int widths[] = {40, 80, 120};

	cpu("GenuineIntel", 6, 142, "hypervisor");
	for (size_t i = 0; i < SM_ARRAY_SIZE(widths); i++) {
		size_t most = longest_line(widths[i]);

		ck_assert_uint_le(most, widths[i]);
		ck_assert_uint_gt(most, widths[i] - 8);
	}
}
END_TEST

static TCase *tc_help(void)
{
	TCase *tc = tcase_create("help");

	tcase_add_checked_fixture(tc, help_setup, teardown);
	tcase_add_test(tc, driver_is_not_loaded);
	tcase_add_test(tc, driver_finds_nothing);
	tcase_add_test(tc, processors);
	tcase_add_test(tc, guest);
	tcase_add_test(tc, container);
	tcase_add_test(tc, permission);
	tcase_add_test(tc, zones_without_a_counter);
	tcase_add_test(tc, batteries);
	tcase_add_test(tc, batteries_without_a_value);
	tcase_add_test(tc, states_of_batteries);
	tcase_add_test(tc, still_counters);
	tcase_add_test(tc, sensors_of_parts);
	tcase_add_test(tc, meters);
	tcase_add_test(tc, lines);
	return tc;
}

UNIT_MAIN("source_help", tc_help)
