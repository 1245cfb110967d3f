// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/cpuwatch.h"
#include "fixroot_rig.h"

#define ONLINE "sys/devices/system/cpu/online"

static struct sm_cpuwatch watch;

static void setup(void)
{
	fix_open();
	fix_put(ONLINE, "0,2-3\n");
	ck_assert_int_eq(sm_cpuwatch_open(&watch, &fix), 3);
}

static void teardown(void)
{
	sm_cpuwatch_close(&watch);
	fix_close();
}

/* The CPUs that have been missed, when these are online. */
static const char *look(const char *online)
{
	static char text[64];
	struct sm_buf b = {0};

	fix_put(ONLINE, online);
	ck_assert_int_eq(sm_cpuwatch_look(&watch), 0);
	sm_cpuwatch_put(&watch, &b);
	snprintf(text, sizeof(text), "%u: %.*s", watch.n, (int)b.len, b.len ? b.p : "");
	sm_buf_fini(&b);
	return text;
}

START_TEST(those_of_the_start)
{
	ck_assert_uint_eq(watch.cpus, 4);
	ck_assert(watch.open[0] && !watch.open[1] && watch.open[2] && watch.open[3]);
	ck_assert_str_eq(look("0,2-3\n"), "0: ");
	ck_assert_str_eq(look("0\n"), "0: "); /* what is offline has no timers */
}
END_TEST

START_TEST(came_online)
{
	ck_assert_str_eq(look("0-3\n"), "1: 1");
	ck_assert_str_eq(look("0-9\n"), "7: 1,4,5,6,7,8,9");
	ck_assert_str_eq(look("0\n"), "7: 1,4,5,6,7,8,9"); /* they were missed */
}
END_TEST

/* The events of a CPU end when it goes offline. */
START_TEST(came_back)
{
	ck_assert_str_eq(look("0,3\n"), "0: ");
	ck_assert(!watch.open[2]);
	ck_assert_str_eq(look("0,2-3\n"), "1: 2");
	ck_assert_str_eq(look("0,2\n"), "1: 2");
	ck_assert_str_eq(look("0,2-3\n"), "2: 2,3");
}
END_TEST

START_TEST(no_list)
{
	fix_put(ONLINE, "0,,2\n");
	ck_assert_int_eq(sm_cpuwatch_look(&watch), -EBADMSG);
	ck_assert_str_eq(look("0-2\n"), "1: 1");
	sm_cpuwatch_close(&watch);
	unlink(fix_path(ONLINE));
	ck_assert_int_eq(sm_cpuwatch_open(&watch, &fix), -ENOENT);
}
END_TEST

static TCase *tc_cpuwatch(void)
{
	TCase *tc = tcase_create("cpuwatch");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, those_of_the_start);
	tcase_add_test(tc, came_online);
	tcase_add_test(tc, came_back);
	tcase_add_test(tc, no_list);
	return tc;
}

UNIT_MAIN("cpuwatch", tc_cpuwatch)
