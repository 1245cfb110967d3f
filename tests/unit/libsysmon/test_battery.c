// SPDX-License-Identifier: GPL-2.0-or-later

#include "battery_rig.h"
#include "fixroot_rig.h"

#define PSY "sys/class/power_supply/"

static struct sm_batteries b;
static uint64_t now_ns;

static void setup(void)
{
	fix_open();
	b = (struct sm_batteries){0};
	now_ns = 1000 * SM_NSEC_PER_SEC;
}

static void teardown(void)
{
	sm_battery_close(&b);
	fix_close();
}

static void psy(const char *name, const char *words)
{
	char path[128], text[2048];

	to_uevent(text, sizeof(text), words);
	snprintf(path, sizeof(path), PSY "%s/uevent", name);
	fix_put(path, text);
}

static void psy_remove(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), PSY "%s/uevent", name);
	ck_assert_int_eq(unlink(fix_path(path)), 0);
	snprintf(path, sizeof(path), PSY "%s", name);
	ck_assert_int_eq(rmdir(fix_path(path)), 0);
}

static void open_all(void)
{
	ck_assert_int_eq(sm_battery_open(&b, &fix), 0);
}

/* A second later. */
static void read_next(void)
{
	now_ns += SM_NSEC_PER_SEC;
	ck_assert_int_eq(sm_battery_read(&b, now_ns), 1);
}

static struct sm_battery *battery(const char *name)
{
	for (unsigned int i = 0; i < b.n; i++)
		if (strcmp(b.battery[i].name, name) == 0)
			return &b.battery[i];
	ck_abort_msg("no %s", name);
	return NULL;
}

/* ---- the machine ---- */

#define BAT "TYPE=Battery PRESENT=1 "

START_TEST(none)
{
	struct sm_root empty = SM_ROOT_INIT;

	ck_assert_int_eq(sm_battery_open(&b, &empty), -ENOENT);
	ck_assert_int_eq(sm_battery_open(&b, &fix), -ENOENT);
	fix_mkdir(PSY "empty_device");
	ck_assert_int_eq(sm_battery_open(&b, &fix), -ENOENT);
	psy("AC", "TYPE=Mains ONLINE=1");
	ck_assert_int_eq(sm_battery_open(&b, &fix), -ENOENT);
	psy("ups", "TYPE=UPS PRESENT=1 STATUS=Discharging");
	ck_assert_int_eq(sm_battery_open(&b, &fix), -ENOENT);
	ck_assert_uint_eq(b.n + b.nsupplies, 0);
	ck_assert(!sm_battery_on_mains(&b));
}
END_TEST

START_TEST(two_batteries_one_charging)
{
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=10000000");
	psy("BAT1", BAT "STATUS=Charging POWER_NOW=8000000");
	psy("AC", "TYPE=Mains ONLINE=0");
	psy("ucsi-source-psy-USBC000:001", "TYPE=USB ONLINE=0");
	open_all();
	ck_assert_uint_eq(b.n, 2);
	ck_assert_uint_eq(b.nsupplies, 2);
	/* known without a reading, too */
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	ck_assert_int_eq(battery("BAT0")->status, SM_BATTERY_DISCHARGING);
	ck_assert_int_eq(battery("BAT1")->status, SM_BATTERY_CHARGING);
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 10000000);
	ck_assert(!sm_battery_on_mains(&b));
	psy("ucsi-source-psy-USBC000:001", "TYPE=USB ONLINE=1");
	psy("BAT1", BAT "STATUS=Discharging POWER_NOW=3000000");
	read_next();
	ck_assert(sm_battery_on_mains(&b));
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
	ck_assert_uint_eq(battery("BAT1")->rate_uw, 3000000);
}
END_TEST

