/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/sysmacros.h>

#include "base/at.h"
#include "base/file.h"
#include "fixroot_rig.h"

/* What the tree's `name` reads as; "" if it cannot be opened, with the error in *err. */
static const char *content(const char *name, int *err)
{
	static char text[64];
	ssize_t n = sm_file_slurp(fix.sys, name, text, sizeof(text));

	*err = n < 0 ? (int)n : 0;
	return text;
}

static void make_tree(void)
{
	fix_open();
	fix_put("sys/devices/d0/name", "inside");
	fix_put("etc/passwd", "of the tree");
	fix_mkdir("sys/class/c");
}

/* Absolute targets and `..` as after a chroot(2); the expected contents are those of the
 * files above. */
static const struct {
	const char *target, *want;
	int err;
} links[] = {
	{"../../devices/d0/name", "inside", 0},
	{"/sys/devices/d0/name", "inside", 0},
	{"/sys/class/c/../../devices/./d0//name", "inside", 0},
	{"/etc/passwd", "of the tree", 0},
	{"../../../../../../../../etc/passwd", "of the tree", 0},
	{"/../../etc/passwd", "of the tree", 0},
	{"/etc/hostname", "", -ENOENT},
	{"/proc/self/root/etc/hostname", "", -ENOENT},
	{"x", "", -ELOOP},
	{"/etc/passwd/name", "", -ENOTDIR},
};

START_TEST(links_stay_inside)
{
	unsigned int before = unit_open_fds();
	int err;

	fix_link("sys/class/c/x", links[_i].target);
	ck_assert_str_eq(content("class/c/x", &err), links[_i].want);
	ck_assert_int_eq(err, links[_i].err);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

START_TEST(linked_directories_stay_inside)
{
	int err;

	fix_link("sys/class/c/d0", "../../devices/d0");
	fix_link("sys/class/c/etc", "/etc");
	ck_assert_str_eq(content("class/c/d0/name", &err), "inside");
	ck_assert_str_eq(content("class/c/etc/passwd", &err), "of the tree");
	ck_assert_str_eq(content("class/c/etc/../sys/devices/d0/name", &err), "inside");
}
END_TEST

START_TEST(a_tree_whose_sys_is_a_link)
{
	struct sm_root r;
	char dir[PATH_MAX], text[16];

	fix_mkdir("t");
	fix_put("t/kept/devices/d0/name", "kept");
	fix_link("t/sys", "/kept");
	fix_link("t/proc", "/proc");
	snprintf(dir, sizeof(dir), "%s", fix_path("t"));
	ck_assert_int_eq(sm_root_open(&r, dir), -ELOOP);
	ck_assert_int_eq(unlink(fix_path("t/proc")), 0);
	fix_link("t/proc", "/nowhere");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	ck_assert_int_eq(r.proc.fd, -1);
	ck_assert_int_eq(sm_file_slurp(r.sys, "devices/d0/name", text, sizeof(text)), 4);
	ck_assert_str_eq(text, "kept");
	sm_root_close(&r);
}
END_TEST

START_TEST(only_files_and_directories)
{
	int err, fd;

	ck_assert_int_eq(mkfifo(fix_path("sys/fifo"), 0600), 0);
	content("fifo", &err);
	ck_assert_int_eq(err, -EBADMSG);
	if (mknod(fix_path("sys/zero"), S_IFCHR | 0600, makedev(1, 5)) == 0) {
		content("zero", &err);
		ck_assert_int_eq(err, -EBADMSG);
	}
	fd = sm_at_open(fix.sys, "devices/d0/name", O_PATH | O_DIRECTORY);
	ck_assert_int_eq(fd, -ENOTDIR);
	fd = sm_at_open(fix.sys, "devices/../devices/d0/.", O_PATH | O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(faccessat(fd, "name", F_OK, 0), 0);
	close(fd);
}
END_TEST

START_TEST(long_paths)
{
	char path[PATH_MAX + 10];
	unsigned int before = unit_open_fds();
	int err;

	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	content(path, &err);
	ck_assert_int_eq(err, -ENAMETOOLONG);
	path[PATH_MAX - 100] = '\0';
	memset(path, '/', PATH_MAX - 100);
	memcpy(path + PATH_MAX - 100 - 15, "devices/d0/name", 15);
	ck_assert_str_eq(content(path, &err), "inside");
	/* Deeper than the walk goes. */
	snprintf(path, sizeof(path), "sys");
	for (size_t i = 0; i < 45; i++)
		strcat(path, "/d");
	fix_mkdir(path);
	content(path + strlen("sys/"), &err);
	ck_assert_int_eq(err, -ELOOP);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

static TCase *tc_at(void)
{
	TCase *tc = tcase_create("at");

	tcase_add_checked_fixture(tc, make_tree, fix_close);
	tcase_add_loop_test(tc, links_stay_inside, 0, SM_ARRAY_SIZE(links));
	tcase_add_test(tc, linked_directories_stay_inside);
	tcase_add_test(tc, a_tree_whose_sys_is_a_link);
	tcase_add_test(tc, only_files_and_directories);
	tcase_add_test(tc, long_paths);
	return tc;
}

UNIT_MAIN("at", tc_at)
