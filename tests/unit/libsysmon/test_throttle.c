// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixroot_rig.h"
#include "power/throttle.h"

static struct sm_throttle before, after;
static struct sm_throttle_meter meter;
static uint64_t core, package;

static void put(unsigned int cpu, const char *file, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/%s", cpu, file);
	fix_put(path, text);
}

static void number(unsigned int cpu, const char *file, unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", n);
	put(cpu, file, text);
}

static void counts(unsigned int cpu, unsigned int of_core, unsigned int of_package)
{
	number(cpu, "thermal_throttle/core_throttle_count", of_core);
	number(cpu, "thermal_throttle/package_throttle_count", of_package);
}

/* Two packages of two cores of two threads; CPU n and n + 4 are one core. */
static void setup(void)
{
	fix_open();
	for (unsigned int i = 0; i < 8; i++) {
		number(i, "topology/physical_package_id", i % 4 / 2);
		number(i, "topology/core_id", i % 2);
		counts(i, 100, 1000);
	}
	fix_put("sys/devices/system/cpu/cpufreq/x", "");
}

static void teardown(void)
{
	sm_throttle_free(&before);
	sm_throttle_free(&after);
	fix_close();
}

static void differ(unsigned int want_core, unsigned int want_package)
{
	ck_assert_int_eq(sm_throttle_read(&after, &fix), 0);
	ck_assert_int_eq(sm_throttle_between(&before, &after, &core, &package), 0);
	ck_assert_uint_eq(core, want_core);
	ck_assert_uint_eq(package, want_package);
	sm_throttle_free(&after);
}

START_TEST(an_event_counts_once)
{
	ck_assert_int_eq(sm_throttle_read(&before, &fix), 0);
	ck_assert_uint_eq(before.n, 8);
	differ(0, 0);
	counts(1, 103, 1002); /* a core of package 0: both threads, one has seen less */
	counts(5, 102, 1002);
	counts(0, 100, 1002);
	counts(4, 100, 1001);
	differ(3, 2);
	counts(2, 101, 1007); /* package 1 */
	counts(3, 110, 1007);
	differ(14, 9);
}
END_TEST

START_TEST(a_cpu_that_was_away)
{
	ck_assert_int_eq(sm_throttle_read(&before, &fix), 0);
	counts(0, 3, 3);
	differ(0, 0);
	ck_assert_int_eq(remove(fix_path("sys/devices/system/cpu/cpu1/thermal_throttle/"
					 "core_throttle_count")),
		0);
	counts(2, 105, 1000);
	differ(5, 0);
}
END_TEST

START_TEST(a_cpu_that_came)
{
	put(7, "thermal_throttle/core_throttle_count", "");
	put(7, "thermal_throttle/package_throttle_count", "-5\n");
	ck_assert_int_eq(sm_throttle_read(&before, &fix), 0);
	ck_assert_uint_eq(before.n, 7);
	counts(7, 100000, 100000);
	differ(0, 0);
}
END_TEST

START_TEST(without_topology)
{
	for (unsigned int i = 0; i < 8; i++) {
		put(i, "topology/physical_package_id", "-1\n");
		put(i, "topology/core_id", "x\n");
	}
	ck_assert_int_eq(sm_throttle_read(&before, &fix), 0);
	for (unsigned int i = 0; i < 8; i++)
		counts(i, 101, 1001);
	differ(8, 8);
}
END_TEST

START_TEST(a_machine_without)
{
	fix_close();
	fix_open();
	ck_assert_int_eq(sm_throttle_read(&before, &fix), -ENOENT);
	fix_mkdir("sys/devices/system/cpu/cpu0/thermal_throttle");
	ck_assert_int_eq(sm_throttle_read(&before, &fix), -ENOENT);
	ck_assert_uint_eq(before.n, 0);
	ck_assert_int_eq(sm_throttle_between(&before, &after, &core, &package), -ENODATA);
	ck_assert_uint_eq(core + package, 0);
}
END_TEST

static void next(unsigned int want_core, unsigned int want_package)
{
	ck_assert_int_eq(sm_throttle_next(&meter, &core, &package), 0);
	ck_assert_uint_eq(core, want_core);
	ck_assert_uint_eq(package, want_package);
}

static void remove_count(unsigned int cpu, const char *of)
{
	char path[96];

	snprintf(path, sizeof(path),
		"sys/devices/system/cpu/cpu%u/thermal_throttle/%s_throttle_count", cpu,
		of);
	ck_assert_int_eq(remove(fix_path(path)), 0);
}

