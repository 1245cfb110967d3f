// SPDX-License-Identifier: GPL-2.0-or-later
#include "hwmon_rig.h"

START_TEST(none)
{
	struct sm_root empty = SM_ROOT_INIT;

	ck_assert_int_eq(sm_hwmon_open(&h, &empty), -ENOENT);
	ck_assert_int_eq(sm_hwmon_open(&h, &fix), -ENOENT);
	put(0, "name", "coretemp\n");
	put(0, "temp1_input", "45000\n");
	put(0, "power1_cap", "45000\n");
	put(0, "power1_average_interval", "45000\n");
	put(0, "power_input", "1\n");
	put(0, "powerx_input", "1\n");
	put(0, "power1_input_highest", "1\n");
	put(0, "energy1_average", "1\n");
	put(0, "_input", "1\n");
	put(0, "power99999999999999999999999999999999999_input", "1\n");
	ck_assert_int_eq(sm_hwmon_open(&h, &fix), -ENOENT);
	ck_assert_ptr_null(h.sensor);
}
END_TEST

START_TEST(acpi_power_meter)
{
	put(3, "name", "power_meter\n");
	put(3, "power1_average", "212000000\n");
	put(3, "power1_input", "999000000\n");
	put(3, "power1_average_interval", "1000\n");
	open_all(1);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_str_eq(h.sensor[0].label, "power_meter-power1");
	ck_assert_str_eq(h.sensor[0].chip, "power_meter");
	ck_assert_str_eq(h.sensor[0].attribute, "power1_average");
	ck_assert_uint_eq(h.sensor[0].number, 3);
	ck_assert_uint_eq(h.sensor[0].value, 212000000);
	ck_assert_uint_eq(h.sensor[0].interval_ms, 1000);
	ck_assert_int_eq(h.sensor[0].scope, SM_HWMON_SYSTEM);
	ck_assert(h.sensor[0].counted && !h.sensor[0].energy);
	ck_assert_uint_gt(h.sensor[0].read_ns, 0);
}
END_TEST

/* Attributes and name in the device, until 6.16. */
START_TEST(attributes_of_the_device)
{
	put(0, "device/name", "power_meter\n");
	put(0, "device/power1_average", "150000000\n");
	put(1, "name", "nvme\n");
	put(1, "device/power1_input", "5\n"); /* not where this one has them */
	open_all(1);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_int_eq(h.sensor[0].scope, SM_HWMON_SYSTEM);
	ck_assert_uint_eq(h.sensor[0].value, 150000000);
}
END_TEST

START_TEST(input_where_the_average_gives_nothing)
{
	put(0, "name", "amdgpu\n");
	fix_mkdir(hw_path(0, "power1_average")); /* EISDIR, as EOPNOTSUPP */
	put(0, "power1_input", "35000000\n");
	put(0, "power2_average", "12000000\n");
	put(0, "power3_input", "13000000\n");
	fix_mkdir(hw_path(0, "power4_average")); /* the only one */
	open_all(4);
	ck_assert_int_eq(sm_hwmon_read(&h), 3);
	ck_assert_str_eq(h.sensor[0].attribute, "power1_input");
	ck_assert_uint_eq(h.sensor[0].value, 35000000);
	ck_assert_str_eq(h.sensor[1].attribute, "power2_average");
	ck_assert_uint_eq(h.sensor[2].value, 13000000);
	ck_assert_int_eq(h.sensor[3].error, -EISDIR);
	ck_assert_str_eq(h.sensor[3].attribute, "power4_average");
	ck_assert_int_eq(h.sensor[0].scope, SM_HWMON_UNKNOWN);
}
END_TEST

START_TEST(which_measure_the_machine)
{
	static const struct {
		const char *chip, *label;
		bool system;
	} t[] = {
		{"power_meter\n", NULL, true},
		{"power_meter\n", "Node\n", true},
		{"ibmpowernv\n", "System\n", true},
		{"ibmpowernv\n", "Chip 0 Vdd Remote Sensor\n", false},
		{"macsmc_hwmon\n", "Total System Power\n", true},
		{"macsmc_hwmon\n", "AC Input Power\n", false},
		{"corsairpsu\n", "power total\n", true},
		{"corsairpsu\n", "power +12v\n", false},
		{"amdgpu\n", "System\n", false},
		{"ina226\n", NULL, false},
	};

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(t); i++) {
		put(i, "name", t[i].chip);
		put(i, "power1_input", "1000000\n");
		if (t[i].label)
			put(i, "power1_label", t[i].label);
	}
	open_all(SM_ARRAY_SIZE(t));
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(t); i++)
		ck_assert_msg((h.sensor[i].scope == SM_HWMON_SYSTEM) == t[i].system,
			"%s %s", t[i].chip, t[i].label);
}
END_TEST

/* ---- what contains what ---- */

