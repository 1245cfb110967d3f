// SPDX-License-Identifier: GPL-2.0-or-later
/* The directory of a stage: what it is, what is removed, and what is not. */
#include <sys/file.h>

#include "fixroot_rig.h"
#include "stressors/run/scratch.h"

static struct scratch x;

static void set_up(void)
{
	fix_open();
	x = (struct scratch)SCRATCH_INIT;
	fix_mkdir("temp");
}

static void tear_down(void)
{
	ck_assert_int_eq(scratch_remove(&x), 0);
	fix_close();
}

static bool is_there(const char *name)
{
	struct stat st;

	return lstat(fix_path(name), &st) == 0;
}

static const char *own_name(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "temp/%s", x.name);
	return name;
}

/* As a supervisor leaves it that was killed. */
static void make_like(const char *name, mode_t mode)
{
	char file[128];

	snprintf(file, sizeof(file), "%s/dir-0/deep/file", name);
	fix_put(file, "text");
	ck_assert_int_eq(chmod(fix_path(name), mode), 0);
}

START_TEST(made_and_removed)
{
	struct stat st;
	int fd;

	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	ck_assert_int_eq(stat(fix_path(own_name()), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0700);
	ck_assert_uint_eq(st.st_uid, geteuid());
	fd = scratch_enter(x.fd, "dir", 3);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(mkdirat(fd, "shut", 0), 0);
	ck_assert_int_eq(symlinkat("/etc", fd, "link"), 0);
	close(fd);
	ck_assert(is_there(own_name()));
	ck_assert_int_eq(scratch_remove(&x), 0);
	ck_assert(!is_there(own_name()));
	ck_assert(x.fd < 0 && x.above_fd < 0);
}
END_TEST

/* An instance that is started again does not find the files of the last one. */
START_TEST(entered_again)
{
	int fd, again;

	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	fd = scratch_enter(x.fd, "dir", 0);
	ck_assert_int_eq(mkdirat(fd, "old", 0700), 0);
	again = scratch_enter(x.fd, "dir", 0);
	ck_assert_int_ge(again, 0);
	ck_assert_int_lt(faccessat(again, "old", F_OK, 0), 0);
	close(fd);
	close(again);
}
END_TEST

START_TEST(dead_one)
{
	make_like("temp/stressors-scratch-abcdef", 0700);
	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	ck_assert(!is_there("temp/stressors-scratch-abcdef"));
	ck_assert(is_there(own_name()));
}
END_TEST

/* Also by another open file of this process, as by an instance that still lives. */
START_TEST(held_one)
{
	int fd;

	make_like("temp/stressors-scratch-abcdef", 0700);
	fd = open(fix_path("temp/stressors-scratch-abcdef"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	ck_assert(is_there("temp/stressors-scratch-abcdef/dir-0/deep/file"));
	close(fd);
}
END_TEST

/* Names and modes of others, a link to a directory, and another user's. */
START_TEST(not_its_own)
{
	static const char *const keep[] = {"temp/stressors-scratch-abcde",
		"temp/stressors-scratch-abcdefg", "temp/stressors-scratch-open01",
		"temp/stressors", "temp/mine"};

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(keep); i++)
		make_like(keep[i], i == 2 ? 0755 : 0700);
	fix_link("temp/stressors-scratch-linked", "mine");
	make_like("temp/stressors-scratch-others", 0700);
	if (geteuid() == 0)
		ck_assert_int_eq(
			chown(fix_path("temp/stressors-scratch-others"), 4242, 4242), 0);
	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(keep); i++)
		ck_assert_msg(is_there(keep[i]), "%s", keep[i]);
	ck_assert(is_there("temp/mine/dir-0/deep/file"));
	ck_assert(is_there("temp/stressors-scratch-linked"));
	ck_assert_int_eq(is_there("temp/stressors-scratch-others"), geteuid() == 0);
}
END_TEST

START_TEST(two_at_once)
{
	struct scratch other = SCRATCH_INIT;

	ck_assert_int_eq(scratch_make(&x, fix_path("temp")), 0);
	ck_assert_int_eq(scratch_make(&other, fix_path("temp")), 0);
	ck_assert_str_ne(x.name, other.name);
	ck_assert(is_there(own_name()));
	ck_assert_int_eq(scratch_remove(&other), 0);
	ck_assert(is_there(own_name()));
}
END_TEST

/* The jobs that need it say why, the others run. */
START_TEST(no_place)
{
	static const struct stressor with = {.name = "with", .scratch = true};
	static const struct stressor without = {.name = "without"};
	struct job jobs[] = {{.stressor = &without}, {.stressor = &with}};
	struct plan plan = {.job = jobs, .n = 2};

	plan.temp_path = "/proc/no/such";
	ck_assert_int_eq(scratch_make_for(&x, &plan, jobs, 1), 0);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_int_eq(scratch_make_for(&x, &plan, jobs, 2), 0);
	ck_assert_ptr_null(jobs[0].why_not);
	ck_assert_str_eq(jobs[1].why_not,
		"cannot create a directory for its files in /proc/no/such (--temp-path): "
		"No such file or directory");
	ck_assert(!jobs[1].lacks && x.fd < 0);
	free(jobs[1].why_not);
}
END_TEST

static TCase *tc_scratch(void)
{
	TCase *tc = tcase_create("scratch");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, made_and_removed);
	tcase_add_test(tc, entered_again);
	tcase_add_test(tc, dead_one);
	tcase_add_test(tc, held_one);
	tcase_add_test(tc, not_its_own);
	tcase_add_test(tc, two_at_once);
	tcase_add_test(tc, no_place);
	return tc;
}

UNIT_MAIN("scratch", tc_scratch)
