// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <sys/wait.h>

#include "load/cpus.h"
#include "fixroot_rig.h"

#define POSSIBLE "sys/devices/system/cpu/possible"
#define ONLINE	 "sys/devices/system/cpu/online"

static struct sm_cpus cpus;
static unsigned int *list, bad;
static char text[64];

static void setup(void)
{
	fix_open();
}

static void teardown(void)
{
	sm_cpus_close(&cpus);
	free(list);
	list = NULL;
	fix_close();
}

static unsigned int first_allowed(void)
{
	cpu_set_t set;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	for (unsigned int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			return i;
	ck_abort_msg("no CPU");
}

static void pin_to_first(void)
{
	ck_assert_int_eq(sm_cpus_pin(first_allowed()), 0);
}

START_TEST(live)
{
	struct sm_root root;
	unsigned int n;
	cpu_set_t set;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	ck_assert_int_eq(sm_cpus_open(&cpus, &root), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	n = (unsigned int)CPU_COUNT(&set);
	ck_assert_uint_eq(cpus.usable, n);
	for (unsigned int i = 0; i < cpus.n + 10; i++)
		ck_assert_int_eq(
			sm_cpus_why(&cpus, i) == SM_CPUS_USABLE, CPU_ISSET(i, &set) != 0);
	ck_assert_int_eq(sm_cpus_select(&cpus, NULL, &list, &bad), n);
	sm_root_close(&root);
}
END_TEST

/* The affinity of this process beside a prepared machine: the first CPU alone. */
START_TEST(reasons)
{
	unsigned int own = first_allowed();

	pin_to_first();
	fix_put(POSSIBLE, "0-1023\n");
	snprintf(text, sizeof(text), "%u,1000-1001\n", own);
	fix_put(ONLINE, text);
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), 0);
	ck_assert_uint_eq(cpus.n, 1024);
	ck_assert_uint_eq(cpus.usable, 1);
	ck_assert_int_eq(sm_cpus_why(&cpus, own), SM_CPUS_USABLE);
	ck_assert_int_eq(sm_cpus_why(&cpus, 1000), SM_CPUS_FORBIDDEN);
	ck_assert_int_eq(sm_cpus_why(&cpus, 1001), SM_CPUS_FORBIDDEN);
	ck_assert_int_eq(sm_cpus_why(&cpus, 999), SM_CPUS_OFFLINE);
	ck_assert_int_eq(sm_cpus_why(&cpus, 1024), SM_CPUS_ABSENT);
	ck_assert_int_eq(sm_cpus_select(&cpus, "1001", &list, &bad), -ENODEV);
	ck_assert_uint_eq(bad, 1001);
	snprintf(text, sizeof(text), "%u,999", own);
	ck_assert_int_eq(sm_cpus_select(&cpus, text, &list, &bad), -ENODEV);
	ck_assert_uint_eq(bad, 999);
	snprintf(text, sizeof(text), "%u", own);
	ck_assert_int_eq(sm_cpus_select(&cpus, text, &list, &bad), 1);
	ck_assert_uint_eq(list[0], own);
}
END_TEST

/* The own CPU is permitted, and offline. */
START_TEST(own_cpu_offline)
{
	pin_to_first();
	fix_put(POSSIBLE, "0-1023\n");
	fix_put(ONLINE, "1000\n");
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), 0);
	ck_assert_uint_eq(cpus.usable, 0);
	ck_assert_int_eq(sm_cpus_why(&cpus, first_allowed()), SM_CPUS_OFFLINE);
	ck_assert_int_eq(sm_cpus_select(&cpus, NULL, &list, &bad), -ENODEV);
}
END_TEST

START_TEST(without_sysfs)
{
	unsigned int own = first_allowed();

	pin_to_first();
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), 0);
	ck_assert_uint_eq(cpus.n, own + 1);
	ck_assert_uint_eq(cpus.usable, 1);
	ck_assert_int_eq(sm_cpus_why(&cpus, own), SM_CPUS_USABLE);
}
END_TEST

START_TEST(hostile_sysfs)
{
	fix_put(POSSIBLE, "0-3\n");
	fix_put(ONLINE, "0-zz\n");
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), -EBADMSG);
	ck_assert_ptr_null(cpus.why);
	fix_put(ONLINE, "0-99999999\n");
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), -EBADMSG);
	fix_put(ONLINE, "");
	ck_assert_int_eq(sm_cpus_open(&cpus, &fix), -EBADMSG);
}
END_TEST

static unsigned char all_usable[8];

