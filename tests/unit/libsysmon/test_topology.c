// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fixroot_rig.h"
#include "proc/topology.h"

#define MOST 16

static unsigned int cpu[MOST], rank[MOST];

static void setup(void)
{
	fix_open();
	for (unsigned int i = 0; i < MOST; i++)
		cpu[i] = i;
}

static void teardown(void)
{
	fix_close();
}

static void put(unsigned int n, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/%s", n, name);
	fix_put(path, text);
}

static void siblings(unsigned int n, const char *list)
{
	put(n, "thread_siblings_list", list);
}

static void are(const unsigned int *a, unsigned int n, const char *want)
{
	char text[256] = "";

	for (unsigned int i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u",
			i ? " " : "", a[i]);
	ck_assert_str_eq(text, want);
}

static void ranks_are(unsigned int n, const char *want)
{
	ck_assert_int_eq(sm_topology_ranks(&fix, cpu, n, rank), 0);
	are(rank, n, want);
}

static void capacity(unsigned int n, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpu_capacity", n);
	fix_put(path, text);
}

static struct sm_topology_types types;

static void types_are(unsigned int n, const char *want, const char *names)
{
	char text[128] = "";

	ck_assert_int_eq(sm_topology_types(&fix, cpu, n, rank, &types), 0);
	are(rank, n, want);
	for (unsigned int i = 0; i < types.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s:%u ",
			types.name[i], types.cpus[i]);
	ck_assert_str_eq(text, names);
}

START_TEST(types_by_capacity)
{
	types_are(3, "0 0 0", ":3 "); /* no CPU has a capacity */
	for (unsigned int i = 0; i < 4; i++)
		capacity(i, "446\n");
	types_are(4, "0 0 0 0", ":4 ");
	capacity(2, "1024\n");
	capacity(3, "871\n");
	types_are(4, "2 2 0 1", "capacity-1024:1 capacity-871:1 capacity-446:2 ");
	types_are(2, "0 0", ":2 "); /* of the CPUs of the caller */
	types_are(5, "2 2 0 1 3",
		"capacity-1024:1 capacity-871:1 capacity-446:2 unknown:1 ");
	capacity(4, "100\n");
	capacity(5, "-1\n");
	ck_assert_int_eq(sm_topology_types(&fix, cpu, 6, rank, &types), -E2BIG);
	ck_assert_int_eq(sm_topology_types(&fix, cpu, 0, rank, &types), 0);
	ck_assert_uint_eq(types.n, 1);
}
END_TEST

/* The capacities of P cores differ by their maximum frequencies. */
START_TEST(types_of_hybrid_processors)
{
	fix_put("sys/devices/cpu_core/cpus", "0-3\n");
	fix_put("sys/devices/cpu_atom/cpus", "4-7\n");
	for (unsigned int i = 0; i < 8; i++)
		capacity(i, i == 1 ? "1009\n" : i < 4 ? "1024\n" : "760\n");
	types_are(8, "0 0 0 0 1 1 1 1", "core:4 atom:4 ");
	types_are(4, "0 0 0 0", ":4 ");
	fix_put("sys/devices/cpu_lowpower/cpus", "8-9\n");
	types_are(10, "0 0 0 0 1 1 1 1 2 2", "core:4 atom:4 lowpower:2 ");
	fix_put("sys/devices/cpu_atom/cpus", "4-zz\n");
	types_are(6, "0 0 0 0 1 1", "core:4 unknown:2 ");
}
END_TEST

START_TEST(packages)
{
	int64_t package;

	put(3, "physical_package_id", "7\n");
	put(4, "physical_package_id", "-1\n");
	ck_assert_int_eq(sm_topology_package(&fix, 3, &package), 0);
	ck_assert_int_eq(package, 7);
	ck_assert_int_eq(sm_topology_package(&fix, 4, &package), -ENODATA);
	ck_assert_int_eq(sm_topology_package(&fix, 5, &package), -ENODATA);
}
END_TEST

/* As Intel's machines number them: all cores, then the second threads. */
START_TEST(second_threads_last)
{
	unsigned int step[4];

	for (unsigned int i = 0; i < 8; i++) {
		char list[16];

		snprintf(list, sizeof(list), "%u,%u\n", i % 4, i % 4 + 4);
		siblings(i, list);
	}
	ranks_are(8, "0 0 0 0 1 1 1 1");
	ck_assert_int_eq(sm_topology_spread(cpu, rank, 8), 0);
	are(cpu, 8, "0 1 2 3 4 5 6 7");
	ck_assert_uint_eq(sm_topology_steps(rank, 8, step, 4), 1);
	ck_assert_uint_eq(step[0], 4);
}
END_TEST

