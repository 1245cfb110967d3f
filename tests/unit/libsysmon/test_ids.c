// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdint.h>

#include "unit.h"
#include "cli/ids.h"

static struct sm_ids u;

static void init(void)
{
	ck_assert_int_eq(sm_ids_init(&u), 0);
}

static void fini(void)
{
	sm_ids_fini(&u);
}

/* The kernel's new_encode_dev() of include/linux/kdev_t.h. */
static int dev(unsigned int major, unsigned int minor)
{
	return (int)((minor & 0xff) | major << 8 | (minor & ~0xffu) << 12);
}

START_TEST(root_is_uid_0)
{
	ck_assert_str_eq(sm_ids_user(&u, 0), "root");
	ck_assert_str_eq(sm_ids_group(&u, 0), "root");
}
END_TEST

START_TEST(names_are_cached)
{
	const char *name = sm_ids_user(&u, 0), *group = sm_ids_group(&u, 0);

	ck_assert_ptr_eq(sm_ids_user(&u, 0), name);
	ck_assert_ptr_eq(sm_ids_group(&u, 0), group);
	ck_assert_uint_eq(u.users.used, 1);
	ck_assert_uint_eq(u.groups.used, 1);
}
END_TEST

/* Ids of the range that systemd and Debian leave unused; the last one is (uid_t)-2. */
START_TEST(unknown_ids_are_decimal)
{
	ck_assert_str_eq(sm_ids_user(&u, 4294967294u), "4294967294");
	ck_assert_str_eq(sm_ids_user(&u, 2147483647u), "2147483647");
	ck_assert_str_eq(sm_ids_group(&u, 4294967294u), "4294967294");
	ck_assert_str_eq(sm_ids_user(&u, 4294967294u), "4294967294");
	ck_assert_uint_eq(u.users.used, 2);
}
END_TEST

START_TEST(strings_live_on_while_the_cache_grows)
{
	const char *root = sm_ids_user(&u, 0);
	const char *first = sm_ids_user(&u, 3000000000u);

	for (unsigned int i = 1; i < 500; i++)
		ck_assert_ptr_nonnull(sm_ids_user(&u, 3000000000u + i));
	ck_assert_uint_eq(u.users.used, 501);
	ck_assert_str_eq(root, "root");
	ck_assert_str_eq(first, "3000000000");
	ck_assert_ptr_eq(sm_ids_user(&u, 3000000000u), first);
}
END_TEST

START_TEST(ttys)
{
	static const struct {
		unsigned int major, minor;
		const char *want;
	} t[] = {
		{136, 0, "pts/0"},
		{136, 3, "pts/3"},
		{136, 255, "pts/255"},
		{136, 256, "pts/256"},
		{136, 1048575, "pts/1048575"},
		{137, 0, "pts/256"},
		{143, 255, "pts/2047"},
		{144, 0, "144:0"},
		{135, 0, "135:0"},
		{4, 0, "tty0"},
		{4, 1, "tty1"},
		{4, 63, "tty63"},
		{4, 64, "ttyS0"},
		{4, 67, "ttyS3"},
		{4, 255, "ttyS191"},
		{5, 1, "console"},
		{5, 0, "5:0"},
		{5, 2, "5:2"},
		{204, 63, "204:63"},
		{204, 64, "ttyAMA0"},
		{204, 65, "ttyAMA1"},
		{188, 0, "ttyUSB0"},
		{166, 12, "ttyACM12"},
		{229, 0, "hvc0"},
		{1, 3, "1:3"},
		{4095, 1048575, "4095:1048575"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		ck_assert_str_eq(sm_ids_tty(&u, dev(t[i].major, t[i].minor)), t[i].want);
	/* As seen in /proc/PID/stat. */
	ck_assert_str_eq(sm_ids_tty(&u, 34816), "pts/0");
	ck_assert_str_eq(sm_ids_tty(&u, 1025), "tty1");
}
END_TEST

START_TEST(tty_cache)
{
	const char *name = sm_ids_tty(&u, 34819);

	ck_assert_str_eq(sm_ids_tty(&u, 0), "?");
	ck_assert_ptr_eq(sm_ids_tty(&u, 34819), name);
	ck_assert_uint_eq(u.ttys.used, 1);
}
END_TEST

START_TEST(lookup)
{
	uid_t uid = 99;

	ck_assert_int_eq(sm_ids_lookup("root", &uid), 0);
	ck_assert_uint_eq(uid, 0);
	ck_assert_int_eq(sm_ids_lookup("4294967294", &uid), 0);
	ck_assert_uint_eq(uid, 4294967294u);
	ck_assert_int_eq(sm_ids_lookup("0", &uid), 0);
	ck_assert_uint_eq(uid, 0);
}
END_TEST

START_TEST(lookup_failures)
{
	static const char *const bad[] = {"", "no such user", "4294967295", "4294967296",
		"18446744073709551616", "-1", "+1", "1 ", " 1", "0x0", "12abc", "root ",
		"r\xc3\xb6\xc3\xb6t"};
	uid_t uid = 99;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(sm_ids_lookup(bad[i], &uid) == -ENOENT, "'%s'", bad[i]);
	ck_assert_uint_eq(uid, 99);
}
END_TEST

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, init, fini);
	tcase_add_test(tc, root_is_uid_0);
	tcase_add_test(tc, names_are_cached);
	tcase_add_test(tc, unknown_ids_are_decimal);
	tcase_add_test(tc, strings_live_on_while_the_cache_grows);
	tcase_add_test(tc, lookup);
	tcase_add_test(tc, lookup_failures);
	return tc;
}

static TCase *tc_ttys(void)
{
	TCase *tc = tcase_create("ttys");

	tcase_add_checked_fixture(tc, init, fini);
	tcase_add_test(tc, ttys);
	tcase_add_test(tc, tty_cache);
	return tc;
}

UNIT_MAIN("user", tc_names, tc_ttys)
