// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "battery_rig.h"
#include "power/battery_level.h"

static struct sm_battery parsed;

static int parse(const char *words)
{
	char text[2048], *copy;
	size_t n;
	int ret;

	to_uevent(text, sizeof(text), words);
	n = strlen(text);
	copy = malloc(n + 1); /* of exactly its length, for sanitizers */
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, n);
	ret = sm_battery_text_uevent(&parsed, copy, n);
	free(copy);
	return ret;
}

START_TEST(rates)
{
	static const struct {
		const char *words;
		uint64_t uw; /* 0: none */
	} t[] = {
		{"POWER_NOW=12500000", 12500000},
		{"POWER_NOW=-12500000", 12500000},
		{"CURRENT_NOW=1000000 VOLTAGE_NOW=12000000", 12000000},
		{"CURRENT_NOW=-1000000 VOLTAGE_NOW=12000000", 12000000},
		/* both: never added; macsmc has both negative */
		{"POWER_NOW=12500000 CURRENT_NOW=1000000 VOLTAGE_NOW=12500000", 12500000},
		{"VOLTAGE_NOW=12500000 CURRENT_NOW=-1000000 POWER_NOW=-12400000",
			12400000},
		/* qcom-battmgr */
		{"VOLTAGE_NOW=7700000 CURRENT_NOW=-650000", 5005000},
		/* no power_now that is one */
		{"POWER_NOW=0 CURRENT_NOW=1000000 VOLTAGE_NOW=12000000", 12000000},
		{"POWER_NOW=1000 CURRENT_NOW=1000000 VOLTAGE_NOW=12000000", 12000000},
		{"POWER_NOW=x CURRENT_NOW=1000000 VOLTAGE_NOW=12000000", 12000000},
		{"POWER_NOW=0", 0},
		{"POWER_NOW=10000", 0},
		{"POWER_NOW=10001", 10001},
		{"POWER_NOW=1000000000", 1000000000},
		{"POWER_NOW=1000000001", 0},
		{"POWER_NOW=-9223372036854775808", 0},
		{"POWER_NOW=9223372036854775808", 0},
		{"POWER_NOW=99999999999999999999999", 0},
		{"POWER_NOW=12500000x", 0},
		{"POWER_NOW=+12500000", 0},
		{"POWER_NOW=", 0},
		{"POWER_NOW=_12500000", 0},
		{"CURRENT_NOW=1000000", 0},
		{"CURRENT_NOW=1000000 VOLTAGE_NOW=0", 0},
		{"CURRENT_NOW=1000000 VOLTAGE_NOW=-12000000", 0},
		{"CURRENT_NOW=0 VOLTAGE_NOW=12000000", 0},
		{"CURRENT_NOW=833 VOLTAGE_NOW=12000000", 0},
		{"CURRENT_NOW=834 VOLTAGE_NOW=12000000", 10008},
		{"CURRENT_NOW=90000000 VOLTAGE_NOW=12000000", 0},
		{"CURRENT_NOW=1000000001 VOLTAGE_NOW=1", 0},
		{"CURRENT_NOW=18446744073709551615 VOLTAGE_NOW=1000000000", 0},
		{"VOLTAGE_NOW=12000000", 0},
		/* averages serve where there is no momentary value (rk817) */
		{"CURRENT_AVG=-161508 VOLTAGE_AVG=4117300 VOLTAGE_OCV=16000 "
		 "VOLTAGE_BOOT=4151670 CURRENT_BOOT=-39560",
			664976},
		{"POWER_AVG=7000000", 7000000},
		{"POWER_NOW=0 POWER_AVG=7000000", 7000000},
		{"POWER_NOW=6000000 POWER_AVG=7000000", 6000000},
		{"CURRENT_NOW=0 CURRENT_AVG=500000 VOLTAGE_NOW=8000000", 4000000},
		{"CURRENT_NOW=1000000 VOLTAGE_NOW=0 VOLTAGE_AVG=8000000", 8000000},
		{"CURRENT_NOW=1000000 VOLTAGE_NOW=9000000 VOLTAGE_AVG=8000000", 9000000},
		/* other moments are none of these */
		{"CURRENT_BOOT=500000 VOLTAGE_NOW=8000000", 0},
		{"CURRENT_NOW=500000 VOLTAGE_OCV=8000000", 0},
		{"CURRENT_NOW=500000 VOLTAGE_BOOT=8000000", 0},
		/* design voltage, the lower one */
		{"CURRENT_NOW=500000 VOLTAGE_MIN_DESIGN=3500000 "
		 "VOLTAGE_MAX_DESIGN=4200000",
			1750000},
		{"CURRENT_NOW=500000 VOLTAGE_MAX_DESIGN=4200000", 2100000},
		/* wrong units: mV, mA, mAh, mWh */
		{"VOLTAGE_NOW=4006 CURRENT_NOW=-291 POWER_NOW=20000", 0},
		{"VOLTAGE_NOW=4006 VOLTAGE_AVG=4006 VOLTAGE_MIN_DESIGN=3500000 "
		 "CURRENT_NOW=291000",
			0},
		{"VOLTAGE_NOW=4000000 CURRENT_NOW=15000 CHARGE_FULL=3000", 0},
		{"POWER_NOW=12000 ENERGY_FULL=50000 ENERGY_FULL_DESIGN=55000", 0},
		/* a worn battery: its design is plausible */
		{"POWER_NOW=5000000 ENERGY_FULL=50000 ENERGY_FULL_DESIGN=50000000",
			5000000},
		/* the last one counts */
		{"VOLTAGE_NOW=12000000 VOLTAGE_NOW=x CURRENT_NOW=1000000", 0},
		{"POWER_NOW=5000000 POWER_NOW=6000000", 6000000},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		parsed = (struct sm_battery){.has_rate = true, .rate_uw = 7};
		ck_assert_int_eq(parse(t[i].words), 0);
		ck_assert_msg(parsed.has_rate == (t[i].uw != 0), "%s", t[i].words);
		ck_assert_msg(parsed.rate_uw == t[i].uw, "%s: %llu", t[i].words,
			(unsigned long long)parsed.rate_uw);
	}
}
END_TEST

