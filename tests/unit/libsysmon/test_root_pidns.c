// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixroot_rig.h"
#include "proc/procpid.h"

START_TEST(pid_namespace)
{
	static const char *const others[] = {"pid:[4026531837]", "pid:[4026531836",
		"pid:[4026531836]x", "[4026531836]", "pid_for_children:[4026531836]",
		"mnt:[4026531836]", ""};
	struct sm_root none = SM_ROOT_INIT;

	ck_assert(!sm_root_initial_pidns(&none));
	ck_assert(!sm_root_initial_pidns(&fix));
	fix_link("proc/self/ns/pid", "pid:[4026531836]");
	ck_assert(sm_root_initial_pidns(&fix));
	for (size_t i = 0; *others[i]; i++) {
		ck_assert_int_eq(unlink(fix_path("proc/self/ns/pid")), 0);
		fix_link("proc/self/ns/pid", others[i]);
		ck_assert_msg(!sm_root_initial_pidns(&fix), "'%s'", others[i]);
	}
}
END_TEST

START_TEST(pid_namespace_live)
{
	struct sm_root live;
	struct stat st;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(stat("/proc/self/ns/pid", &st), 0);
	ck_assert_int_eq(sm_root_initial_pidns(&live), st.st_ino == 0xEFFFFFFC);
	ck_assert_int_eq(sm_procpid_self(&live), getpid());
	ck_assert_int_lt(sm_procpid_self(&fix), 0); /* no link */
	sm_root_close(&live);
}
END_TEST

static void put_pid_2(const char *name, const char *flags)
{
	char text[256];

	snprintf(text, sizeof(text),
		"2 (%s) S 0 0 0 0 -1 %s 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		name, flags);
	fix_put("proc/2/stat", text);
}

START_TEST(foreign_pids)
{
	ck_assert(!sm_procpid_foreign(&fix)); /* a recorded machine is believed */
	fix.live = true;
	ck_assert(sm_procpid_foreign(&fix));
	put_pid_2("kthreadd", "4194304");
	ck_assert(sm_procpid_foreign(&fix));
	put_pid_2("kthreadd", "2129984"); /* the /proc of the host */
	ck_assert(!sm_procpid_foreign(&fix));
	put_pid_2("bash", "4194304");
	fix_link("proc/self/ns/pid", "pid:[4026531836]");
	ck_assert(!sm_procpid_foreign(&fix));
}
END_TEST

static TCase *tc_pidns(void)
{
	TCase *tc = tcase_create("pidns");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, pid_namespace);
	tcase_add_test(tc, pid_namespace_live);
	tcase_add_test(tc, foreign_pids);
	return tc;
}

UNIT_MAIN("root_pidns", tc_pidns)
