// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>
#include "clock.h"
#include "unit.h"

START_TEST(reads_the_clock_asked_for)
{
	struct timespec a, b;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &a);
	ns = sm_mono_ns();
	clock_gettime(CLOCK_MONOTONIC, &b);
	ck_assert_uint_ge(ns, (uint64_t)a.tv_sec * SM_NSEC_PER_SEC + (uint64_t)a.tv_nsec);
	ck_assert_uint_le(ns, (uint64_t)b.tv_sec * SM_NSEC_PER_SEC + (uint64_t)b.tv_nsec);
	ck_assert_uint_ge(sm_clock_ns(CLOCK_REALTIME), (uint64_t)a.tv_sec);
	ck_assert_uint_ge(
		sm_clock_ns(CLOCK_REALTIME), UINT64_C(1500000000) * SM_NSEC_PER_SEC);
}
END_TEST

START_TEST(wall_offset_turns_mono_into_real)
{
	int64_t off = sm_clock_wall_offset_ns();
	uint64_t before = sm_clock_ns(CLOCK_REALTIME);
	uint64_t made = sm_mono_ns() + (uint64_t)off;
	uint64_t after = sm_clock_ns(CLOCK_REALTIME);

	/* Half a sandwich of error; a busy machine can stretch all three tries. */
	ck_assert_uint_ge(made + 20 * SM_NSEC_PER_MSEC, before);
	ck_assert_uint_le(made, after + 20 * SM_NSEC_PER_MSEC);
}
END_TEST

START_TEST(boot_offset_is_the_time_suspended)
{
	int64_t off = sm_clock_boot_offset_ns();
	uint64_t mono = sm_mono_ns(), boot = sm_clock_ns(CLOCK_BOOTTIME);
	int64_t diff = (int64_t)(boot - mono) - off;

	ck_assert_int_ge(off, 0);
	ck_assert_int_lt(llabs(diff), (int64_t)(20 * SM_NSEC_PER_MSEC));
}
END_TEST

START_TEST(ticker_keeps_the_grid)
{
	struct sm_ticker t;

	sm_ticker_start(&t, 1000, 100);
	ck_assert_uint_eq(t.next_ns, 1100);
	ck_assert(!sm_ticker_due(&t, 1000));
	ck_assert(!sm_ticker_due(&t, 1099));
	ck_assert(sm_ticker_due(&t, 1100));
	ck_assert_uint_eq(t.next_ns, 1200);
	ck_assert(!sm_ticker_due(&t, 1100));
	ck_assert(sm_ticker_due(&t, 1237)); /* late, but no slot is skipped */
	ck_assert_uint_eq(t.next_ns, 1300);
	ck_assert_uint_eq(t.missed, 0);
}
END_TEST

START_TEST(ticker_skips_and_counts)
{
	struct sm_ticker t;

	sm_ticker_start(&t, 0, 100);
	ck_assert(sm_ticker_due(&t, 450)); /* slots 200, 300, 400 are gone */
	ck_assert_uint_eq(t.missed, 3);
	ck_assert_uint_eq(t.next_ns, 500);
	ck_assert(!sm_ticker_due(&t, 499)); /* no burst */
	ck_assert(sm_ticker_due(&t, 600));
	ck_assert_uint_eq(t.missed, 4);
	ck_assert_uint_eq(t.next_ns, 700);
}
END_TEST

START_TEST(ticker_of_no_interval_is_always_due)
{
	struct sm_ticker t;

	sm_ticker_start(&t, 5, 0);
	ck_assert(sm_ticker_due(&t, 5));
	ck_assert(sm_ticker_due(&t, 5));
	ck_assert(sm_ticker_due(&t, 7));
	ck_assert_uint_eq(t.missed, 0);
}
END_TEST

START_TEST(ticker_of_an_endless_interval_never_comes)
{
	struct sm_ticker t;

	sm_ticker_start(&t, 5, UINT64_MAX);
	ck_assert_uint_eq(t.next_ns, UINT64_MAX);
	ck_assert(!sm_ticker_due(&t, UINT64_MAX - 1));
	sm_ticker_start(&t, UINT64_MAX - 10, 8);
	ck_assert(sm_ticker_due(&t, UINT64_MAX - 2));
	ck_assert_uint_eq(t.next_ns, UINT64_MAX);
}
END_TEST

static TCase *tc_clock(void)
{
	TCase *tc = tcase_create("clock");

	tcase_add_test(tc, reads_the_clock_asked_for);
	tcase_add_test(tc, wall_offset_turns_mono_into_real);
	tcase_add_test(tc, boot_offset_is_the_time_suspended);
	return tc;
}

static TCase *tc_ticker(void)
{
	TCase *tc = tcase_create("ticker");

	tcase_add_test(tc, ticker_keeps_the_grid);
	tcase_add_test(tc, ticker_skips_and_counts);
	tcase_add_test(tc, ticker_of_no_interval_is_always_due);
	tcase_add_test(tc, ticker_of_an_endless_interval_never_comes);
	return tc;
}

UNIT_MAIN("clock", tc_clock, tc_ticker)