START_TEST(types_and_scopes)
{
	static const struct {
		const char *words;
		enum sm_battery_type type;
		bool system;
	} t[] = {
		{"TYPE=Battery", SM_BATTERY_TYPE_BATTERY, true},
		{"TYPE=Battery SCOPE=System", SM_BATTERY_TYPE_BATTERY, true},
		{"TYPE=Battery SCOPE=Unknown", SM_BATTERY_TYPE_BATTERY, true},
		{"TYPE=Battery SCOPE=Device", SM_BATTERY_TYPE_BATTERY, false},
		{"SCOPE=Device TYPE=Battery", SM_BATTERY_TYPE_BATTERY, false},
		{"TYPE=Mains", SM_BATTERY_TYPE_MAINS, false},
		{"TYPE=USB", SM_BATTERY_TYPE_MAINS, false},
		{"TYPE=USB_PD", SM_BATTERY_TYPE_MAINS, false},
		{"TYPE=Wireless", SM_BATTERY_TYPE_MAINS, false},
		{"TYPE=UPS", SM_BATTERY_TYPE_OTHER, false},
		{"TYPE=Batterywax", SM_BATTERY_TYPE_OTHER, false},
		{"TYPE=Unknown", SM_BATTERY_TYPE_OTHER, false},
		{"TYPE=", SM_BATTERY_TYPE_OTHER, false},
		{"STATUS=Full", SM_BATTERY_TYPE_UNKNOWN, false},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		parsed = (struct sm_battery){0};
		ck_assert_int_eq(parse(t[i].words), 0);
		ck_assert_msg(parsed.type == t[i].type, "%s", t[i].words);
		ck_assert_msg(parsed.system == t[i].system, "%s", t[i].words);
	}
}
END_TEST

START_TEST(states)
{
	static const struct {
		const char *words;
		enum sm_battery_status status;
		bool present, online;
	} t[] = {
		{"STATUS=Discharging", SM_BATTERY_DISCHARGING, true, false},
		{"STATUS=Charging", SM_BATTERY_CHARGING, true, false},
		{"STATUS=Not_charging", SM_BATTERY_NOT_CHARGING, true, false},
		{"STATUS=Full PRESENT=1", SM_BATTERY_FULL, true, false},
		{"STATUS=Unknown PRESENT=0", SM_BATTERY_UNKNOWN, false, false},
		{"STATUS=Discharging_fast", SM_BATTERY_UNKNOWN, true, false},
		{"ONLINE=1", SM_BATTERY_UNKNOWN, true, true},
		{"ONLINE=2", SM_BATTERY_UNKNOWN, true, true},
		{"ONLINE=0", SM_BATTERY_UNKNOWN, true, false},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		ck_assert_int_eq(parse(t[i].words), 0);
		ck_assert_msg(parsed.status == t[i].status, "%s", t[i].words);
		ck_assert_msg(parsed.present == t[i].present, "%s", t[i].words);
		ck_assert_msg(parsed.online == t[i].online, "%s", t[i].words);
	}
}
END_TEST

