// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/sysfs.h"
#include "fixroot_rig.h"
#include "power/thermal.h"

static struct sm_thermal t;

static void setup(void)
{
	fix_open();
	t = (struct sm_thermal){0};
}

static void teardown(void)
{
	sm_thermal_close(&t);
	fix_close();
}

static void put(unsigned int number, const char *attribute, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/class/thermal/thermal_zone%u/%s", number,
		attribute);
	fix_put(path, text);
}

static void zone(unsigned int number, const char *type, const char *temp)
{
	put(number, "type", type);
	put(number, "temp", temp);
}

static void open_all(unsigned int n)
{
	ck_assert_int_eq(sm_thermal_open(&t, &fix), 0);
	ck_assert_uint_eq(t.n, n);
}

START_TEST(none)
{
	struct sm_root empty = SM_ROOT_INIT;

	ck_assert_int_eq(sm_thermal_open(&t, &empty), -ENOENT);
	ck_assert_int_eq(sm_thermal_open(&t, &fix), -ENOENT);
	fix_mkdir("sys/class/thermal/cooling_device0");
	fix_mkdir("sys/class/thermal/thermal_zone");
	fix_mkdir("sys/class/thermal/thermal_zone1x");
	fix_mkdir("sys/class/thermal/thermal_zone-1");
	fix_mkdir("sys/class/thermal/thermal_zone01");
	fix_mkdir("sys/class/thermal/thermal_zone4294967296");
	ck_assert_int_eq(sm_thermal_open(&t, &fix), -ENOENT);
	ck_assert_ptr_null(t.zone);
}
END_TEST

START_TEST(values)
{
	static const struct {
		const char *text;
		int error;
		int64_t mc;
	} v[] = {
		{"45000\n", 0, 45000},
		{"45000", 0, 45000},
		{"0\n", 0, 0},
		{"-8000\n", 0, -8000},
		{"-273150\n", 0, -273150},
		{"-274000\n", -ERANGE, 0}, /* THERMAL_TEMP_INVALID */
		{"1000000\n", 0, 1000000},
		{"1000001\n", -ERANGE, 0},
		{"2147483647\n", -ERANGE, 0},
		{"-9223372036854775808\n", -ERANGE, 0},
		{"99999999999999999999\n", -EINVAL, 0},
		{"", -ENODATA, 0},
		{"\n", -ENODATA, 0},
		{"garbage\n", -EINVAL, 0},
		{"45000 \n", -EINVAL, 0},
		{" 45000\n", -EINVAL, 0},
		{"45000\n\n", -EINVAL, 0},
		{"45.5\n", -EINVAL, 0},
		{"--5\n", -EINVAL, 0},
		{"0000000000000000000000000000000000000000000000000000000000000000005\n",
			-EINVAL, 0},
	};

	zone(0, "acpitz\n", "1\n");
	open_all(1);
	for (size_t i = 0; i < SM_ARRAY_SIZE(v); i++) {
		put(0, "temp", v[i].text);
		t.zone[0].temp_mc = 0;
		ck_assert_msg(
			sm_thermal_read(&t) == (v[i].error == 0), "'%s'", v[i].text);
		ck_assert_msg(t.zone[0].error == v[i].error, "'%s': %d", v[i].text,
			t.zone[0].error);
		ck_assert_msg(t.zone[0].temp_mc == v[i].mc, "'%s'", v[i].text);
	}
}
END_TEST

/* One that fails keeps its place; the others keep theirs. */
START_TEST(unreadable_zone)
{
	zone(0, "acpitz\n", "45000\n");
	put(1, "type", "iwlwifi_1\n");
	fix_mkdir("sys/class/thermal/thermal_zone1/temp"); /* EISDIR */
	put(2, "type", "broken\n");			   /* ENOENT */
	zone(3, "x86_pkg_temp\n", "60000\n");
	open_all(4);
	ck_assert_int_eq(sm_thermal_read(&t), 2);
	ck_assert_int_eq(t.zone[0].error, 0);
	ck_assert_int_eq(t.zone[0].temp_mc, 45000);
	ck_assert_str_eq(t.zone[1].label, "iwlwifi_1");
	ck_assert_int_eq(t.zone[1].error, -EISDIR);
	ck_assert_int_eq(t.zone[2].error, -ENOENT);
	ck_assert_int_eq(t.zone[3].error, 0);
	ck_assert_int_eq(t.zone[3].temp_mc, 60000);
	put(0, "temp", "garbage");
	ck_assert_int_eq(sm_thermal_read(&t), 1);
	ck_assert_int_eq(t.zone[0].error, -EINVAL);
	put(0, "temp", "46000");
	ck_assert_int_eq(sm_thermal_read(&t), 2);
	ck_assert_int_eq(t.zone[0].temp_mc, 46000);
}
END_TEST

START_TEST(labels)
{
	static const struct {
		unsigned int number;
		const char *type, *label;
	} z[] = {
		{0, "acpitz\n", "acpitz-0"},
		{1, "acpitz\n", "acpitz-1.1"}, /* zone 5 is called acpitz-1 */
		{2, "%s%n\n", "%s%n"},
		{3, "\n", "thermal_zone3-3"},
		{4, "thermal_zone3",
			"thermal_zone3-4"}, /* what zone 3 is for want of one */
		{5, "acpitz-1\n", "acpitz-1"},
		{10, "two words\nmore\n", "two words"},
	};

	for (size_t i = SM_ARRAY_SIZE(z); i-- > 0;)
		zone(z[i].number, z[i].type, "1000\n");
	open_all(SM_ARRAY_SIZE(z));
	for (size_t i = 0; i < SM_ARRAY_SIZE(z); i++) {
		ck_assert_uint_eq(t.zone[i].number, z[i].number);
		ck_assert_str_eq(t.zone[i].label, z[i].label);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(t.zone[i].label, t.zone[j].label);
	}
}
END_TEST

