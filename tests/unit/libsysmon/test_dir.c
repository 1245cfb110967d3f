// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/dir.h"
#include "fixroot_rig.h"

#define FILES 100

static bool seen[FILES];

/* The names of "sys/d", of which there are FILES, and "." and "..". */
static void walk(size_t cap)
{
	_Alignas(8) char buf[4096];
	unsigned int nr, dots = 0, n = 0;
	const char *name;
	struct stat st;
	struct sm_dir d;

	memset(seen, 0, sizeof(seen));
	ck_assert_int_eq(sm_dir_open(&d, fix.sys, "d", buf, cap), 0);
	while ((name = sm_dir_next(&d)) != NULL) {
		if (*name == '.') {
			dots++;
			continue;
		}
		ck_assert_int_eq(sscanf(name, "file%u", &nr), 1);
		ck_assert(nr < FILES && !seen[nr]);
		seen[nr] = true;
		n++;
		ck_assert_int_eq(fstatat(d.fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
		ck_assert_uint_eq(d.inode, st.st_ino);
		ck_assert(d.type == DT_REG || d.type == DT_UNKNOWN);
	}
	ck_assert_int_eq(d.err, 0);
	ck_assert_uint_eq(n, FILES);
	ck_assert_uint_eq(dots, 2);
	sm_dir_close(&d);
	ck_assert_int_eq(d.fd, -1);
}

START_TEST(each_entry_once_whatever_the_buffer)
{
	char name[32];

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "sys/d/file%d", i);
		fix_put(name, "");
	}
	walk(64);
	walk(333);
	walk(4096);
}
END_TEST

START_TEST(errors)
{
	_Alignas(8) char buf[8];
	struct sm_dir d;

	ck_assert_int_eq(sm_dir_open(&d, sm_at_fd(-1), ".", buf, sizeof(buf)), -ENOENT);
	sm_dir_close(&d);
	ck_assert_int_eq(sm_dir_open(&d, fix.sys, "none", buf, sizeof(buf)), -ENOENT);
	fix_put("sys/file", "");
	ck_assert_int_eq(sm_dir_open(&d, fix.sys, "file", buf, sizeof(buf)), -ENOTDIR);
	/* no entry fits */
	ck_assert_int_eq(sm_dir_open(&d, fix.sys, ".", buf, sizeof(buf)), 0);
	ck_assert_ptr_null(sm_dir_next(&d));
	ck_assert_int_eq(d.err, -EINVAL);
	sm_dir_close(&d);
}
END_TEST

static TCase *tc_dir(void)
{
	TCase *tc = tcase_create("dir");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, each_entry_once_whatever_the_buffer);
	tcase_add_test(tc, errors);
	return tc;
}

UNIT_MAIN("dir", tc_dir)