START_TEST(peripherals)
{
	psy("hidpp_battery_0",
		"TYPE=Battery SCOPE=Device STATUS=Discharging POWER_NOW=3000000");
	psy("wacom_ac_0", "TYPE=Mains SCOPE=Device ONLINE=1");
	open_all(); /* to be listed */
	ck_assert_uint_eq(b.n, 1);
	ck_assert(!b.battery[0].system && b.battery[0].peripheral);
	ck_assert_uint_eq(sm_battery_discharging(&b), 0);
	ck_assert(!sm_battery_on_mains(&b));
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 0);
	ck_assert(!sm_battery_on_mains(&b));
	/* it goes and comes by another name, again and again: no more slots for that */
	for (unsigned int i = 0; i < 8; i++) {
		char from[32], to[32];

		snprintf(from, sizeof(from), "hidpp_battery_%u", i);
		snprintf(to, sizeof(to), "hidpp_battery_%u", i + 1);
		psy_remove(from);
		psy(to, "TYPE=Battery SCOPE=Device STATUS=Discharging");
		now_ns += 10 * SM_NSEC_PER_SEC;
		read_next();
		ck_assert_str_eq(battery(to)->name, to);
	}
	ck_assert_uint_eq(b.n, 2);
}
END_TEST

/* A name as long as a directory's can be. */
START_TEST(long_name)
{
	char name[256], path[320], text[512];

	memset(name, 'b', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	to_uevent(text, sizeof(text), BAT "STATUS=Discharging POWER_NOW=10000000");
	snprintf(path, sizeof(path), PSY "%s/uevent", name);
	fix_put(path, text);
	open_all();
	ck_assert_uint_eq(b.n, 1);
	ck_assert_str_eq(b.battery[0].name, name);
	read_next();
	ck_assert_uint_eq(battery(name)->rate_uw, 10000000);
	ck_assert_int_eq(battery(name)->error, 0);
}
END_TEST

START_TEST(slot_without_battery)
{
	psy("BAT0", "TYPE=Battery PRESENT=0 STATUS=Discharging POWER_NOW=5000000");
	open_all();
	read_next();
	ck_assert(!battery("BAT0")->present);
	ck_assert_int_eq(battery("BAT0")->error, 0);
	ck_assert_uint_eq(sm_battery_discharging(&b), 0);
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
}
END_TEST

/* Kernels before 5.8: uevent without TYPE. */
START_TEST(type_of_its_own_file)
{
	fix_put(PSY "BAT0/type", "Battery\n");
	psy("BAT0", "STATUS=Discharging POWER_NOW=5000000");
	fix_put(PSY "mouse/type", "Battery\n");
	fix_put(PSY "mouse/scope", "Device\n");
	psy("mouse", "STATUS=Discharging");
	fix_put(PSY "AC/type", "Mains\n");
	psy("AC", "ONLINE=1");
	open_all();
	read_next();
	ck_assert_uint_eq(b.n, 2);
	ck_assert(battery("BAT0")->system && !battery("mouse")->system);
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 5000000);
	ck_assert(sm_battery_on_mains(&b));
}
END_TEST

START_TEST(at_most_once_a_second)
{
	unsigned int made = 0;

	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	/* ten times a second for 20 s, late and early by some milliseconds */
	for (unsigned int i = 0; i < 200; i++) {
		now_ns = (1000 * 10 + i) * (SM_NSEC_PER_SEC / 10) +
			 i * 7919 % 15 * 1000000;
		made += (unsigned int)sm_battery_read(&b, now_ns);
	}
	ck_assert_uint_eq(made, 20);
	ck_assert_uint_gt(b.read_ns, now_ns - SM_NSEC_PER_SEC);
	/* a schedule of a second that jitters misses none */
	made = 0;
	for (unsigned int i = 0; i < 100; i++) {
		now_ns = (2000 + i) * SM_NSEC_PER_SEC + (100 - i) * 7919 % 15 * 1000000;
		made += (unsigned int)sm_battery_read(&b, now_ns);
	}
	ck_assert_uint_eq(made, 100);
	/* what comes always a little early does not read more often */
	made = 0;
	for (unsigned int i = 0; i < 1000; i++) {
		now_ns = 3000 * SM_NSEC_PER_SEC + i * (SM_NSEC_PER_SEC * 985 / 1000);
		made += (unsigned int)sm_battery_read(&b, now_ns);
	}
	ck_assert_uint_le(made, 986);
	ck_assert_uint_ge(made, 500);
}
END_TEST

