// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "events/tracefs.h"
#include "unit.h"

/* As a Linux 6.18 kernel prints it. */
static const char exec_format[] =
	"name: sched_process_exec\n"
	"ID: 365\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:20;\tsize:16;\tsigned:0;\n"
	"\tfield:const char * name;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long args [6];\toffset:48;\tsize:48;\tsigned:0;\n"
	"\n"
	"print fmt: \"filename=%s pid=%d\", __get_str(filename), REC->pid\n";

static int parse(const char *text, const char *field, struct sm_tracefs_field *f)
{
	memset(f, 0xa5, sizeof(*f));
	return sm_tracefs_format_parse(text, strlen(text), field, f);
}

static void check_field(
	const char *field, uint32_t offset, uint32_t size, bool is_signed, bool data_loc)
{
	struct sm_tracefs_field f;

	ck_assert_int_eq(parse(exec_format, field, &f), 0);
	ck_assert_uint_eq(f.offset, offset);
	ck_assert_uint_eq(f.size, size);
	ck_assert_int_eq(f.is_signed, is_signed);
	ck_assert_int_eq(f.data_loc, data_loc);
}

START_TEST(format_gives_each_field)
{
	check_field("common_type", 0, 2, false, false);
	check_field("common_pid", 4, 4, true, false);
	check_field("filename", 8, 4, false, true);
	check_field("pid", 12, 4, true, false);
	check_field("old_pid", 16, 4, true, false);
	check_field("comm", 20, 16, false, false);
	check_field("name", 40, 8, false, false);
	check_field("args", 48, 48, false, false);
}
END_TEST

START_TEST(format_takes_whole_names_only)
{
	struct sm_tracefs_field f;

	ck_assert_int_eq(parse(exec_format, "file", &f), -ENOENT);
	ck_assert_int_eq(parse(exec_format, "filename2", &f), -ENOENT);
	ck_assert_int_eq(parse(exec_format, "id", &f), -ENOENT);
	ck_assert_int_eq(parse(exec_format, "char", &f), -ENOENT);
	ck_assert_int_eq(parse(exec_format, "6", &f), -ENOENT);
	ck_assert_int_eq(parse("", "pid", &f), -ENOENT);
	ck_assert_int_eq(parse("print fmt: field:int pid;offset:1;", "pid", &f), -ENOENT);
}
END_TEST

START_TEST(broken_format_is_an_error)
{
	static const char *const bad[] = {
		"field:int pid;",
		"field:int pid;\toffset:4;",
		"field:int pid;\toffset:4;\tsize:4;",
		"field:int pid;\toffset:4;\tsize:4;\tsigned:0", /* cut off */
		"field:int pid;\toffset:4;\tsize:4;\tsigned:2;",
		"field:int pid;\toffset:-4;\tsize:4;\tsigned:1;",
		"field:int pid;\toffset:4x;\tsize:4;\tsigned:1;",
		"field:int pid;\toffset:;\tsize:4;\tsigned:1;",
		"field:int pid;\toffset:4294967296;\tsize:4;\tsigned:1;",
		"field:int pid;\toffset:4;\tsize:99999999999999999999;\tsigned:1;",
		"field:int pid;\tsize:4;\toffset:4;\tsigned:1;",
	};
	struct sm_tracefs_field f;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_int_eq(parse(bad[i], "pid", &f), -EBADMSG);
	ck_assert_int_eq(parse("field:]];\toffset:4;", "pid", &f), -ENOENT);
	ck_assert_int_eq(parse("field:pid]", "pid", &f), -ENOENT);
	ck_assert_int_eq(parse("field:int\tpid[", "pid", &f), -ENOENT);
}
END_TEST

START_TEST(format_does_not_read_past_its_end)
{
	struct sm_tracefs_field f;
	size_t n = sizeof(exec_format) - 1;
	size_t pid_at = (size_t)(strstr(exec_format, "\tfield:pid_t pid;") - exec_format);
	size_t pid_end = (size_t)(strstr(exec_format, "\tfield:pid_t old") - exec_format);

	for (size_t cut = 0; cut <= n; cut++) {
		char *copy = malloc(cut ? cut : 1); /* the sanitizer watches its end */
		int rc;

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, exec_format, cut);
		rc = sm_tracefs_format_parse(copy, cut, "pid", &f);
		if (cut <= pid_at)
			ck_assert_int_eq(rc, -ENOENT);
		else if (cut < pid_end - 1)
			ck_assert(rc == -ENOENT || rc == -EBADMSG);
		else
			ck_assert_int_eq(rc, 0);
		free(copy);
	}
}
END_TEST

