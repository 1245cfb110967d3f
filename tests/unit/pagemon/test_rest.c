// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/rest.h"
#include "unit.h"

#define MS    SM_NSEC_PER_MSEC
#define NOW   (1000 * SM_NSEC_PER_SEC)
#define COST  100
#define MOST  (250 * MS)
#define LEAST REST_LEAST_NS

static struct rest rest;
static struct vm_activity signs;

static void step(uint64_t cpu_ns, int more)
{
	rest_step(&rest, &signs, cpu_ns, more, NOW, COST, MOST);
}

/* The times after which a walk is due, at rest and after a change. */
static void check_pauses(uint64_t unchanged_ns, uint64_t changed_ns)
{
	struct vm_activity other = signs;

	other.major++;
	ck_assert(!rest_over(&rest, &signs, NOW + unchanged_ns - 1));
	ck_assert(rest_over(&rest, &signs, NOW + unchanged_ns));
	ck_assert(!rest_over(&rest, &other, NOW + changed_ns - 1));
	ck_assert(rest_over(&rest, &other, NOW + changed_ns));
}

static void setup(void)
{
	rest = (struct rest){0};
	signs = (struct vm_activity){.minor = 1};
}

START_TEST(pauses)
{
	ck_assert(rest_over(&rest, &signs, 0));
	step(MS, 0);
	check_pauses(LEAST + REST_COST * MS, COST * MS);
	step(5 * MS, 0);
	check_pauses(LEAST + REST_COST * 5 * MS, MOST);
	/* A 50th of the time for a process that always changes. */
	step(150 * MS, 0);
	check_pauses(REST_MOST_NS, 7500 * MS);
}
END_TEST

/* Several steps are one walk; the signs are those of its begin, and an error ends it. */
START_TEST(steps)
{
	const struct vm_activity begin = signs;

	step(MS, 1);
	signs.bytes[VM_RSS] = 4096;
	step(MS, 0);
	ck_assert(rest_over(&rest, &signs, NOW + 200 * MS));
	signs = begin;
	check_pauses(LEAST + REST_COST * 2 * MS, 200 * MS);
	step(MS, -1);
	step(MS, 0);
	check_pauses(LEAST + REST_COST * MS, COST * MS);
}
END_TEST

static TCase *all(void)
{
	TCase *tc = tcase_create("rest");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, pauses);
	tcase_add_test(tc, steps);
	return tc;
}

UNIT_MAIN("rest", all)
