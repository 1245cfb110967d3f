// SPDX-License-Identifier: GPL-2.0-or-later
#include "hwmon_rig.h"
#include "base/buf.h"

static void open_chips(void)
{
	ck_assert_int_eq(sm_hwmon_open(&h, &fix), 0);
}

static void watts(
	unsigned int number, const char *channel, const char *label, const char *uw)
{
	char name[32];

	labelled(number, channel, label);
	snprintf(name, sizeof(name), "%s_input", channel);
	put(number, name, uw);
}

static uint64_t total_uw(void)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < h.n; i++)
		if (h.sensor[i].counted && !h.sensor[i].error)
			sum += h.sensor[i].value;
	return sum;
}

static void expect_reason(const struct sm_hwmon_sensor *s, const char *want)
{
	struct sm_buf b = {0};

	sm_hwmon_reason(s, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

/* ---- batteries ---- */

/* The kernel replaces '-' in the name, so only the device shows that it is a battery. */
START_TEST(chip_of_a_battery)
{
	static const char *const names[] = {
		"BAT0\n", "macsmc_battery\n", "qcom_battmgr_bat\n", "axp20x_battery\n"};

	put(9, "name", "amdgpu\n");
	labelled(9, "power1", "PPT\n");
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(names); i++) {
		put(i, "name", names[i]);
		labelled(i, "power1", NULL);
		put(i, "device/type", "Battery\n");
	}
	expect_total("PPT+");
}
END_TEST

/* The subsystem of the device decides, if it is known. */
START_TEST(subsystem_of_the_device)
{
	put(0, "name", "supply\n");
	labelled(0, "power1", NULL);
	fix_mkdir(hw_path(0, "device"));
	fix_link(hw_path(0, "device/subsystem"), "../../../../class/power_supply");
	put(1, "name", "typed\n");
	labelled(1, "power1", NULL);
	put(1, "device/type", "5\n");
	fix_link(hw_path(1, "device/subsystem"), "../../../bus/i2c");
	expect_total("typed-power1+");
}
END_TEST

/* A chip that only has the name of a supply is a power sensor. */
START_TEST(name_of_a_battery)
{
	fix_put("sys/class/power_supply/BAT0/type", "Battery\n");
	put(0, "name", "BAT0\n");
	labelled(0, "power1", NULL);
	expect_total("BAT0-power1+");
}
END_TEST

/* ---- meters without a value ---- */

START_TEST(meter_reads_zero)
{
	put(0, "name", "power_meter\n");
	put(0, "power1_average", "0\n");
	open_chips();
	ck_assert_int_eq(h.sensor[0].error, -ENODATA);
	ck_assert_uint_eq(h.sensor[0].zeros, 0); /* no reading of the run */
	ck_assert_int_eq(sm_hwmon_read(&h), 0);
	ck_assert_uint_eq(h.sensor[0].zeros, 1);
	expect_reason(&h.sensor[0], "reads 0 W");
	put(0, "power1_average", "230000000\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert(!h.sensor[0].zero);
	ck_assert_uint_eq(total_uw(), 230000000);
	put(0, "power1_average", "");
	ck_assert_int_eq(sm_hwmon_read(&h), 0);
	ck_assert(!h.sensor[0].zero);
}
END_TEST

START_TEST(average_of_zero_beside_an_input)
{
	put(0, "name", "power_meter\n");
	put(0, "power1_average", "0\n");
	put(0, "power1_average_interval", "1000\n");
	put(0, "power1_input", "5000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_str_eq(h.sensor[0].attribute, "power1_input");
	ck_assert_uint_eq(h.sensor[0].interval_ms, 0); /* an input does not average */
}
END_TEST

/* The update interval of an INA226 with 1024 averages is its averaging time. */
START_TEST(chips_that_average)
{
	put(0, "name", "ina226\n");
	watts(0, "power1", NULL, "5000000\n");
	put(0, "update_interval", "2252\n");
	put(1, "name", "ina226\n");
	watts(1, "power1", NULL, "5000000\n");
	put(1, "update_interval", "35\n");
	put(2, "name", "nct6775\n"); /* reads its registers again after that time */
	watts(2, "power1", NULL, "5000000\n");
	put(2, "update_interval", "1500\n");
	put(3, "name", "power_meter\n");
	put(3, "power1_average", "5000000\n");
	put(3, "power1_average_interval", "10\n");
	open_chips();
	ck_assert_uint_eq(h.sensor[0].interval_ms, 2252);
	ck_assert_uint_eq(h.sensor[1].interval_ms, 0);
	ck_assert_uint_eq(h.sensor[2].interval_ms, 0);
	ck_assert_uint_eq(h.sensor[3].interval_ms, 10);
}
END_TEST

/* A supply of a running machine draws power; a card or a rail may draw nothing. */
START_TEST(zero_by_scope)
{
	put(0, "name", "pmbus\n");
	watts(0, "power1", "pin\n", "0\n");
	watts(0, "power2", "pout1\n", "0\n");
	put(1, "name", "amdgpu\n");
	watts(1, "power1", "PPT\n", "0\n");
	open_chips();
	ck_assert(h.sensor[0].error == -ENODATA && h.sensor[0].zero);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_int_eq(sensor("pin")->error, -ENODATA);
	ck_assert_int_eq(sensor("pout1")->error, 0);
	ck_assert_int_eq(sensor("PPT")->error, 0);
}
END_TEST

/* A supply of which only the input is known is a supply; if it is unplugged, it has no
 * value. */
START_TEST(supply_with_one_sensor)
{
	put(0, "name", "pmbus\n");
	watts(0, "power1", "pin\n", "200000000\n");
	watts(0, "power2", "pout1\n", "180000000\n");
	put(1, "name", "pmbus\n");
	watts(1, "power1", "pin\n", "0\n");
	open_chips();
	ck_assert_int_eq(sensor("pin-1")->scope, SM_HWMON_SUPPLY);
	ck_assert(sensor("pin-1")->counted);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert(sensor("pin-1")->zero);
	ck_assert_uint_eq(total_uw(), 200000000);
}
END_TEST

START_TEST(unknown_power)
{
	put(0, "name", "power_meter\n");
	put(0, "power1_average", "4294967295000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 0);
	ck_assert_int_eq(h.sensor[0].error, -ERANGE);
	ck_assert_uint_eq(h.sensor[0].excesses, 1);
	expect_reason(
		&h.sensor[0], "reads 4294967 W, which is above the limit of 1000000 W");
}
END_TEST

static void age(struct sm_hwmon_sensor *s, uint64_t ns)
{
	s->read_ns -= ns;
}

/* A counter that stands still while its channel draws 9 W has no value; the power
 * replaces it. */
START_TEST(counter_stands_still)
{
	put(0, "name", "ina228\n");
	watts(0, "power1", NULL, "9000000\n");
	watts(0, "energy1", NULL, "5000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	age(sensor("ina228-energy1"), SM_NSEC_PER_SEC / 2);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_uint_eq(sensor("ina228-energy1")->covered_ns, 0);
	ck_assert_uint_eq(sensor("ina228-energy1")->stood, 1);
	ck_assert(sensor("ina228-energy1")->counted);
	age(sensor("ina228-energy1"), SM_NSEC_PER_SEC / 2);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_int_eq(sensor("ina228-energy1")->scope, SM_HWMON_STILL);
	ck_assert(!sensor("ina228-energy1")->counted);
	ck_assert_int_eq(sensor("ina228-power1")->scope, SM_HWMON_DEVICE);
	ck_assert_uint_eq(total_uw(), 9000000);
}
END_TEST

/* 0.1 W need 10 s for the step of a counter in joules: it is used, and the step covers
 * that time. */
START_TEST(counter_of_coarse_steps)
{
	struct sm_hwmon_sensor *e;

	put(0, "name", "slow\n");
	watts(0, "power1", NULL, "100000\n");
	watts(0, "energy1", NULL, "5000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	e = sensor("slow-energy1");
	age(e, 9 * SM_NSEC_PER_SEC);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert(e->counted);
	put(0, "energy1_input", "6000000\n");
	age(e, SM_NSEC_PER_SEC);
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_uint_eq(e->energy_uj, 1000000);
	ck_assert_uint_ge(e->covered_ns, 10 * SM_NSEC_PER_SEC);
	ck_assert_uint_lt(e->covered_ns, 11 * SM_NSEC_PER_SEC);
}
END_TEST

/* A counter without power sensor, as of a graphics card, may stand still: 0 W. */
START_TEST(counter_of_an_idle_card)
{
	put(0, "name", "xe\n");
	watts(0, "energy1", "card\n", "5000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	age(&h.sensor[0], 2 * SM_NSEC_PER_SEC);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_uint_ge(h.sensor[0].covered_ns, 2 * SM_NSEC_PER_SEC);
}
END_TEST

/* A meter of the whole machine that counts is different: the machine draws power. */
START_TEST(counter_of_the_machine)
{
	put(0, "name", "corsairpsu\n");
	watts(0, "energy1", "power total\n", "5000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	age(&h.sensor[0], 2 * SM_NSEC_PER_SEC);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_uint_eq(h.sensor[0].covered_ns, 0);
	ck_assert_uint_eq(h.sensor[0].stood, 1);
	put(0, "energy1_input", "305000000\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_uint_eq(h.sensor[0].energy_uj, 300000000);
	ck_assert_uint_ge(h.sensor[0].covered_ns, 2 * SM_NSEC_PER_SEC);
}
END_TEST

/* ---- sums by rule ---- */

START_TEST(rails_of_a_processor)
{
	put(0, "name", "zenpower\n");
	watts(0, "power1", "SVI2_P_Core\n", "21120000\n");
	watts(0, "power2", "SVI2_P_SoC\n", "9280000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_uint_eq(total_uw(), 30400000);
	ck_assert(sm_hwmon_is_processor(&h) && !sm_hwmon_is_system(&h));
}
END_TEST

START_TEST(rails_by_label)
{
	put(0, "name", "zenpower\n");
	labelled(0, "power1", "cpu0 SVI2_P_Core\n");
	labelled(0, "power2", "cpu0 SVI2_P_SoC\n");
	put(1, "name", "zenpower\n");
	labelled(1, "power1", "RAPL_P_Package\n");
	labelled(1, "power2", "RAPL_P_Core\n");
	put(2, "name", "apm_xgene\n");
	labelled(2, "power1", "CPU power\n");
	labelled(2, "power2", "IO power\n");
	put(3, "name", "altra_hwmon\n");
	labelled(3, "energy1", "Core Energy 000\n");
	labelled(3, "power1", "CPU power 000\n");
	labelled(3, "power2", "IO power 000\n");
	put(4, "name", "unknown\n");
	labelled(4, "power1", "CPU power\n");
	labelled(4, "power2", "CPU power of it\n");
	expect_total("cpu0 SVI2_P_Core+ cpu0 SVI2_P_SoC+ RAPL_P_Package+ RAPL_P_Core "
		     "CPU power-2+ IO power+ CPU power 000+ IO power 000+ "
		     "Core Energy 000 CPU power-4 CPU power of it");
}
END_TEST

START_TEST(only_the_processor)
{
	put(0, "name", "fam15h_power\n");
	watts(0, "power1", NULL, "31000000\n");
	put(1, "name", "amdgpu\n");
	watts(1, "power1", "PPT\n", "12000000\n");
	open_chips();
	ck_assert(!sm_hwmon_is_processor(&h));
	/* requested: all parts; otherwise the processor only */
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, true, NULL), 0);
	ck_assert_uint_eq(total_uw(), 43000000);
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, false, NULL), 0);
	ck_assert_uint_eq(total_uw(), 31000000);
	ck_assert(sm_hwmon_is_processor(&h));
}
END_TEST

START_TEST(no_processor)
{
	put(1, "name", "amdgpu\n");
	watts(1, "power1", "PPT\n", "12000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, false, NULL), -ENODATA);
	ck_assert_uint_eq(total_uw(), 12000000);
}
END_TEST

/* A meter of the whole machine that reads 0 gives way to the processor's sensor. */
START_TEST(meter_without_a_value)
{
	put(0, "name", "power_meter\n");
	put(0, "power1_average", "0\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, false, NULL), 0);
	ck_assert(h.sensor[0].counted);
	sm_hwmon_close(&h);
	put(1, "name", "fam15h_power\n");
	watts(1, "power1", NULL, "31000000\n");
	open_chips();
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, false, NULL), 0);
	ck_assert_uint_eq(total_uw(), 31000000);
	ck_assert(!h.sensor[0].counted);
}
END_TEST

/* Meters of different kinds measure the same power; those of two power supplies do not.
 */
START_TEST(meters_of_the_machine)
{
	put(0, "name", "corsairpsu\n");
	watts(0, "power1", "power total\n", "180000000\n");
	put(1, "name", "corsairpsu\n");
	watts(1, "power1", "power total\n", "20000000\n");
	open_chips();
	ck_assert_uint_eq(total_uw(), 200000000);
	sm_hwmon_close(&h);
	put(2, "name", "power_meter\n");
	put(2, "power1_average", "212000000\n");
	open_chips();
	ck_assert_int_eq(h.sensor[0].scope, SM_HWMON_SYSTEM);
	ck_assert_uint_eq(total_uw(), 212000000);
	ck_assert_int_eq(sm_hwmon_choose(&h, NULL, false, NULL), 0);
	ck_assert_uint_eq(total_uw(), 212000000);
	sm_hwmon_close(&h);
	put(2, "power1_average", "0\n"); /* no value */
	open_chips();
	ck_assert_uint_eq(total_uw(), 200000000);
}
END_TEST

/* ---- voltage times current ---- */

static void rail(unsigned int channel, const char *label, const char *mv, const char *ma)
{
	char name[32];

	snprintf(name, sizeof(name), "in%u_label", channel);
	if (label)
		put(0, name, label);
	snprintf(name, sizeof(name), "in%u_input", channel);
	put(0, name, mv);
	snprintf(name, sizeof(name), "curr%u_input", channel);
	put(0, name, ma);
}

static void ina3221(const char *first)
{
	put(0, "name", "ina3221\n");
	rail(1, first, "5000\n", "1200\n");
	rail(2, "VDD_CPU_GPU_CV\n", "4976\n", "400\n");
	rail(3, NULL, "4984\n", "-3\n");
	rail(4, NULL, "17\n", "1597\n"); /* shunt voltage, sum of the currents */
	rail(7, "sum of shunt voltages\n", "17\n", "1\n");
}

START_TEST(rails_of_a_jetson)
{
	ina3221("VDD_IN\n");
	open_chips();
	ck_assert_uint_eq(h.n, 3);
	ck_assert_int_eq(sm_hwmon_read(&h), 3);
	ck_assert_uint_eq(total_uw(), 6000000);
	ck_assert(sm_hwmon_is_system(&h));
	ck_assert_uint_eq(sensor("VDD_CPU_GPU_CV")->value, 1990400);
	ck_assert_int_eq(sensor("VDD_CPU_GPU_CV")->scope, SM_HWMON_INSIDE);
	ck_assert_uint_eq(sensor("ina3221-in3")->value, 0);
	ck_assert_str_eq(sensor("VDD_IN")->attribute, "in1 * curr1");
	sm_hwmon_close(&h);
	put(0, "in1_label", "POM_5V_IN\n");
	expect_total("POM_5V_IN+ VDD_CPU_GPU_CV ina3221-in3");
	/* the 5 V rail is one of three supplies */
	put(0, "in1_label", "VIN_SYS_5V0\n");
	expect_total("VIN_SYS_5V0 VDD_CPU_GPU_CV ina3221-in3");
}
END_TEST

START_TEST(voltages_that_are_not_rails)
{
	ina3221("VDD_IN\n");
	put(0, "power1_input", "7000000\n"); /* a chip that multiplies itself */
	put(1, "name", "nct6775\n");
	put(1, "in1_input", "12000\n");
	put(1, "curr1_input", "1000\n");
	expect_total("ina3221-power1+");
}
END_TEST

START_TEST(rail_without_a_current)
{
	static const char *const currents[] = {"x\n", "", "2000000\n"};

	ina3221("VDD_IN\n");
	open_chips();
	for (size_t i = 0; i < SM_ARRAY_SIZE(currents); i++) {
		put(0, "curr1_input", currents[i]);
		ck_assert_int_eq(sm_hwmon_read(&h), 2);
		ck_assert_int_lt(sensor("VDD_IN")->error, 0);
	}
	put(0, "curr1_input", "0\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert(sensor("VDD_IN")->zero);
	sm_hwmon_close(&h);
	ck_assert_int_eq(unlink(fix_path(hw_path(0, "curr2_input"))), 0);
	open_chips();
	ck_assert_int_eq(sensor("VDD_CPU_GPU_CV")->error, -ENOENT);
}
END_TEST

/* ---- the user's choice ---- */

static void expect_chosen(const char *labels, const char *want)
{
	char got[256] = "";
	size_t n = 0;

	ck_assert_int_eq(sm_hwmon_choose(&h, labels, true, NULL), 0);
	for (unsigned int i = 0; i < h.n; i++)
		if (h.sensor[i].counted)
			n += (size_t)snprintf(
				got + n, sizeof(got) - n, "%s|", h.sensor[i].label);
	ck_assert_str_eq(got, want);
}

static void expect_unknown(const char *labels, const char *want)
{
	struct sm_buf why = {0};

	ck_assert_int_eq(sm_hwmon_choose(&h, labels, true, &why), -EINVAL);
	sm_buf_chr(&why, '\0');
	ck_assert_str_eq(why.p, want);
	sm_buf_fini(&why);
}

static void choices(void)
{
	ina3221("VDD_IN\n");
	put(1, "name", "chip\n");
	watts(1, "power1", "a\n", "1000000\n");
	watts(1, "power2", "a,b\n", "2000000\n");
	watts(1, "power3", "\x1b[2J\xff\n", "4000000\n");
	open_chips();
}

START_TEST(chosen_by_label)
{
	choices();
	expect_chosen("VDD_CPU_GPU_CV", "VDD_CPU_GPU_CV|");
	expect_chosen("VDD_CPU_GPU_CV,ina3221-in3", "VDD_CPU_GPU_CV|ina3221-in3|");
	expect_chosen("a,VDD_IN", "VDD_IN|a|");
	expect_chosen("a,a", "a|");
	/* the longest label, with its comma */
	expect_chosen("a,b", "a,b|");
	expect_chosen("a,b,a", "a|a,b|");
	/* as it is and as it is printed */
	expect_chosen("\x1b[2J\xff", "\x1b[2J\xff|");
	expect_chosen("\\x1b[2J\\xff,a", "a|\x1b[2J\xff|");
	ck_assert(!sm_hwmon_is_system(&h));
	expect_chosen("VDD_IN", "VDD_IN|");
	ck_assert(sm_hwmon_is_system(&h));
}
END_TEST

START_TEST(unknown_label)
{
	choices();
	expect_unknown("VDD_INN", "no sensor 'VDD_INN'; the nearest label is 'VDD_IN'; "
				  "--list shows all labels");
	expect_unknown("a,VDD_CPU", "no sensor 'VDD_CPU'; the nearest label is 'VDD_IN'; "
				    "--list shows all labels");
	expect_unknown("\x1b]0;x\a", "no sensor '\\x1b]0;x\\x07'; the nearest label is "
				     "'\\x1b[2J\\xff'; --list "
				     "shows all labels");
	expect_unknown(
		"a,", "no sensor ''; the nearest label is 'a'; --list shows all labels");
	expect_unknown(
		"", "no sensor ''; the nearest label is 'a'; --list shows all labels");
}
END_TEST

static TCase *tc_rules(void)
{
	TCase *tc = tcase_create("rules");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, chip_of_a_battery);
	tcase_add_test(tc, subsystem_of_the_device);
	tcase_add_test(tc, name_of_a_battery);
	tcase_add_test(tc, rails_of_a_processor);
	tcase_add_test(tc, rails_by_label);
	tcase_add_test(tc, only_the_processor);
	tcase_add_test(tc, no_processor);
	tcase_add_test(tc, meter_without_a_value);
	tcase_add_test(tc, meters_of_the_machine);
	tcase_add_test(tc, rails_of_a_jetson);
	tcase_add_test(tc, voltages_that_are_not_rails);
	tcase_add_test(tc, rail_without_a_current);
	tcase_add_test(tc, chosen_by_label);
	tcase_add_test(tc, unknown_label);
	return tc;
}

static TCase *tc_values(void)
{
	TCase *tc = tcase_create("values");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, meter_reads_zero);
	tcase_add_test(tc, average_of_zero_beside_an_input);
	tcase_add_test(tc, chips_that_average);
	tcase_add_test(tc, zero_by_scope);
	tcase_add_test(tc, supply_with_one_sensor);
	tcase_add_test(tc, unknown_power);
	tcase_add_test(tc, counter_stands_still);
	tcase_add_test(tc, counter_of_coarse_steps);
	tcase_add_test(tc, counter_of_an_idle_card);
	tcase_add_test(tc, counter_of_the_machine);
	return tc;
}

UNIT_MAIN("hwmon_rules", tc_rules, tc_values)