START_TEST(vanishes_and_comes_back)
{
	psy("BAT0", BAT "STATUS=Discharging ENERGY_NOW=50000000");
	psy("BAT1", BAT "STATUS=Discharging ENERGY_NOW=40000000");
	open_all();
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
	psy_remove("BAT0");
	read_next();
	ck_assert_uint_eq(b.n, 2);
	ck_assert_int_eq(battery("BAT0")->error, -ENOENT);
	ck_assert(!battery("BAT0")->present && !battery("BAT0")->has_level);
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	read_next();
	ck_assert_int_eq(battery("BAT0")->error, -ENOENT);
	ck_assert_uint_eq(battery("BAT0")->epoch, 1);
	psy("BAT0", BAT "STATUS=Discharging ENERGY_NOW=30000000");
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
	ck_assert_int_eq(battery("BAT0")->error, 0);
	ck_assert_uint_eq(battery("BAT0")->epoch, 2);
	ck_assert_uint_eq(b.n, 2);
}
END_TEST

/* An editor, or the writer of a fixture, renames a new file. */
START_TEST(file_replaced_by_another)
{
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	read_next();
	fix_put(PSY "BAT0/new",
		"POWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_STATUS=Discharging\n"
		"POWER_SUPPLY_POWER_NOW=6000000\n");
	ck_assert_int_eq(renameat(AT_FDCWD, fix_path(PSY "BAT0/new"), fix.sys.fd,
				 "class/power_supply/BAT0/uevent"),
		0);
	read_next();
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 6000000);
}
END_TEST

START_TEST(another_is_plugged_in)
{
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	read_next();
	psy("BAT1", BAT "STATUS=Discharging POWER_NOW=6000000 ENERGY_NOW=50000000");
	psy("AC", "TYPE=Mains ONLINE=1");
	for (unsigned int i = 0; i < 10; i++)
		read_next();
	ck_assert_uint_eq(b.n, 2);
	ck_assert_str_eq(b.battery[0].name, "BAT0"); /* indices stay */
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
	ck_assert_uint_eq(battery("BAT1")->rate_uw, 6000000);
	ck_assert(battery("BAT1")->has_level);
	ck_assert_uint_eq(battery("BAT1")->level_ns, now_ns);
	ck_assert(sm_battery_on_mains(&b));
	psy_remove("AC");
	read_next();
	ck_assert(!sm_battery_on_mains(&b));
	/* one fails: at once another is looked for */
	psy_remove("BAT1");
	psy("BAT2", BAT "STATUS=Discharging POWER_NOW=7000000");
	read_next();
	ck_assert_uint_eq(b.n, 3);
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
}
END_TEST

/* Pointers to a battery stay valid. */
START_TEST(batteries_do_not_move)
{
	const struct sm_battery *first;
	char name[16];

	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	read_next();
	first = b.battery;
	for (unsigned int i = 1; i <= 20; i++) {
		snprintf(name, sizeof(name), "BAT%u", i);
		psy(name, BAT "STATUS=Discharging POWER_NOW=5000000");
		now_ns += 10 * SM_NSEC_PER_SEC;
		read_next();
		ck_assert_ptr_eq(b.battery, first);
		ck_assert_uint_eq(b.n, i < 16 ? i + 1 : 17);
		ck_assert_uint_eq(b.left_out, i < 17 ? 0 : i - 16);
	}
	ck_assert_uint_eq(sm_battery_discharging(&b), 17);
	sm_battery_close(&b);
	open_all();
	ck_assert_uint_eq(b.n, 21);
}
END_TEST

START_TEST(garbage_is_an_error_for_that_reading)
{
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	read_next();
	fix_put(PSY "BAT0/uevent", "");
	read_next();
	ck_assert_int_eq(battery("BAT0")->error, -EBADMSG);
	ck_assert(!battery("BAT0")->has_rate);
	ck_assert_uint_eq(sm_battery_discharging(&b), 0);
	fix_put_bytes(PSY "BAT0/uevent", "\0\0\n\xff=\n", 6);
	read_next();
	ck_assert_int_eq(battery("BAT0")->error, -EBADMSG);
	psy("BAT0", "STATUS=Discharging POWER_NOW=5000000");
	read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
}
END_TEST

static void legacy(const char *rate)
{
	char text[256];

	snprintf(text, sizeof(text),
		"present: yes\ncharging state: discharging\npresent rate: %s\n"
		"remaining capacity: 50000 mWh\npresent voltage: 12000 mV\n",
		rate);
	fix_put("proc/acpi/battery/BAT0/state", text);
}