/* A root of our own below the test's temporary directory. */
static char top[UNIT_DIR];

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", top, path);
	for (char *p = full + strlen(top) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		ck_assert(mkdir(full, 0755) == 0 || errno == EEXIST);
	}
	if (!text)
		return;
	f = fopen(full, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	unit_mkdtemp(top);
}

static void teardown(void)
{
	char cmd[96];

	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", top);
	ck_assert_int_eq(system(cmd), 0);
}

static struct sm_root root_of_top(void)
{
	struct sm_root r = SM_ROOT_INIT;
	char sys[80];

	put("sys/", NULL);
	snprintf(sys, sizeof(sys), "%s/sys", top);
	r.sys.fd = open(sys, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(r.sys.fd, 0);
	return r;
}

START_TEST(mount_is_found)
{
	struct sm_root r;
	struct sm_tracefs_field f;
	uint32_t id = 0;
	int fd;

	put("sys/kernel/tracing/events/sched/sched_process_exec/id", "365\n");
	put("sys/kernel/tracing/events/sched/sched_process_exec/format", exec_format);
	put("sys/kernel/tracing/events/sched/broken/id", "none\n");
	put("sys/kernel/tracing/events/sched/huge/id", "4294967296\n");
	r = root_of_top();
	fd = sm_tracefs_open(&r);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(
		sm_tracefs_event_id(&r, fd, "sched", "sched_process_exec", &id), 0);
	ck_assert_uint_eq(id, 365);
	ck_assert_int_eq(sm_tracefs_event_id(&r, fd, "sched", "broken", &id), -EINVAL);
	ck_assert_int_eq(sm_tracefs_event_id(&r, fd, "sched", "huge", &id), -ERANGE);
	ck_assert_int_eq(sm_tracefs_event_id(&r, fd, "sched", "nosuch", &id), -ENOENT);
	ck_assert_uint_eq(id, 365);
	ck_assert_int_eq(
		sm_tracefs_field(&r, fd, "sched", "sched_process_exec", "old_pid", &f),
		0);
	ck_assert_uint_eq(f.offset, 16);
	ck_assert_int_eq(
		sm_tracefs_field(&r, fd, "sched", "sched_process_exec", "nosuch", &f),
		-ENOENT);
	ck_assert_int_eq(sm_tracefs_field(&r, fd, "sched", "nosuch", "pid", &f), -ENOENT);
	close(fd);
	close(r.sys.fd);
}
END_TEST

START_TEST(several_fields)
{
	struct sm_tracefs_named f[] = {
		{.name = "pid"}, {.name = "nosuch"}, {0}, {.name = "comm"}};
	struct sm_root r;
	int fd;

	f[1].at.size = f[2].at.size = 9;
	put("sys/kernel/tracing/events/sched/sched_process_exec/format", exec_format);
	put("sys/kernel/tracing/events/sched/broken/format", "field:int pid;\n");
	r = root_of_top();
	fd = sm_tracefs_open(&r);
	ck_assert_int_eq(
		sm_tracefs_fields(&r, fd, "sched", "sched_process_exec", f, 4), 0);
	ck_assert_uint_eq(f[0].at.offset, 12);
	ck_assert_uint_eq(f[1].at.size, 0);
	ck_assert_uint_eq(f[2].at.size, 0);
	ck_assert_uint_eq(f[3].at.size, 16);
	ck_assert_int_eq(sm_tracefs_fields(&r, fd, "sched", "broken", f, 4), -EBADMSG);
	ck_assert_int_eq(sm_tracefs_fields(&r, fd, "sched", "nosuch", f, 4), -ENOENT);
	ck_assert_int_eq(sm_tracefs_fields(&r, fd, "..", "nosuch", f, 4), -EINVAL);
	close(fd);
	close(r.sys.fd);
}
END_TEST

START_TEST(empty_mount_point_is_passed_over)
{
	struct sm_root r;
	uint32_t id = 0;
	int fd;

	put("sys/kernel/tracing/", NULL);
	put("sys/kernel/debug/tracing/events/a/b/id", "7\n");
	r = root_of_top();
	fd = sm_tracefs_open(&r);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_tracefs_event_id(&r, fd, "a", "b", &id), 0);
	ck_assert_uint_eq(id, 7);
	close(fd);
	close(r.sys.fd);
}
END_TEST

START_TEST(nothing_mounted_in_a_recorded_root)
{
	struct sm_root r, none = SM_ROOT_INIT;

	put("sys/kernel/tracing/", NULL);
	r = root_of_top();
	ck_assert_int_eq(sm_tracefs_open(&r), -ENOENT); /* and no private mount */
	ck_assert_int_eq(sm_tracefs_open(&none), -ENOENT);
	close(r.sys.fd);
}
END_TEST