START_TEST(parts_of_a_chip)
{
	put(0, "name", "xe\n");
	labelled(0, "energy1", "card\n");
	labelled(0, "energy2", "pkg\n");
	expect_total("card+ pkg");
	put(1, "name", "amd_energy\n");
	labelled(1, "energy1", "Ecore000\n");
	labelled(1, "energy2", "Ecore001\n");
	labelled(1, "energy3", "Esocket0\n");
	labelled(1, "energy4", "Esocket1\n");
	expect_total("card+ pkg Ecore000 Ecore001 Esocket0+ Esocket1+");
	put(2, "name", "other\n");
	labelled(2, "power1", "SVI2_P_Core\n");
	labelled(2, "power2", "SVI2_P_SoC\n");
	expect_total("card+ pkg Ecore000 Ecore001 Esocket0+ Esocket1+ SVI2_P_Core "
		     "SVI2_P_SoC");
	/* of two power supplies, which the card is fed from */
	for (unsigned int i = 3; i < 5; i++) {
		put(i, "name", "pmbus\n");
		labelled(i, "power1", "pin\n");
		labelled(i, "power2", "pout1\n");
		labelled(i, "power3", "pout2\n");
	}
	expect_total("card pkg Ecore000 Ecore001 Esocket0 Esocket1 SVI2_P_Core "
		     "SVI2_P_SoC pin-3+ pout1-3 pout2-3 pin-4+ pout1-4 pout2-4");
	put(5, "name", "power_meter\n");
	labelled(5, "power1", NULL);
	expect_total("card pkg Ecore000 Ecore001 Esocket0 Esocket1 SVI2_P_Core "
		     "SVI2_P_SoC pin-3 pout1-3 pout2-3 pin-4 pout1-4 pout2-4 "
		     "power_meter-power1+");
}
END_TEST

START_TEST(power_and_energy_of_a_channel)
{
	put(0, "name", "ina228\n");
	labelled(0, "power1", NULL);
	labelled(0, "energy1", NULL);
	put(1, "name", "i915\n");
	labelled(1, "energy1", NULL);
	put(2, "name", "i915_gt0\n");
	labelled(2, "energy1", NULL);
	expect_total("ina228-power1 ina228-energy1+ i915-energy1+ i915_gt0-energy1");
	put(0, "energy1_input", "x\n");
	expect_total("ina228-power1+ ina228-energy1 i915-energy1+ i915_gt0-energy1");
}
END_TEST

START_TEST(no_rule)
{
	put(0, "name", "other\n");
	labelled(0, "power1", "SVI2_P_Core\n");
	labelled(0, "power2", "SVI2_P_SoC\n");
	expect_total("SVI2_P_Core SVI2_P_SoC");
	/* "pins" and "card0x" are other words */
	put(1, "name", "other\n");
	labelled(1, "power1", "pins\n");
	labelled(1, "power2", "card0x\n");
	expect_total("SVI2_P_Core SVI2_P_SoC pins card0x");
}
END_TEST

START_TEST(labels)
{
	put(0, "name", "amdgpu\n");
	put(0, "power1_average", "1\n");
	put(0, "power1_label", "PPT\n");
	put(7, "name", "amdgpu\n");
	put(7, "power1_average", "2\n");
	put(7, "power1_label", "PPT\n");
	put(10, "power1_input", "3\n"); /* without a name */
	put(11, "name", "xe\n");
	put(11, "energy1_input", "4\n");
	put(11, "energy2_input", "5\n");
	put(11, "energy1_label", "pkg\n");
	put(12, "name", "chip\n");
	put(12, "power1_input", "6\n");
	put(12, "power2_input", "7\n");
	put(12, "power1_label", "same\n");
	put(12, "power2_label", "same\n");
	open_all(7);
	ck_assert_int_eq(sm_hwmon_read(&h), 7);
	ck_assert_uint_eq(sensor("PPT-0")->value, 1);
	ck_assert_uint_eq(sensor("PPT-7")->value, 2);
	ck_assert_uint_eq(sensor("hwmon10-power1")->value, 3);
	ck_assert_uint_eq(sensor("pkg")->value, 4);
	ck_assert_uint_eq(sensor("xe-energy2")->value, 5);
	ck_assert(sensor("pkg")->energy);
	ck_assert_uint_eq(sensor("same-12")->value, 6);
	ck_assert_uint_eq(sensor("same-12.1")->value, 7);
}
END_TEST