START_TEST(uevent_garbage)
{
	static const char nul[] =
		"POWER_SUPPLY_TYPE=Battery\0\n\0POWER_SUPPLY_STATUS=Full\n"
		"POWER_SUPPLY_POWER_NOW=5000000\0\nPOWER_SUPPLY_=\n=\n\n"
		"POWER_SUPPLY_ENERGY_NOW=50000000";

	parsed = (struct sm_battery){0};
	ck_assert_int_eq(sm_battery_text_uevent(&parsed, "", 0), -EBADMSG);
	ck_assert_int_eq(sm_battery_text_uevent(&parsed, "\n\n\n", 3), -EBADMSG);
	ck_assert_int_eq(sm_battery_text_uevent(&parsed, "STATUS=Full", 11), -EBADMSG);
	ck_assert_int_eq(parse("CAPACITY_LEVEL=50 SERIAL_NUMBER=%s%n"), -EBADMSG);
	ck_assert_int_eq(sm_battery_text_uevent(&parsed, nul, sizeof(nul) - 1), 0);
	ck_assert_int_eq(parsed.type, SM_BATTERY_TYPE_OTHER);
	ck_assert_int_eq(parsed.status, SM_BATTERY_UNKNOWN);
	ck_assert(!parsed.has_rate);
	ck_assert(parsed.has_energy); /* the last line, without its end */
	ck_assert_uint_eq(parsed.energy_uwh, 50000000);
	/* nothing of it stays */
	ck_assert_int_eq(parse("CHARGE_NOW=-5"), 0);
	ck_assert(!parsed.has_energy && !parsed.has_charge);
	ck_assert_uint_eq(parsed.energy_uwh, 0);
}
END_TEST

START_TEST(levels_that_are_used)
{
	static const struct {
		const char *words;
		bool energy, charge, counter, above_full;
	} t[] = {
		{"ENERGY_NOW=50000000", true, false, false, false},
		{"ENERGY_AVG=50000000", true, false, false, false},
		{"CHARGE_AVG=3000000", false, true, false, false},
		{"CHARGE_COUNTER=-3000000", false, false, true, false},
		{"CHARGE_COUNTER=x", false, false, false, false},
		{"CHARGE_FULL=3000000 ENERGY_FULL=50000000", false, false, false, false},
		/* 1.25 times the larger capacity */
		{"ENERGY_NOW=50000000 ENERGY_FULL=30000000 ENERGY_FULL_DESIGN=40000000",
			true, false, false, false},
		{"ENERGY_NOW=50000001 ENERGY_FULL=30000000 ENERGY_FULL_DESIGN=40000000",
			false, false, false, true},
		{"CHARGE_NOW=34067000 CHARGE_FULL=5225000 ENERGY_NOW=50000000 "
		 "ENERGY_FULL=59565000",
			true, false, false, true},
		{"CHARGE_NOW=1181 CHARGE_FULL=1408", false, false, false, false},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		parsed = (struct sm_battery){0};
		ck_assert_int_eq(parse(t[i].words), 0);
		ck_assert_msg(parsed.has_energy == t[i].energy, "%s", t[i].words);
		ck_assert_msg(parsed.has_charge == t[i].charge, "%s", t[i].words);
		ck_assert_msg(parsed.has_counter == t[i].counter, "%s", t[i].words);
		ck_assert_msg(parsed.above_full == t[i].above_full, "%s", t[i].words);
	}
}
END_TEST