START_TEST(closed_mount_is_eacces)
{
	struct sm_root r;
	char dir[128];
	int fd;

	put("sys/kernel/tracing/events/", NULL);
	snprintf(dir, sizeof(dir), "%s/sys/kernel/tracing", top);
	ck_assert_int_eq(chmod(dir, 0), 0);
	r = root_of_top();
	r.live = true; /* even then no mount of our own */
	fd = sm_tracefs_open(&r);
	if (fd >= 0) /* with CAP_DAC_OVERRIDE modes do not count */
		ck_assert_int_eq(faccessat(AT_FDCWD, dir, R_OK, 0), 0);
	else
		ck_assert_int_eq(fd, -EACCES);
	close(r.sys.fd);
	ck_assert_int_eq(chmod(dir, 0700), 0);
}
END_TEST

START_TEST(names_cannot_leave_the_events)
{
	static const char *const bad[] = {"", ".", "..", "../x", "a/b", "/etc"};
	char longest[300];
	struct sm_root none = SM_ROOT_INIT;
	uint32_t id;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(
			sm_tracefs_event_id(&none, AT_FDCWD, bad[i], "x", &id), -EINVAL);
		ck_assert_int_eq(
			sm_tracefs_event_id(&none, AT_FDCWD, "x", bad[i], &id), -EINVAL);
	}
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert_int_eq(
		sm_tracefs_event_id(&none, AT_FDCWD, "x", longest, &id), -ENAMETOOLONG);
}
END_TEST

/* The live kernel: what it says depends on our rights, but it never lies. */
static void check_live(struct sm_root *r)
{
	struct sm_tracefs_field f;
	uint32_t id = 0;
	int fd = sm_tracefs_open(r);

	if (fd < 0) {
		ck_assert(fd == -EACCES || fd == -EPERM || fd == -ENOENT);
		return;
	}
	ck_assert_int_eq(
		sm_tracefs_event_id(r, fd, "sched", "sched_process_exec", &id), 0);
	ck_assert_uint_gt(id, 0);
	ck_assert_int_eq(
		sm_tracefs_field(r, fd, "sched", "sched_process_exec", "filename", &f),
		0);
	ck_assert(f.data_loc);
	ck_assert_uint_eq(f.size, 4);
	ck_assert_int_eq(
		sm_tracefs_field(r, fd, "sched", "sched_process_exec", "pid", &f), 0);
	ck_assert_uint_eq(f.size, 4);
	ck_assert(f.is_signed);
	close(fd);
}

START_TEST(live_kernel)
{
	struct sm_root r = SM_ROOT_INIT;

	r.live = true;
	r.sys.fd = open("/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	check_live(&r);
	if (r.sys.fd >= 0)
		close(r.sys.fd);
}
END_TEST

START_TEST(detached_mount)
{
	struct sm_root r = SM_ROOT_INIT;

	r.live = true; /* no sysfs at all: only the mount of our own is left */
	check_live(&r);
}
END_TEST

/* Nobody can make or remove anything through it. */
START_TEST(detached_mount_is_read_only)
{
	struct sm_root r = SM_ROOT_INIT;
	int fd;

	r.live = true;
	fd = sm_tracefs_open(&r);
	if (fd < 0) {
		ck_assert(fd == -EACCES || fd == -EPERM || fd == -ENOENT);
		return;
	}
	ck_assert_int_lt(mkdirat(fd, "instances/sysmon-test", 0700), 0);
	ck_assert_int_eq(errno, EROFS);
	close(fd);
}
END_TEST

static TCase *tc_format(void)
{
	TCase *tc = tcase_create("format");

	tcase_add_test(tc, format_gives_each_field);
	tcase_add_test(tc, format_takes_whole_names_only);
	tcase_add_test(tc, broken_format_is_an_error);
	tcase_add_test(tc, format_does_not_read_past_its_end);
	tcase_add_test(tc, names_cannot_leave_the_events);
	return tc;
}

static TCase *tc_open(void)
{
	TCase *tc = tcase_create("open");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, mount_is_found);
	tcase_add_test(tc, several_fields);
	tcase_add_test(tc, empty_mount_point_is_passed_over);
	tcase_add_test(tc, nothing_mounted_in_a_recorded_root);
	tcase_add_test(tc, closed_mount_is_eacces);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_kernel);
	tcase_add_test(tc, detached_mount);
	tcase_add_test(tc, detached_mount_is_read_only);
	return tc;
}

UNIT_MAIN("tracefs", tc_format, tc_open, tc_live)