START_TEST(legacy_machine)
{
	fix_put("proc/acpi/battery/BAT0/info", "design voltage: 14800 mV\n");
	legacy("12500 mW");
	open_all();
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	read_next();
	ck_assert(battery("BAT0")->legacy);
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 12500000);
	ck_assert_double_eq_tol(battery("BAT0")->level_uj, 180000e6, 1);
	ck_assert_uint_eq(battery("BAT0")->design_uv, 14800000);
	legacy("1000 mA");
	read_next();
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 12000000);
}
END_TEST

/* Old kernels show the same battery twice. */
START_TEST(legacy_only_without_the_class)
{
	legacy("12500 mW");
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=11000000");
	open_all();
	read_next();
	ck_assert_uint_eq(b.n, 1);
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 11000000);
	sm_battery_close(&b);
	/* the class's comes later */
	psy_remove("BAT0");
	open_all();
	read_next();
	ck_assert(battery("BAT0")->legacy);
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=11000000");
	for (unsigned int i = 0; i < 11; i++)
		read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 1);
	ck_assert(!battery("BAT0")->legacy);
	ck_assert_uint_eq(battery("BAT0")->rate_uw, 11000000);
}
END_TEST

START_TEST(one_pread_each)
{
	uint64_t before, after;

	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	psy("BAT1", BAT "STATUS=Discharging POWER_NOW=5000000");
	psy("AC", "TYPE=Mains ONLINE=0");
	psy("mouse", "TYPE=Battery SCOPE=Device");
	open_all();
	read_next();
	if (!fix_reads_counted())
		return;
	before = fix_reads();
	for (unsigned int i = 0; i < 5; i++)
		read_next();
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 15);
	before = fix_reads();
	ck_assert_int_eq(sm_battery_read(&b, now_ns + 1), 0);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 0);
}
END_TEST

START_TEST(no_descriptor_is_lost)
{
	unsigned int before, used;

	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	psy("AC", "TYPE=Mains ONLINE=0");
	psy("ups", "TYPE=UPS");
	psy("mouse", "TYPE=Battery SCOPE=Device");
	before = unit_open_fds();
	open_all();
	read_next();
	used = unit_open_fds();
	ck_assert_uint_eq(used, before + 2);
	for (unsigned int i = 0; i < 45; i++) {
		read_next();
		if (i == 20)
			psy_remove("BAT0");
		if (i == 33)
			psy("BAT0", BAT "STATUS=Discharging");
	}
	ck_assert_uint_eq(unit_open_fds(), used);
	sm_battery_close(&b);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

START_TEST(unreadable)
{
	fix_mkdir(PSY "BAT0/uevent"); /* opens, but cannot be read */
	ck_assert_int_eq(sm_battery_open(&b, &fix), -EISDIR);
	psy("BAT1", BAT "STATUS=Discharging POWER_NOW=5000000");
	open_all();
	ck_assert_uint_eq(b.n, 1);
	/* it is looked at again */
	ck_assert_int_eq(rmdir(fix_path(PSY "BAT0/uevent")), 0);
	psy("BAT0", BAT "STATUS=Discharging POWER_NOW=5000000");
	for (unsigned int i = 0; i < 11; i++)
		read_next();
	ck_assert_uint_eq(sm_battery_discharging(&b), 2);
}
END_TEST

static TCase *machine(void)
{
	TCase *tc = tcase_create("machine");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, two_batteries_one_charging);
	tcase_add_test(tc, peripherals);
	tcase_add_test(tc, long_name);
	tcase_add_test(tc, slot_without_battery);
	tcase_add_test(tc, type_of_its_own_file);
	tcase_add_test(tc, at_most_once_a_second);
	tcase_add_test(tc, vanishes_and_comes_back);
	tcase_add_test(tc, file_replaced_by_another);
	tcase_add_test(tc, another_is_plugged_in);
	tcase_add_test(tc, batteries_do_not_move);
	tcase_add_test(tc, garbage_is_an_error_for_that_reading);
	tcase_add_test(tc, legacy_machine);
	tcase_add_test(tc, legacy_only_without_the_class);
	tcase_add_test(tc, one_pread_each);
	tcase_add_test(tc, no_descriptor_is_lost);
	tcase_add_test(tc, unreadable);
	return tc;
}

UNIT_MAIN("battery", machine)
