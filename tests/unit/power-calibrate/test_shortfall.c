// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "power-calibrate/shortfall.h"
#include "unit.h"

static struct readings list;
static unsigned int tests;
static struct shortfall s;

static void teardown(void)
{
	readings_fini(&list);
	tests = 0;
}

static struct reading reading(double percent, unsigned int cpus, double own)
{
	struct reading a = {
		.dt_s = 1, .load_ppm = (uint32_t)(percent * 1e4), .cpus = cpus};

	a.v[F_OWN] = own;
	return a;
}

/* Adds a test with two readings of this mean. */
static void test(double percent, unsigned int cpus, double own)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		struct reading a = reading(percent, cpus, own * (1 + 0.2 * sign));

		a.block = tests;
		ck_assert_int_eq(readings_add(&list, &a, NULL), 0);
	}
	tests++;
}

static bool is_short(double percent, unsigned int cpus, double own)
{
	struct reading a = reading(percent, cpus, own);

	return shortfall_is_short(&a);
}

START_TEST(short_tests)
{
	ck_assert(is_short(100, 2, 0.4));
	ck_assert(is_short(100, 1, 0.94));
	ck_assert(is_short(25, 1, 0.12));
	ck_assert(is_short(50, 16, 7.5));
	/* The load is as requested, up to the errors of a level. */
	ck_assert(!is_short(0, 0, 0));
	ck_assert(!is_short(100, 1, 1.001));
	ck_assert(!is_short(100, 2, 1.91));
	ck_assert(!is_short(1, 1, 0.001));
	ck_assert(!is_short(12.5, 16, 1.85));
	ck_assert(!is_short(100, 2, NAN));
}
END_TEST

/* The cgroup has half a CPU of two. */
START_TEST(a_limit)
{
	test(0, 0, 0);
	test(100, 2, 0.5);
	test(50, 2, 0.49);
	test(25, 1, 0.25);
	test(50, 1, 0.5);
	shortfall_find(&s, &list);
	ck_assert_uint_eq(s.tests, 2);
	ck_assert_double_eq_tol(s.requested, 2, 1e-9);
	ck_assert_double_eq_tol(s.own, 0.5, 1e-9);
	ck_assert(shortfall_of_range(&s));
}
END_TEST

/* If another program competes for a while, the range of the line is as requested. */
START_TEST(one_test)
{
	test(0, 0, 0);
	test(100, 2, 1.99);
	test(100, 2, 1.4);
	shortfall_find(&s, &list);
	ck_assert_uint_eq(s.tests, 1);
	ck_assert_double_eq_tol(s.own, 1.99, 1e-9);
	ck_assert(!shortfall_of_range(&s));
}
END_TEST

START_TEST(nothing)
{
	shortfall_find(&s, &list);
	ck_assert_uint_eq(s.tests, 0);
	ck_assert(!shortfall_of_range(&s));
}
END_TEST

static TCase *tc_shortfall(void)
{
	TCase *tc = tcase_create("shortfall");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, short_tests);
	tcase_add_test(tc, a_limit);
	tcase_add_test(tc, one_test);
	tcase_add_test(tc, nothing);
	return tc;
}

UNIT_MAIN("shortfall", tc_shortfall)