START_TEST(a_suspended_card_is_not_woken)
{
	put(0, "name", "amdgpu\n");
	put(0, "power1_average", "35000000\n");
	put(0, "device/power/runtime_status", "suspended\n");
	put(1, "name", "chip\n");
	put(1, "power1_input", "1\n");
	put(1, "device/power/runtime_status", "suspended\n"); /* no card */
	open_all(2);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_int_eq(h.sensor[0].error, -EAGAIN);
	put(0, "device/power/runtime_status", "active\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	ck_assert_uint_eq(h.sensor[0].value, 35000000);
}
END_TEST

START_TEST(order)
{
	put(10, "name", "a\n");
	put(10, "power1_input", "1\n");
	put(2, "name", "b\n");
	put(2, "energy1_input", "2\n");
	put(2, "power10_input", "3\n");
	put(2, "power2_input", "4\n");
	open_all(4);
	ck_assert_str_eq(h.sensor[0].label, "b-power2");
	ck_assert_str_eq(h.sensor[1].label, "b-power10");
	ck_assert_str_eq(h.sensor[2].label, "b-energy1");
	ck_assert_str_eq(h.sensor[3].label, "a-power1");
}
END_TEST

START_TEST(values)
{
	static const struct {
		const char *text;
		int error;
	} t[] = {
		{"0\n", -ENODATA}, /* no machine draws nothing */
		{"1\n", 0},
		{"1000000000000\n", 0},
		{"1000000000001\n", -ERANGE},
		{"4294967295000000\n", -ERANGE}, /* ACPI's unknown */
		{"-5\n", -EINVAL},
		{"garbage\n", -EINVAL},
		{"", -ENODATA},
		{"5 W\n", -EINVAL},
	};

	put(0, "name", "power_meter\n");
	put(0, "power1_average", "garbage\n"); /* at opening, too */
	open_all(1);
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		put(0, "power1_average", t[i].text);
		ck_assert_msg(sm_hwmon_read(&h) == (t[i].error == 0), "'%s'", t[i].text);
		ck_assert_msg(h.sensor[0].error == t[i].error, "'%s': %d", t[i].text,
			h.sensor[0].error);
	}
}
END_TEST

START_TEST(counters)
{
	struct sm_hwmon_sensor s = {.energy = true};
	uint64_t t = 100 * SM_NSEC_PER_SEC;

	sm_hwmon_count(&s, 5000000, t);
	ck_assert_uint_eq(s.energy_uj, 0);
	sm_hwmon_count(&s, 15000000, t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.energy_uj, 10000000);
	ck_assert_uint_eq(s.covered_ns, SM_NSEC_PER_SEC);
	/* restarted: the energy is unknown */
	sm_hwmon_count(&s, 1000000, t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.energy_uj, 10000000);
	ck_assert_uint_eq(s.covered_ns, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.rebased, 1);
	sm_hwmon_count(&s, 6000000, t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.energy_uj, 15000000);
	/* a jump that no GPU makes */
	sm_hwmon_count(&s, UINT64_MAX - 999999, t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.energy_uj, 15000000);
	ck_assert_uint_eq(s.rebased, 2);
	/* the wrap of 64 bits */
	sm_hwmon_count(&s, 2000000, t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.energy_uj, 18000000);
	ck_assert_uint_eq(s.covered_ns, 3 * SM_NSEC_PER_SEC);
	/* 100 kW for a second, and a millijoule more than that and an update's joule */
	sm_hwmon_count(&s, 2000000 + UINT64_C(100000000000), t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.rebased, 2);
	sm_hwmon_count(&s, 2000000 + UINT64_C(200001001000), t += SM_NSEC_PER_SEC);
	ck_assert_uint_eq(s.rebased, 3);
}
END_TEST

START_TEST(counter_of_a_file)
{
	put(0, "name", "xe\n");
	put(0, "energy1_input", "1000\n");
	open_all(1);
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	put(0, "energy1_input", "3500\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_uint_eq(h.sensor[0].energy_uj, 2500);
	put(0, "energy1_input", "\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 0);
	put(0, "energy1_input", "4000\n");
	ck_assert_int_eq(sm_hwmon_read(&h), 1);
	ck_assert_uint_eq(h.sensor[0].energy_uj, 3000);
}
END_TEST

START_TEST(one_pread_each)
{
	uint64_t before, after;

	put(0, "name", "power_meter\n");
	put(0, "power1_average", "212000000\n");
	put(0, "power1_input", "999000000\n");
	put(1, "name", "xe\n");
	put(1, "energy1_input", "1000\n");
	open_all(2);
	if (!fix_reads_counted())
		return;
	before = fix_reads();
	ck_assert_int_eq(sm_hwmon_read(&h), 2);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 2);
}
END_TEST

static TCase *hwmon(void)
{
	TCase *tc = tcase_create("hwmon");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, acpi_power_meter);
	tcase_add_test(tc, attributes_of_the_device);
	tcase_add_test(tc, input_where_the_average_gives_nothing);
	tcase_add_test(tc, which_measure_the_machine);
	tcase_add_test(tc, parts_of_a_chip);
	tcase_add_test(tc, power_and_energy_of_a_channel);
	tcase_add_test(tc, no_rule);
	tcase_add_test(tc, labels);
	tcase_add_test(tc, a_suspended_card_is_not_woken);
	tcase_add_test(tc, order);
	tcase_add_test(tc, values);
	tcase_add_test(tc, counters);
	tcase_add_test(tc, counter_of_a_file);
	tcase_add_test(tc, one_pread_each);
	return tc;
}

UNIT_MAIN("hwmon", hwmon)