/* As virtual machines and hybrid ones do: two threads of a core, then cores of one. */
START_TEST(second_threads_beside)
{
	unsigned int step[4];

	siblings(0, "0-1\n");
	siblings(1, "0-1\n");
	siblings(2, "2-3\n");
	siblings(3, "2-3\n");
	siblings(4, "4\n");
	siblings(5, "5\n");
	ranks_are(6, "0 1 0 1 0 0");
	ck_assert_int_eq(sm_topology_spread(cpu, rank, 6), 0);
	are(cpu, 6, "0 2 4 5 1 3");
	are(rank, 6, "0 0 0 0 1 1");
	ck_assert_uint_eq(sm_topology_steps(rank, 6, step, 4), 1);
	ck_assert_uint_eq(step[0], 4);
}
END_TEST

START_TEST(four_threads_of_a_core)
{
	unsigned int step[4];

	for (unsigned int i = 0; i < 8; i++)
		siblings(i, i < 4 ? "0-3\n" : "4-7\n");
	ranks_are(8, "0 1 2 3 0 1 2 3");
	ck_assert_int_eq(sm_topology_spread(cpu, rank, 8), 0);
	are(cpu, 8, "0 4 1 5 2 6 3 7");
	ck_assert_uint_eq(sm_topology_steps(rank, 8, step, 4), 3);
	are(step, 3, "2 4 6");
	ck_assert_uint_eq(sm_topology_steps(rank, 8, step, 2), 2);
}
END_TEST

/* Only what the caller has counts: the first thread of a core may be another's. */
START_TEST(ranks_among_those_that_are_named)
{
	for (unsigned int i = 0; i < 4; i++)
		siblings(i, i % 2 ? "1,3\n" : "0,2\n");
	cpu[0] = 2;
	cpu[1] = 3;
	cpu[2] = 1;
	ranks_are(3, "0 0 1");
	ck_assert_int_eq(sm_topology_spread(cpu, rank, 3), 0);
	are(cpu, 3, "2 3 1");
	ck_assert_int_eq(sm_topology_ranks(&fix, cpu, 0, rank), 0);
	ck_assert_int_eq(sm_topology_spread(cpu, rank, 0), 0);
	ck_assert_uint_eq(sm_topology_steps(rank, 0, NULL, 0), 0);
}
END_TEST

/* The number of a core is its own in each package. */
START_TEST(ids_where_there_is_no_list)
{
	static const char *const package[] = {"0\n", "1\n", "0\n", "1\n"};

	for (unsigned int i = 0; i < 4; i++) {
		put(i, "physical_package_id", package[i]);
		put(i, "core_id", "0\n");
	}
	ranks_are(4, "0 0 1 1");
}
END_TEST

START_TEST(nothing_is_known)
{
	ranks_are(4, "0 0 0 0");
	put(0, "physical_package_id", "-1\n");
	put(0, "core_id", "0\n");
	put(1, "physical_package_id", "-1\n");
	put(1, "core_id", "0\n");
	ranks_are(2, "0 0");
}
END_TEST

/* A list that is none, or that lacks the CPU itself, joins nothing. */
START_TEST(hostile_lists)
{
	static const char *const text[] = {"", "\n", "0-", "1,0,\n", "0-99999999999\n",
		"7\n", "\033[2J", "0 1\n", "-1\n"};
	char large[5000];

	siblings(1, "0-1\n");
	for (size_t i = 0; i < SM_ARRAY_SIZE(text); i++) {
		siblings(2, text[i]);
		siblings(3, text[i]);
		cpu[0] = 1;
		cpu[1] = 2;
		cpu[2] = 3;
		ranks_are(3, "0 0 0");
	}
	memset(large, '0', sizeof(large));
	large[sizeof(large) - 1] = '\0';
	siblings(2, large);
	siblings(3, large);
	ranks_are(3, "0 0 0");
}
END_TEST

static TCase *tc_topology(void)
{
	TCase *tc = tcase_create("topology");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, types_by_capacity);
	tcase_add_test(tc, types_of_hybrid_processors);
	tcase_add_test(tc, packages);
	tcase_add_test(tc, second_threads_last);
	tcase_add_test(tc, second_threads_beside);
	tcase_add_test(tc, four_threads_of_a_core);
	tcase_add_test(tc, ranks_among_those_that_are_named);
	tcase_add_test(tc, ids_where_there_is_no_list);
	tcase_add_test(tc, nothing_is_known);
	tcase_add_test(tc, hostile_lists);
	return tc;
}

UNIT_MAIN("topology", tc_topology)
