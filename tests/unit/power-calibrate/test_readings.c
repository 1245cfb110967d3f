// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "power-calibrate/readings.h"
#include "unit.h"

static struct readings list;

static void setup(void)
{
	list = (struct readings){.ndomains = 2};
}

static void teardown(void)
{
	readings_fini(&list);
}

static void add(unsigned int test, double dt_s, double watts, double ops)
{
	struct reading r = {
		.dt_s = dt_s, .test = test, .block = test, .ppm = 1000 * test};

	for (unsigned int f = 0; f < F_N; f++)
		r.v[f] = 1;
	r.v[F_WATTS] = watts;
	r.v[F_OPS] = ops;
	ck_assert_int_eq(
		readings_add(&list, &r, (const double[]){watts / 2, (double)list.n}), 0);
}

/* The first allocation has room for fewer readings. */
START_TEST(all_are_kept)
{
	for (unsigned int i = 0; i < 10000; i++)
		add(i / 10, 1, i, NAN);
	ck_assert_uint_eq(list.n, 10000);
	for (unsigned int i = 0; i < 10000; i++) {
		ck_assert_double_eq(list.at[i].v[F_WATTS], i);
		ck_assert_double_eq(list.domain[2 * i], i / 2.0);
		ck_assert_double_eq(list.domain[2 * i + 1], i);
	}
}
END_TEST

/* (2 s x 10 W + 1 s x 40 W) / 3 s = 20 W */
START_TEST(the_mean_is_weighted_by_time)
{
	struct reading m;

	add(0, 5, 1000, 7);
	add(1, 2, 10, 3);
	add(1, 1, 40, NAN);
	add(2, 9, 2000, 7);
	ck_assert_uint_eq(readings_mean(&list, 1, &m), 2);
	ck_assert_double_eq_tol(m.v[F_WATTS], 20, 1e-12);
	ck_assert_double_eq_tol(m.dt_s, 3, 1e-12);
	ck_assert_uint_eq(m.test, 1);
	ck_assert_uint_eq(m.ppm, 1000);
	/* A value that one reading lacks is the mean of the others. */
	ck_assert_double_eq_tol(m.v[F_OPS], 3, 1e-12);
	ck_assert_uint_eq(readings_mean(&list, 3, &m), 1);
	ck_assert_double_eq(m.v[F_WATTS], 2000);
}
END_TEST

START_TEST(nothing_known)
{
	struct reading m;

	ck_assert_uint_eq(readings_mean(&list, 0, &m), 0);
	add(0, 1, 5, NAN);
	add(0, 1, 6, INFINITY);
	ck_assert_uint_eq(readings_mean(&list, 2, &m), 0);
	ck_assert_uint_eq(readings_mean(&list, 0, &m), 2);
	ck_assert(isnan(m.v[F_OPS]));
}
END_TEST

START_TEST(without_domains)
{
	struct reading r = {.dt_s = 1};

	list.ndomains = 0;
	ck_assert_int_eq(readings_add(&list, &r, NULL), 0);
	ck_assert_uint_eq(list.n, 1);
	readings_fini(&list);
	ck_assert_uint_eq(list.n, 0);
}
END_TEST

static TCase *tc_readings(void)
{
	TCase *tc = tcase_create("readings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_are_kept);
	tcase_add_test(tc, the_mean_is_weighted_by_time);
	tcase_add_test(tc, nothing_known);
	tcase_add_test(tc, without_domains);
	return tc;
}

UNIT_MAIN("readings", tc_readings)