/* More than the original's 16; by number, not by name. */
START_TEST(many)
{
	uint64_t before, after;
	char temp[16];

	for (unsigned int i = 0; i < 70; i++) {
		snprintf(temp, sizeof(temp), "%u\n", i * 1000);
		zone(i, "cpu-thermal\n", temp);
	}
	open_all(70);
	ck_assert_int_eq(sm_thermal_read(&t), 70);
	for (unsigned int i = 0; i < 70; i++) {
		ck_assert_uint_eq(t.zone[i].number, i);
		ck_assert_int_eq(t.zone[i].temp_mc, i * 1000);
	}
	ck_assert_str_eq(t.zone[69].label, "cpu-thermal-69");
	if (!fix_reads_counted())
		return;
	before = fix_reads();
	ck_assert_int_eq(sm_thermal_read(&t), 70);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 70);
}
END_TEST

START_TEST(long_type)
{
	char text[300];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	zone(0, text, "1000\n");
	zone(1, text, "2000\n");
	zone(4294967295, "last\n", "3000\n");
	open_all(3);
	ck_assert_uint_eq(strlen(t.zone[0].type), SM_THERMAL_NAME_MAX - 1);
	ck_assert_uint_eq(strlen(t.zone[1].label), SM_THERMAL_NAME_MAX - 1 + 2);
	ck_assert_str_ne(t.zone[0].label, t.zone[1].label);
	ck_assert_uint_eq(t.zone[2].number, 4294967295);
}
END_TEST

/* ---- attr, which all classes use ---- */

START_TEST(numbers_of_names)
{
	unsigned int n;

	ck_assert(sm_sysfs_number("card0", "card", &n) && n == 0);
	ck_assert(sm_sysfs_number("card17", "card", &n) && n == 17);
	ck_assert(!sm_sysfs_number("card", "card", &n));
	ck_assert(!sm_sysfs_number("card0-HDMI-A-1", "card", &n));
	ck_assert(!sm_sysfs_number("car0", "card", &n));
	ck_assert(!sm_sysfs_number("", "card", &n));
	ck_assert(!sm_sysfs_number("card 1", "card", &n));
}
END_TEST

static int count_names(void *ctx, const char *name)
{
	unsigned int *n = ctx;

	ck_assert_int_ne(name[0], '.');
	return ++*n == 100 ? 7 : 0;
}

START_TEST(each_name)
{
	struct sm_root empty = SM_ROOT_INIT;
	char path[64];
	unsigned int n = 0;

	ck_assert_int_eq(sm_sysfs_each(empty.sys, "class/x", count_names, &n), -ENOENT);
	ck_assert_int_eq(sm_sysfs_each(fix.sys, "class/x", count_names, &n), -ENOENT);
	fix_mkdir("sys/class/x/.dev");
	for (unsigned int i = 0; i < 99; i++) {
		snprintf(path, sizeof(path), "sys/class/x/a-rather-long-name-%u", i);
		fix_mkdir(path);
	}
	ck_assert_int_eq(sm_sysfs_each(fix.sys, "class/x", count_names, &n), 0);
	ck_assert_uint_eq(n, 99);
	n = 80;
	ck_assert_int_eq(sm_sysfs_each(fix.sys, "class/x", count_names, &n), 7);
	ck_assert_uint_eq(n, 100);
	fix_put("sys/class/file", "x");
	ck_assert_int_eq(sm_sysfs_each(fix.sys, "class/file", count_names, &n), -ENOTDIR);
}
END_TEST

START_TEST(numbers_of_files)
{
	uint64_t u = 5;
	int64_t i = 5;
	int fd;

	ck_assert_int_eq(sm_sysfs_read_u64(-1, &u), -ENOENT);
	fix_put("sys/class/number", "18446744073709551615\n");
	fd = openat(fix.sys.fd, "class/number", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_sysfs_read_u64(fd, &u), 0);
	ck_assert_uint_eq(u, UINT64_MAX);
	ck_assert_int_eq(sm_sysfs_read_i64(fd, &i), -EINVAL);
	fix_put("sys/class/number", "-5\n");
	ck_assert_int_eq(sm_sysfs_read_u64(fd, &u), -EINVAL);
	ck_assert_uint_eq(u, UINT64_MAX);
	ck_assert_int_eq(sm_sysfs_read_i64(fd, &i), 0);
	ck_assert_int_eq(i, -5);
	fix_put_bytes("sys/class/number", "5\0\n", 3);
	ck_assert_int_eq(sm_sysfs_read_u64(fd, &u), -EINVAL);
	close(fd);
}
END_TEST

static TCase *zones(void)
{
	TCase *tc = tcase_create("zones");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, none);
	tcase_add_test(tc, values);
	tcase_add_test(tc, unreadable_zone);
	tcase_add_test(tc, labels);
	tcase_add_test(tc, many);
	tcase_add_test(tc, long_type);
	return tc;
}

static TCase *attributes(void)
{
	TCase *tc = tcase_create("attributes");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, numbers_of_names);
	tcase_add_test(tc, each_name);
	tcase_add_test(tc, numbers_of_files);
	return tc;
}

UNIT_MAIN("thermal", zones, attributes)