static void expect_why_not(const char *words, const char *want)
{
	struct sm_buf b = {0};

	parsed = (struct sm_battery){0};
	ck_assert_int_eq(parse(words), 0);
	ck_assert_msg(sm_battery_has_figure(&parsed) == !want, "%s", words);
	if (!want)
		return;
	sm_battery_why_not(&parsed, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

START_TEST(reasons_for_no_value)
{
	expect_why_not("POWER_NOW=5000000", NULL);
	expect_why_not("ENERGY_NOW=5000000", NULL);
	expect_why_not("CHARGE_COUNTER=-5 VOLTAGE_AVG=4000000", NULL);
	expect_why_not("CHARGE_NOW=3000000 VOLTAGE_MIN_DESIGN=3500000", NULL);
	expect_why_not(
		"CHARGE_NOW=3000000", "reports a charge, but no rate and no voltage");
	expect_why_not(
		"VOLTAGE_NOW=4000000 CAPACITY=50", "reports neither rate nor level");
	expect_why_not("VOLTAGE_NOW=4006 CHARGE_NOW=1181",
		"reports an implausible voltage (4006 uV)");
	expect_why_not("VOLTAGE_NOW=4006000 CHARGE_NOW=1181 CHARGE_FULL=1408",
		"reports an implausible capacity (1408 uAh)");
	expect_why_not("ENERGY_NOW=388000000 ENERGY_FULL=59565000",
		"reports a level above its capacity, and no rate");
}
END_TEST

static int parse_legacy(const char *text)
{
	return sm_battery_text_legacy(&parsed, text, strlen(text));
}

START_TEST(legacy_texts)
{
	parsed = (struct sm_battery){0};
	ck_assert_int_eq(parse_legacy("present:                 yes\n"
				      "capacity state:          ok\n"
				      "charging state:          discharging\n"
				      "present rate:            12500 mW\n"
				      "remaining capacity:      50000 mWh\n"
				      "present voltage:         12000 mV\n"),
		0);
	ck_assert(parsed.system && parsed.present);
	ck_assert_int_eq(parsed.status, SM_BATTERY_DISCHARGING);
	ck_assert(parsed.has_rate && parsed.has_energy && !parsed.has_charge);
	ck_assert_uint_eq(parsed.rate_uw, 12500000);
	ck_assert_uint_eq(parsed.energy_uwh, 50000000);
	ck_assert_uint_eq(parsed.voltage_uv, 12000000);
	ck_assert_int_eq(parse_legacy("charging state: charging\n"
				      "present rate: 1500 mA\n"
				      "remaining capacity: 4000 mAh\n"
				      "present voltage: 11000 mV"),
		0);
	ck_assert_int_eq(parsed.status, SM_BATTERY_CHARGING);
	ck_assert(parsed.has_rate && !parsed.has_energy && parsed.has_charge);
	ck_assert_uint_eq(parsed.rate_uw, 16500000);
	ck_assert_uint_eq(parsed.charge_uah, 4000000);
	ck_assert_int_eq(parse_legacy("charging state: charged\npresent rate: unknown\n"
				      "remaining capacity: unknown\n"
				      "present voltage: unknown\n"),
		0);
	ck_assert_int_eq(parsed.status, SM_BATTERY_FULL);
	ck_assert(!parsed.has_rate && !parsed.has_energy && !parsed.has_charge);
	ck_assert(!parsed.has_voltage);
	ck_assert_int_eq(parse_legacy("present: no\n"), 0);
	ck_assert(!parsed.present);
	ck_assert_int_eq(parse_legacy("charging state: charging/discharging\n"
				      "present rate: -2000 mW\n"),
		0);
	ck_assert_int_eq(parsed.status, SM_BATTERY_UNKNOWN);
	ck_assert_uint_eq(parsed.rate_uw, 2000000);
	/* what is none */
	ck_assert_int_eq(
		parse_legacy("present rate: 18446744073709551615 mW\n"
			     "remaining capacity: -5 mWh\npresent voltage: 5 V\n"),
		0);
	ck_assert(!parsed.has_rate && !parsed.has_energy && !parsed.has_voltage);
	ck_assert_int_eq(parse_legacy("ERROR: Unable to read battery state\n"), -EBADMSG);
	ck_assert_int_eq(parse_legacy(":::\n\n"), -EBADMSG);
}
END_TEST

/* info is read once: its voltage serves where state has none. */
START_TEST(legacy_design_voltage)
{
	parsed = (struct sm_battery){0};
	ck_assert_int_eq(parse_legacy("design capacity: 4400 mAh\n"
				      "design voltage: 14800 mV\n"),
		0);
	ck_assert_int_eq(
		parse_legacy("present rate: 1000 mA\npresent voltage: unknown\n"), 0);
	ck_assert_uint_eq(parsed.rate_uw, 14800000);
	ck_assert(sm_battery_by_design(&parsed));
	ck_assert_int_eq(
		parse_legacy("present rate: 1000 mA\npresent voltage: 15000 mV\n"), 0);
	ck_assert_uint_eq(parsed.rate_uw, 15000000);
}
END_TEST

static TCase *texts(void)
{
	TCase *tc = tcase_create("texts");

	tcase_add_test(tc, rates);
	tcase_add_test(tc, types_and_scopes);
	tcase_add_test(tc, states);
	tcase_add_test(tc, uevent_garbage);
	tcase_add_test(tc, levels_that_are_used);
	tcase_add_test(tc, reasons_for_no_value);
	tcase_add_test(tc, legacy_texts);
	tcase_add_test(tc, legacy_design_voltage);
	return tc;
}

/* ---- the level ---- */

static void level(uint64_t s, const char *words)
{
	ck_assert_int_eq(parse(words), 0);
	sm_battery_level_update(&parsed, s * SM_NSEC_PER_SEC);
}

START_TEST(level_of_energy)
{
	parsed = (struct sm_battery){0};
	/* sbs-battery has both: energy alone counts */
	level(1, "ENERGY_NOW=50000000 CHARGE_NOW=4000000 VOLTAGE_NOW=12500000");
	ck_assert(parsed.has_level);
	ck_assert_double_eq_tol(parsed.level_uj, 180000e6, 1);
	ck_assert_uint_eq(parsed.edges, 0);
	ck_assert_uint_eq(parsed.level_ns, SM_NSEC_PER_SEC);
	level(2, "ENERGY_NOW=50000000 CHARGE_NOW=3999000 VOLTAGE_NOW=12500000");
	ck_assert_uint_eq(parsed.edges, 0);
	ck_assert_uint_eq(parsed.level_ns, SM_NSEC_PER_SEC);
	level(3, "ENERGY_NOW=49999000 CHARGE_NOW=3999000 VOLTAGE_NOW=12500000");
	ck_assert_uint_eq(parsed.edges, 1);
	ck_assert_uint_eq(parsed.level_ns, 3 * SM_NSEC_PER_SEC);
	ck_assert_double_eq_tol(parsed.level_uj, 180000e6 - 3.6e6, 1);
	/* one reading without energy: charge is no substitute, its zero is another */
	level(4, "CHARGE_NOW=3998000 VOLTAGE_NOW=12500000");
	ck_assert(!parsed.has_level);
	level(5, "ENERGY_NOW=49998000");
	ck_assert(parsed.has_level);
	ck_assert_uint_eq(parsed.edges, 2);
	ck_assert_double_eq_tol(parsed.level_uj, 180000e6 - 7.2e6, 1);
}
END_TEST

START_TEST(quantum_of_the_level)
{
	parsed = (struct sm_battery){0};
	level(1, "ENERGY_NOW=40005000");
	ck_assert_double_eq(parsed.quantum_uj, 0);
	level(2, "ENERGY_NOW=39885000");
	ck_assert_double_eq_tol(parsed.quantum_uj, 120000 * 3600.0, 1);
	level(3, "ENERGY_NOW=39775000"); /* 120 and 110 mWh */
	ck_assert_double_eq_tol(parsed.quantum_uj, 10000 * 3600.0, 1);
	level(4, "ENERGY_NOW=39805000"); /* upwards, too */
	ck_assert_double_eq_tol(parsed.quantum_uj, 10000 * 3600.0, 1);
	/* another battery */
	level(5, "PRESENT=0");
	level(6, "PRESENT=1 ENERGY_NOW=20000000");
	level(7, "PRESENT=1 ENERGY_NOW=19999000");
	ck_assert_double_eq_tol(parsed.quantum_uj, 1000 * 3600.0, 1);
	/* of charge: 8 and 6 mAh at 12 and 11.9 V */
	parsed = (struct sm_battery){0};
	level(1, "CHARGE_NOW=3000000 VOLTAGE_NOW=12000000");
	level(2, "CHARGE_NOW=2992000 VOLTAGE_NOW=12000000");
	level(3, "CHARGE_NOW=2986000 VOLTAGE_NOW=11800000");
	ck_assert_double_eq_tol(parsed.quantum_uj, 2e-3 * 11.9 * 3600e6, 1);
}
END_TEST

/* 4 Ah at a voltage that sags by 30 mV a minute, 1 A: the charge by the voltage at each
 * time gives its own bias of 2 W; the integral of V dQ gives what was drawn. */
START_TEST(level_of_charge_by_sagging_voltage)
{
	double drawn_uj = 0;
	char words[128];

	parsed = (struct sm_battery){0};
	for (unsigned int t = 0; t <= 600; t++) {
		double uv = 12000000 - 500.0 * t;

		/* 1 A is 277.8 uAh a second; the gauge shows mAh */
		snprintf(words, sizeof(words), "CHARGE_NOW=%u000 VOLTAGE_NOW=%.0f",
			(unsigned int)(4000000 - 277.7777778 * t) / 1000, uv);
		level(t + 1, words);
		drawn_uj += t ? uv + 250 : 0;
	}
	ck_assert_double_eq_tol(-parsed.level_uj, drawn_uj, 0.005 * drawn_uj);
	ck_assert_uint_eq(parsed.edges, 167);
	/* no voltage, no level; and nothing is lost by it */
	level(700, "CHARGE_NOW=3000000");
	ck_assert(!parsed.has_level);
	level(701, "CHARGE_NOW=3000000 VOLTAGE_NOW=11700000");
	ck_assert(parsed.has_level);
	ck_assert_uint_eq(parsed.edges, 168);
}
END_TEST

START_TEST(level_of_charge_is_exact_between_edges)
{
	parsed = (struct sm_battery){0};
	level(1, "CHARGE_NOW=2000000 VOLTAGE_NOW=12000000");
	ck_assert(parsed.has_level && parsed.level_uj == 0);
	level(2, "CHARGE_NOW=2000000 VOLTAGE_NOW=13000000");
	ck_assert(parsed.has_level && parsed.level_uj == 0);
	level(3, "CHARGE_NOW=1000000 VOLTAGE_NOW=11000000");
	/* 1 Ah by (12 + 11) / 2 V */
	ck_assert_double_eq_tol(parsed.level_uj, -11.5 * 3600e6, 1);
	level(4, "CHARGE_NOW=2000000 VOLTAGE_NOW=11000000");
	ck_assert_double_eq_tol(parsed.level_uj, -0.5 * 3600e6, 1);
	/* energy that comes late does not take over */
	level(5, "ENERGY_NOW=50000000 CHARGE_NOW=2000000 VOLTAGE_NOW=11000000");
	ck_assert(parsed.has_level);
	ck_assert_double_eq_tol(parsed.level_uj, -0.5 * 3600e6, 1);
}
END_TEST

/* The zero and the direction of a counter are not defined. */
START_TEST(level_of_a_counter)
{
	parsed = (struct sm_battery){0};
	level(1, "STATUS=Discharging CHARGE_COUNTER=-1000 VOLTAGE_NOW=4000000");
	ck_assert(parsed.has_level && parsed.level_uj == 0);
	level(2, "STATUS=Discharging CHARGE_COUNTER=-2000 VOLTAGE_NOW=4000000");
	ck_assert_double_eq_tol(parsed.level_uj, -1e-3 * 4 * 3600e6, 1);
	level(3, "STATUS=Discharging CHARGE_COUNTER=-500 VOLTAGE_NOW=4000000");
	ck_assert_double_eq_tol(parsed.level_uj, -2.5e-3 * 4 * 3600e6, 1);
	/* a charge that comes late does not take over */
	level(4, "STATUS=Discharging CHARGE_COUNTER=-500 CHARGE_NOW=2000000 "
		 "VOLTAGE_NOW=4000000");
	ck_assert_uint_eq(parsed.edges, 2);
	/* nor does it while it is the only one */
	level(5, "STATUS=Discharging CHARGE_NOW=2000000 VOLTAGE_NOW=4000000");
	ck_assert(!parsed.has_level);
}
END_TEST

/* A voltage that is missing for a moment is not the design voltage. */
START_TEST(level_by_the_design_voltage)
{
	parsed = (struct sm_battery){0};
	level(1, "CHARGE_NOW=2000000 VOLTAGE_MIN_DESIGN=3500000");
	level(2, "CHARGE_NOW=1000000 VOLTAGE_MIN_DESIGN=3500000");
	ck_assert_double_eq_tol(parsed.level_uj, -3.5 * 3600e6, 1);
	ck_assert(sm_battery_by_design(&parsed));
	level(3, "CHARGE_NOW=1000000 VOLTAGE_MIN_DESIGN=3500000 VOLTAGE_NOW=4000000");
	ck_assert(parsed.has_level && !sm_battery_by_design(&parsed));
	level(4, "CHARGE_NOW=1000000 VOLTAGE_MIN_DESIGN=3500000");
	ck_assert(!parsed.has_level);
	/* an energy needs no voltage */
	parsed = (struct sm_battery){0};
	level(5, "ENERGY_NOW=1000000 VOLTAGE_MIN_DESIGN=3500000");
	ck_assert(parsed.has_level && !sm_battery_by_design(&parsed));
}
END_TEST

START_TEST(epochs)
{
	parsed = (struct sm_battery){0};
	level(1, "STATUS=Charging ENERGY_NOW=50000000");
	ck_assert_uint_eq(parsed.epoch, 0);
	level(2, "STATUS=Discharging ENERGY_NOW=50000000");
	ck_assert_uint_eq(parsed.epoch, 1);
	level(3, "STATUS=Discharging ENERGY_NOW=49990000");
	ck_assert_uint_eq(parsed.epoch, 1);
	level(4, "STATUS=Full ENERGY_NOW=50000000");
	level(5, "STATUS=Discharging ENERGY_NOW=50000000");
	ck_assert_uint_eq(parsed.epoch, 2);
	/* taken out; another one comes: no edge between the two */
	level(6, "STATUS=Unknown PRESENT=0");
	ck_assert(!parsed.has_level);
	ck_assert_uint_eq(parsed.edges, 2);
	level(7, "STATUS=Discharging PRESENT=1 ENERGY_NOW=20000000");
	ck_assert_uint_eq(parsed.epoch, 3);
	ck_assert_uint_eq(parsed.edges, 2);
	ck_assert_double_eq_tol(parsed.level_uj, 72000e6, 1);
}
END_TEST

/* A status that is unknown for a moment is no other stretch; for long it may be. */
START_TEST(epochs_and_an_unknown_status)
{
	parsed = (struct sm_battery){0};
	level(1, "STATUS=Unknown ENERGY_NOW=50000000");
	ck_assert_uint_eq(parsed.epoch, 0);
	level(2, "STATUS=Discharging ENERGY_NOW=50000000");
	level(3, "STATUS=Unknown ENERGY_NOW=50000000");
	level(7, "STATUS=Unknown ENERGY_NOW=49990000");
	level(8, "STATUS=Discharging ENERGY_NOW=49990000");
	ck_assert_uint_eq(parsed.epoch, 1);
	level(9, "STATUS=Unknown ENERGY_NOW=49990000");
	level(14, "STATUS=Unknown ENERGY_NOW=49990000");
	level(15, "STATUS=Discharging ENERGY_NOW=49980000");
	ck_assert_uint_eq(parsed.epoch, 2);
	level(16, "STATUS=Not_charging ENERGY_NOW=49980000");
	level(17, "STATUS=Discharging ENERGY_NOW=49980000");
	ck_assert_uint_eq(parsed.epoch, 3);
	level(18, "STATUS=Unknown PRESENT=0");
	level(19, "STATUS=Discharging PRESENT=1 ENERGY_NOW=49980000");
	ck_assert_uint_eq(parsed.epoch, 4);
}
END_TEST

static TCase *levels(void)
{
	TCase *tc = tcase_create("levels");

	tcase_add_test(tc, level_of_energy);
	tcase_add_test(tc, quantum_of_the_level);
	tcase_add_test(tc, level_of_charge_by_sagging_voltage);
	tcase_add_test(tc, level_of_charge_is_exact_between_edges);
	tcase_add_test(tc, level_of_a_counter);
	tcase_add_test(tc, level_by_the_design_voltage);
	tcase_add_test(tc, epochs);
	tcase_add_test(tc, epochs_and_an_unknown_status);
	return tc;
}

UNIT_MAIN("battery_text", texts, levels)