/* Each reading has the events since the one before, from the files of the opening. */
START_TEST(intervals)
{
	uint64_t reads;
	bool counted;

	ck_assert_int_eq(sm_throttle_open(&meter, &fix), 0);
	ck_assert_uint_eq(meter.fds, 16);
	next(0, 0);
	counts(1, 103, 1002);
	counts(5, 102, 1002);
	counts(0, 100, 1002);
	counts(4, 100, 1001);
	next(3, 2);
	next(0, 0);
	counts(2, 105, 1007);
	counted = fix_reads_counted();
	reads = fix_reads();
	next(5, 7);
	if (counted)
		ck_assert_uint_eq(fix_reads_between(reads, fix_reads()), 16);
	sm_throttle_close(&meter);
}
END_TEST

static void unknown(unsigned int want_core, unsigned int want_package)
{
	ck_assert_int_eq(sm_throttle_next(&meter, &core, &package), -ENODATA);
	ck_assert_uint_eq(core, want_core);
	ck_assert_uint_eq(package, want_package);
}

/* A core or package whose CPUs all jumped has an unknown number of events. */
START_TEST(counts_that_jump)
{
	ck_assert_int_eq(sm_throttle_open(&meter, &fix), 0);
	counts(0, 4000000000, 4000000000); /* CPU 4 shows what happened */
	counts(4, 101, 1001);
	next(1, 1);
	counts(4, 4000000000, 1002);
	counts(0, 3, 3);
	counts(2, 107, 1000);
	unknown(7, 1);
	next(0, 0);
	for (unsigned int i = 0; i < 8; i++)
		counts(i, 100, i % 4 < 2 ? 4000000000 : 1000);
	unknown(97, 0);
	counts(0, 101, 4000000000);
	next(1, 0);
	for (unsigned int i = 0; i < 8; i++)
		counts(i, 4000000000, 1);
	ck_assert_int_eq(sm_throttle_renew(&meter, &core, &package), -ENODATA);
	ck_assert_uint_eq(core + package, 0);
	next(0, 0);
	sm_throttle_close(&meter);
}
END_TEST

/* An offline CPU has no files; its counts begin at 0 after it returns. */
START_TEST(a_cpu_that_goes_and_comes)
{
	ck_assert_int_eq(sm_throttle_open(&meter, &fix), 0);
	put(3, "thermal_throttle/core_throttle_count", "");
	put(3, "thermal_throttle/package_throttle_count", "");
	next(0, 0);
	ck_assert_uint_eq(meter.fds, 14);
	remove_count(3, "core");
	remove_count(3, "package");
	next(0, 0);
	counts(3, 500, 5000);
	next(0, 0);
	ck_assert_uint_eq(meter.fds, 16);
	counts(3, 502, 5001);
	next(2, 1);
	for (unsigned int i = 0; i < 8; i++) {
		put(i, "thermal_throttle/core_throttle_count", "x");
		put(i, "thermal_throttle/package_throttle_count", "-1\n");
	}
	ck_assert_int_eq(sm_throttle_next(&meter, &core, &package), -ENODATA);
	ck_assert_uint_eq(meter.fds, 0);
	sm_throttle_close(&meter);
}
END_TEST

/* CPU 3 comes online with 500 events, and has two more later. */
START_TEST(cpu_that_comes_online)
{
	remove_count(3, "core");
	remove_count(3, "package");
	ck_assert_int_eq(sm_throttle_open(&meter, &fix), 0);
	next(0, 0);
	counts(3, 500, 5000);
	ck_assert_int_eq(sm_throttle_renew(&meter, &core, &package), 0);
	ck_assert_uint_eq(core + package, 0);
	ck_assert_uint_eq(meter.fds, 16);
	counts(3, 502, 5001);
	next(2, 1);
	sm_throttle_close(&meter);
}
END_TEST

/* Files above the limit are opened for each reading. */
START_TEST(few_descriptors)
{
	ck_assert_int_eq(sm_throttle_open(&meter, &fix), 0);
	meter.fds_max = 5;
	counts(3, 102, 1001);
	next(2, 1);
	ck_assert_uint_eq(meter.fds, 5);
	counts(7, 104, 1001);
	next(4, 1);
	sm_throttle_close(&meter);
}
END_TEST

START_TEST(no_intervals)
{
	fix_close();
	fix_open();
	ck_assert_int_eq(sm_throttle_open(&meter, &fix), -ENOENT);
}
END_TEST

static TCase *tc_throttle(void)
{
	TCase *tc = tcase_create("throttle");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_event_counts_once);
	tcase_add_test(tc, a_cpu_that_was_away);
	tcase_add_test(tc, a_cpu_that_came);
	tcase_add_test(tc, without_topology);
	tcase_add_test(tc, a_machine_without);
	tcase_add_test(tc, intervals);
	tcase_add_test(tc, counts_that_jump);
	tcase_add_test(tc, a_cpu_that_goes_and_comes);
	tcase_add_test(tc, cpu_that_comes_online);
	tcase_add_test(tc, few_descriptors);
	tcase_add_test(tc, no_intervals);
	return tc;
}

UNIT_MAIN("throttle", tc_throttle)
