// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <time.h>

#include "events/tsc.h"
#include "unit.h"

/* clocks_calc_mult_shift() of Linux for 2,299,998 kHz, with shift 31: mult = 10^6 * 2^31
 * / 2299998. */
START_TEST(factors)
{
	double hz;

	ck_assert_int_eq(sm_tsc_hz_of(933689355u, 31, &hz), 0);
	ck_assert_double_eq_tol(hz, 2299998000.0, 2);
	ck_assert_int_eq(sm_tsc_hz_of(1, 0, &hz), 0);
	ck_assert_double_eq(hz, 1e9);
	ck_assert_int_eq(sm_tsc_hz_of(1u << 10, 10, &hz), 0);
	ck_assert_double_eq(hz, 1e9);
	ck_assert_int_eq(sm_tsc_hz_of(0, 10, &hz), -ENODATA);
	ck_assert_int_eq(sm_tsc_hz_of(1, 64, &hz), -ENODATA);
	ck_assert_double_eq(hz, 1e9);
}
END_TEST

START_TEST(between)
{
	struct sm_tsc_mark a = {1000, 5000000000}, b = {2300001000, 6000000000};
	double hz = 7;

	ck_assert_int_eq(sm_tsc_hz_between(&a, &b, &hz), 0);
	ck_assert_double_eq_tol(hz, 2.3e9, 1e-3);
	ck_assert_int_eq(sm_tsc_hz_between(&b, &a, &hz), -ENODATA);
	b.raw_ns = a.raw_ns + 999999;
	ck_assert_int_eq(sm_tsc_hz_between(&a, &b, &hz), -ENODATA);
	b.raw_ns = a.raw_ns + 1000000;
	ck_assert_int_eq(sm_tsc_hz_between(&a, &b, &hz), 0);
	ck_assert_double_eq_tol(hz, 2.3e12, 1);
	b.tsc = a.tsc;
	ck_assert_int_eq(sm_tsc_hz_between(&a, &b, &hz), -ENODATA);
}
END_TEST

/* Two ways to the same figure: 100 ppm are more than two clocks drift apart, and less
 * than a wrong factor makes. */
START_TEST(live)
{
	struct timespec pause = {.tv_nsec = 50000000};
	struct sm_tsc_mark a, b, c;
	double told, first, second;
	int r;

	if (!sm_tsc_usable()) {
		ck_assert_int_eq(sm_tsc_mark(&a), -EOPNOTSUPP);
		ck_assert_int_eq(sm_tsc_kernel_hz(&told), -EOPNOTSUPP);
		printf("# no invariant time stamp counter\n");
		fflush(stdout);
		return;
	}
	ck_assert_int_eq(sm_tsc_mark(&a), 0);
	nanosleep(&pause, NULL);
	ck_assert_int_eq(sm_tsc_mark(&b), 0);
	nanosleep(&pause, NULL);
	ck_assert_int_eq(sm_tsc_mark(&c), 0);
	ck_assert_int_eq(sm_tsc_hz_between(&a, &b, &first), 0);
	ck_assert_int_eq(sm_tsc_hz_between(&b, &c, &second), 0);
	printf("# %.6f and %.6f MHz\n", first / 1e6, second / 1e6);
	ck_assert_double_eq_tol(first, second, first * 1e-4);
	r = sm_tsc_kernel_hz(&told);
	if (r == 0)
		ck_assert_double_eq_tol(told, first, first * 1e-4);
	else
		ck_assert_int_eq(r, -ENODATA);
	fflush(stdout);
}
END_TEST

static TCase *tc_tsc(void)
{
	TCase *tc = tcase_create("tsc");

	tcase_add_test(tc, factors);
	tcase_add_test(tc, between);
	tcase_add_test(tc, live);
	return tc;
}

UNIT_MAIN("tsc", tc_tsc)