START_TEST(selection)
{
	static const struct {
		const char *list;
		int result;
		unsigned int bad;
	} wrong[] = {
		{"", -EINVAL, 0},
		{"a", -EINVAL, 0},
		{"1,", -EINVAL, 0},
		{",1", -EINVAL, 0},
		{"1\n", -EINVAL, 0},
		{"3-1", -EINVAL, 0},
		{"1-", -EINVAL, 0},
		{"0 1", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"70000", -ERANGE, 0},
		{"0,0", -EEXIST, 0},
		{"5,2-6", -EEXIST, 5},
		{"6-9", -ENODEV, 8},
		{"65535", -ENODEV, 65535},
	};
	static const unsigned int right[] = {5, 0, 1, 2, 7};
	struct sm_cpus c = {.why = all_usable, .n = 8, .usable = 8};

	for (size_t i = 0; i < SM_ARRAY_SIZE(wrong); i++) {
		ck_assert_int_eq(
			sm_cpus_select(&c, wrong[i].list, &list, &bad), wrong[i].result);
		if (wrong[i].result != -EINVAL && wrong[i].result != -ERANGE)
			ck_assert_uint_eq(bad, wrong[i].bad);
	}
	ck_assert_ptr_null(list);
	ck_assert_int_eq(sm_cpus_select(&c, "5,0-2,7", &list, &bad), 5);
	for (size_t i = 0; i < SM_ARRAY_SIZE(right); i++)
		ck_assert_uint_eq(list[i], right[i]);
}
END_TEST

START_TEST(pinning)
{
	unsigned int own = first_allowed();
	cpu_set_t set;

	ck_assert_int_eq(sm_cpus_pin(own), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	ck_assert_int_eq(CPU_COUNT(&set), 1);
	ck_assert(CPU_ISSET(own, &set));
	ck_assert_int_eq(sched_getcpu(), own);
	ck_assert_int_eq(sm_cpus_pin(65535), -EINVAL);
	ck_assert_int_eq(sm_cpus_pin(65536), -EINVAL);
	ck_assert_int_eq(sm_cpus_pin(UINT32_MAX), -EINVAL);
	ck_assert_int_eq(sched_getcpu(), own);
}
END_TEST

/* A CPU that the own mask lacks, but the kernel permits, can be named; it is not in the
 * default set, and the mask is as before. */
START_TEST(outside_of_the_mask)
{
	cpu_set_t before, after;
	struct sm_root root;
	unsigned int own = first_allowed(), n, other;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	for (other = own + 1; other < CPU_SETSIZE; other++)
		if (CPU_ISSET(other, &before))
			break;
	if (other == CPU_SETSIZE)
		return; /* one CPU only */
	pin_to_first();
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	ck_assert_int_eq(sm_cpus_open(&cpus, &root), 0);
	sm_root_close(&root);
	ck_assert_uint_eq(cpus.usable, 1);
	ck_assert_int_eq(sm_cpus_why(&cpus, own), SM_CPUS_USABLE);
	ck_assert_int_eq(sm_cpus_why(&cpus, other), SM_CPUS_APART);
	ck_assert_int_eq(sm_cpus_select(&cpus, NULL, &list, &bad), 1);
	ck_assert_uint_eq(list[0], own);
	free(list);
	snprintf(text, sizeof(text), "%u", other);
	ck_assert_int_eq(sm_cpus_select(&cpus, text, &list, &bad), 1);
	ck_assert_uint_eq(list[0], other);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(after), &after), 0);
	n = (unsigned int)CPU_COUNT(&after);
	ck_assert_uint_eq(n, 1);
	ck_assert(CPU_ISSET(own, &after));
	ck_assert_int_eq(sm_cpus_pin(other), 0);
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(sm_cpus_reason(SM_CPUS_USABLE), "");
	ck_assert_str_eq(sm_cpus_reason(SM_CPUS_ABSENT), "does not exist");
	ck_assert_str_eq(sm_cpus_reason(SM_CPUS_OFFLINE), "is offline");
	ck_assert_str_eq(
		sm_cpus_reason(SM_CPUS_FORBIDDEN), "is outside of this process's cpuset");
	ck_assert_str_eq(sm_cpus_reason(SM_CPUS_APART),
		"is outside of this process's CPU affinity, but can be selected");
}
END_TEST

static TCase *tc_cpus(void)
{
	TCase *tc = tcase_create("cpus");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, live);
	tcase_add_test(tc, reasons);
	tcase_add_test(tc, own_cpu_offline);
	tcase_add_test(tc, without_sysfs);
	tcase_add_test(tc, hostile_sysfs);
	tcase_add_test(tc, selection);
	tcase_add_test(tc, pinning);
	tcase_add_test(tc, outside_of_the_mask);
	tcase_add_test(tc, words);
	return tc;
}

UNIT_MAIN("cpus", tc_cpus)
