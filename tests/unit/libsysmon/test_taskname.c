// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "proc/taskname.h"
#include "unit.h"

#define LINE(text) ((struct sm_str){text, sizeof(text) - 1})

static void check(struct sm_str got, const char *want, size_t n)
{
	ck_assert_uint_eq(got.n, n);
	ck_assert_int_eq(memcmp(got.p, want, n), 0);
}
#define CHECK(got, want) check(got, want, sizeof(want) - 1)

START_TEST(forms_of_a_command_line)
{
	struct sm_str make = LINE("/usr/bin/make\0-C\0/a/b");
	struct sm_str title = LINE("/sbin/sshd: root /dev/pts\0x");

	CHECK(sm_taskname_command(make, 0), "/usr/bin/make");
	CHECK(sm_taskname_command(make, SM_TASKNAME_FULL), "/usr/bin/make\0-C\0/a/b");
	CHECK(sm_taskname_command(make, SM_TASKNAME_FULL | SM_TASKNAME_STRIP),
		"make\0-C\0/a/b");
	CHECK(sm_taskname_command(make, SM_TASKNAME_STRIP), "make");
	CHECK(sm_taskname_command(title, SM_TASKNAME_SHORT), "/sbin/sshd:");
	CHECK(sm_taskname_command(title, SM_TASKNAME_SHORT | SM_TASKNAME_STRIP), "sshd:");
	CHECK(sm_taskname_command(title, SM_TASKNAME_STRIP), "sshd: root /dev/pts");
	CHECK(sm_taskname_command(LINE("/usr/ x"), SM_TASKNAME_STRIP), "/usr/ x");
	CHECK(sm_taskname_command(LINE(""), SM_TASKNAME_STRIP), "");
}
END_TEST

START_TEST(programs)
{
	CHECK(sm_taskname_program(LINE("/usr/bin/make\0/x/y")), "make");
	CHECK(sm_taskname_program(LINE("make")), "make");
	CHECK(sm_taskname_program(LINE("/")), "/");
	CHECK(sm_taskname_program(LINE("")), "");
}
END_TEST

START_TEST(kernel_threads)
{
	char text[20];

	CHECK(sm_taskname_kthread(LINE("kworker/0:1"), text), "[kworker/0:1]");
	CHECK(sm_taskname_kthread((struct sm_str){NULL, 0}, text), "[]");
}
END_TEST

START_TEST(patterns)
{
	char name[300];

	ck_assert(sm_taskname_match("ma*", LINE("make")));
	ck_assert(!sm_taskname_match("ma", LINE("make")));
	ck_assert(sm_taskname_match("", (struct sm_str){NULL, 0}));
	memset(name, 'x', sizeof(name));
	ck_assert(sm_taskname_match("x*x", (struct sm_str){name, sizeof(name)}));
}
END_TEST

START_TEST(by_comm_or_program)
{
	struct sm_str comm = SM_STR("Web Content"), cmd = SM_STR("/usr/bin/firefox\0-x");

	ck_assert(sm_taskname_is("fire*", comm, cmd));
	ck_assert(sm_taskname_is("Web*", comm, cmd));
	ck_assert(!sm_taskname_is("*-x", comm, cmd));
	ck_assert(!sm_taskname_is("fire*", comm, (struct sm_str){0}));
}
END_TEST

START_TEST(parts)
{
	struct sm_str comm = SM_STR("Web Content"), cmd = SM_STR("/usr/bin/firefox\0-x");

	ck_assert(sm_taskname_has("FOX -X", comm, cmd));
	ck_assert(sm_taskname_has("b c", comm, cmd));
	ck_assert(!sm_taskname_has("Content/usr", comm, cmd));
	ck_assert(!sm_taskname_has("-xx", comm, cmd));
	ck_assert(!sm_taskname_has("fox", comm, (struct sm_str){0}));
	ck_assert(!sm_taskname_has("a", (struct sm_str){0}, (struct sm_str){0}));
}
END_TEST

static TCase *tc_taskname(void)
{
	TCase *tc = tcase_create("taskname");

	tcase_add_test(tc, forms_of_a_command_line);
	tcase_add_test(tc, programs);
	tcase_add_test(tc, kernel_threads);
	tcase_add_test(tc, patterns);
	tcase_add_test(tc, by_comm_or_program);
	tcase_add_test(tc, parts);
	return tc;
}

UNIT_MAIN("taskname", tc_taskname)
