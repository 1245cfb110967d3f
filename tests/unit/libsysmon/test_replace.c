// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/replace.h"
#include "unit.h"

static char dir[UNIT_DIR], path[64], link_path[64], tmp[96];

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/out", dir);
	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	snprintf(tmp, sizeof(tmp), "%s.tmp.%d", path, (int)getpid());
}

static void teardown(void)
{
	(void)!chmod(dir, 0700);
	(void)!unlink(link_path);
	(void)!unlink(path);
	(void)!rmdir(path);
	/* fails when a temporary file stayed */
	ck_assert_int_eq(rmdir(dir), 0);
}

static void put(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_eq(sm_file_write(fd, text, strlen(text)), 0);
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void expect(const char *text, mode_t mode)
{
	static char got[64];
	struct stat st;

	ck_assert_str_eq(unit_slurp(path, got, sizeof(got)), text);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, mode);
}

static int fill(void *ctx, int fd)
{
	return sm_file_write(fd, ctx, strlen(ctx));
}

static int run_full(void *ctx, int fd)
{
	(void)!write(fd, ctx, 1);
	return -ENOSPC;
}

static int replace(const char *name)
{
	static char text[] = "new";

	return sm_replace_file(name, 0644, fill, text);
}

START_TEST(new_file)
{
	mode_t mask = umask(027);

	ck_assert_int_eq(replace(path), 0);
	umask(mask);
	expect("new", 0640);
}
END_TEST

START_TEST(old_file)
{
	struct stat was, is;

	put(path, "old and longer", 0640);
	ck_assert_int_eq(stat(path, &was), 0);
	ck_assert_int_eq(replace(path), 0);
	expect("new", 0640);
	ck_assert_int_eq(stat(path, &is), 0);
	ck_assert_uint_ne(was.st_ino, is.st_ino);
}
END_TEST

/* A file with our pid in its name may be of a process in another pid namespace. */
START_TEST(files_of_others)
{
	put(tmp, "of another", 0600);
	ck_assert_int_eq(replace(path), 0);
	expect("new", 0644);
	ck_assert_int_eq(rename(tmp, path), 0);
	expect("of another", 0600);
}
END_TEST

/* As another process with our pid does it. */
static int fill_amid(void *ctx, int fd)
{
	static char inner[] = "inner";
	int err = sm_file_write(fd, ctx, 3);

	if (!err)
		err = sm_replace_file(path, 0644, fill, inner);
	expect("inner", 0644);
	return err ? err : sm_file_write(fd, (char *)ctx + 3, 2);
}

START_TEST(two_at_once)
{
	static char outer[] = "outer";

	ck_assert_int_eq(sm_replace_file(path, 0644, fill_amid, outer), 0);
	expect("outer", 0644);
}
END_TEST

START_TEST(owner)
{
	struct stat st;

	if (geteuid() != 0)
		return;
	put(path, "old", 0600);
	ck_assert_int_eq(chown(path, 65534, 65533), 0);
	ck_assert_int_eq(replace(path), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_uid, 65534);
	ck_assert_uint_eq(st.st_gid, 65533);
}
END_TEST

START_TEST(failure)
{
	ck_assert_int_eq(sm_replace_file(path, 0644, run_full, path), -ENOSPC);
	ck_assert_int_ne(access(path, F_OK), 0);
	put(path, "old", 0600);
	ck_assert_int_eq(sm_replace_file(path, 0644, run_full, path), -ENOSPC);
	expect("old", 0600);
}
END_TEST

