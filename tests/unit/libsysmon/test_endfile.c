// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/endfile.h"
#include "unit.h"

static char dir[UNIT_DIR], path[64], text_new[] = "new";

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/out", dir);
}

static void teardown(void)
{
	(void)!chmod(dir, 0700);
	(void)!unlink(path);
	/* fails when a temporary file stayed */
	ck_assert_int_eq(rmdir(dir), 0);
}

static int open_it(const char *name, int flags, mode_t mode)
{
	int fd = open(name, flags | O_CLOEXEC, mode);

	return fd < 0 ? -errno : fd;
}

static int fill(void *ctx, int fd)
{
	return sm_file_write(fd, ctx, strlen(ctx));
}

static int half(void *ctx, int fd)
{
	(void)ctx;
	ck_assert_int_eq(sm_file_write(fd, "half", 4), 0);
	return -ENOSPC;
}

static void expect(const char *text)
{
	static char got[64];

	ck_assert_str_eq(unit_slurp(path, got, sizeof(got)), text);
}

static void put(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_eq(sm_file_write(fd, text, strlen(text)), 0);
	close(fd);
}

START_TEST(replaced_at_the_end)
{
	struct sm_endfile f = SM_ENDFILE_INIT;

	put("old and long");
	ck_assert_int_eq(sm_endfile_open(&f, path, open_it), 0);
	ck_assert(!f.straight);
	expect("old and long");
	ck_assert_int_eq(sm_endfile_write(&f, half, NULL), -ENOSPC);
	expect("old and long");
	ck_assert_int_eq(sm_endfile_write(&f, fill, text_new), 0);
	expect("new");
	sm_endfile_close(&f);
	sm_endfile_close(&f);
}
END_TEST

START_TEST(created_at_the_start)
{
	struct sm_endfile f = SM_ENDFILE_INIT;

	ck_assert_int_eq(sm_endfile_open(&f, path, open_it), 0);
	expect("");
	ck_assert_int_eq(sm_endfile_write(&f, fill, text_new), 0);
	expect("new");
	sm_endfile_close(&f);
	ck_assert_int_eq(sm_endfile_open(&f, dir, open_it), -EISDIR);
	ck_assert_int_lt(f.fd, 0);
}
END_TEST

/* Root may write to the directory nevertheless, and then the file is replaced. */
START_TEST(overwritten_in_a_directory_without_the_right_to_write)
{
	struct sm_endfile f = SM_ENDFILE_INIT;

	put("old and long");
	ck_assert_int_eq(sm_endfile_open(&f, path, open_it), 0);
	ck_assert_int_eq(chmod(dir, 0500), 0);
	ck_assert_int_eq(sm_endfile_write(&f, fill, text_new), 0);
	expect("new");
	sm_endfile_close(&f);
}
END_TEST

START_TEST(no_regular_file_is_written_directly)
{
	struct sm_endfile f = SM_ENDFILE_INIT;
	char got[8] = "";
	int reader;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(reader, 0);
	ck_assert_int_eq(sm_endfile_open(&f, path, open_it), 0);
	ck_assert(f.straight);
	ck_assert_int_eq(sm_endfile_write(&f, fill, text_new), 0);
	ck_assert_int_eq(read(reader, got, sizeof(got)), 3);
	ck_assert_str_eq(got, "new");
	sm_endfile_close(&f);
	close(reader);
}
END_TEST

/* FILE is where standard error goes, and what was written there stays. */
START_TEST(standard_error_is_continued)
{
	struct sm_endfile f = SM_ENDFILE_INIT;
	int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), err;
	bool straight;

	put("");
	ck_assert_int_eq(dup2(open_it(path, O_WRONLY, 0), STDERR_FILENO), STDERR_FILENO);
	err = sm_file_write(STDERR_FILENO, "before, ", 8);
	err = err ? err : sm_endfile_open(&f, path, open_it);
	straight = f.straight;
	err = err ? err : sm_endfile_write(&f, fill, text_new);
	dup2(saved, STDERR_FILENO);
	close(saved);
	sm_endfile_close(&f);
	ck_assert_int_eq(err, 0);
	ck_assert(straight);
	expect("before, new");
}
END_TEST

static TCase *tc_endfile(void)
{
	TCase *tc = tcase_create("endfile");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, replaced_at_the_end);
	tcase_add_test(tc, created_at_the_start);
	tcase_add_test(tc, overwritten_in_a_directory_without_the_right_to_write);
	tcase_add_test(tc, no_regular_file_is_written_directly);
	tcase_add_test(tc, standard_error_is_continued);
	return tc;
}

UNIT_MAIN("endfile", tc_endfile)