START_TEST(links)
{
	struct stat st;

	ck_assert_int_eq(symlink("out", link_path), 0);
	ck_assert_int_eq(replace(link_path), 0); /* of a target that does not exist */
	ck_assert_int_eq(chmod(path, 0600), 0);
	put(path, "old", 0600);
	ck_assert_int_eq(replace(link_path), 0);
	expect("new", 0600);
	ck_assert_int_eq(lstat(link_path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	/* to itself, to a device */
	ck_assert_int_eq(unlink(link_path), 0);
	ck_assert_int_eq(symlink("link", link_path), 0);
	ck_assert_int_eq(replace(link_path), -ELOOP);
	ck_assert_int_eq(unlink(link_path), 0);
	ck_assert_int_eq(symlink("/dev/null", link_path), 0);
	ck_assert_int_eq(replace(link_path), -EOPNOTSUPP);
}
END_TEST

START_TEST(other_kinds)
{
	struct stat st;

	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(replace(path), -EOPNOTSUPP);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(replace(path), -EOPNOTSUPP);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert(S_ISFIFO(st.st_mode));
}
END_TEST

/* Names of 100 to 255 bytes, and one that is too long. */
START_TEST(long_names)
{
	for (size_t n = 100; n <= NAME_MAX + 1; n += n == 100 ? 142 : 1) {
		char long_path[UNIT_DIR + NAME_MAX + 8];
		size_t from = (size_t)snprintf(long_path, sizeof(long_path), "%s/", dir);

		memset(long_path + from, 'n', n);
		long_path[from + n] = '\0';
		for (int times = 0; times < 2; times++)
			ck_assert_int_eq(
				replace(long_path), n <= NAME_MAX ? 0 : -ENAMETOOLONG);
		if (n <= NAME_MAX)
			ck_assert_int_eq(rename(long_path, path), 0);
		expect("new", 0644);
	}
}
END_TEST

/* The path may be as long as the kernel permits, without room for a suffix. */
START_TEST(long_path_name)
{
	static char name[PATH_MAX];
	size_t n = (size_t)snprintf(name, sizeof(name), "%s", dir);

	memset(name + n, '/', sizeof(name) - n);
	memcpy(name + sizeof(name) - 4, "out", 4);
	ck_assert_int_eq(replace(name), 0);
	ck_assert_int_eq(replace(name), 0);
	expect("new", 0644);
}
END_TEST

START_TEST(in_the_working_directory)
{
	char before[PATH_MAX];

	ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
	ck_assert_int_eq(chdir(dir), 0);
	ck_assert_int_eq(replace("out"), 0);
	ck_assert_int_eq(chdir(before), 0);
	expect("new", 0644);
}
END_TEST

/* What open(2) forbids is forbidden, also where a rename would be allowed. */
START_TEST(forbidden)
{
	bool root = geteuid() == 0;
	int of_file, of_dir;

	put(path, "old", 0444);
	ck_assert_int_eq(root ? chown(dir, 65534, 65534) : 0, 0);
	ck_assert_int_eq(root ? seteuid(65534) : 0, 0);
	of_file = replace(path);
	ck_assert_int_eq(chmod(dir, 0500), 0);
	of_dir = replace(link_path);
	ck_assert_int_eq(root ? seteuid(0) : 0, 0);
	ck_assert_int_eq(of_file, -EACCES);
	ck_assert_int_eq(of_dir, -EACCES);
	ck_assert(sm_replace_forbidden(of_dir) && !sm_replace_forbidden(-ENOSPC));
	expect("old", 0444);
	ck_assert_int_ne(access(link_path, F_OK), 0);
}
END_TEST

static TCase *tc_replace(void)
{
	TCase *tc = tcase_create("replace");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, new_file);
	tcase_add_test(tc, old_file);
	tcase_add_test(tc, files_of_others);
	tcase_add_test(tc, two_at_once);
	tcase_add_test(tc, owner);
	tcase_add_test(tc, failure);
	tcase_add_test(tc, links);
	tcase_add_test(tc, other_kinds);
	tcase_add_test(tc, long_names);
	tcase_add_test(tc, long_path_name);
	tcase_add_test(tc, in_the_working_directory);
	tcase_add_test(tc, forbidden);
	return tc;
}

UNIT_MAIN("replace", tc_replace)
