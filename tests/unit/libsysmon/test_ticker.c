// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <time.h>
#include "base/ticker.h"
#include "unit.h"

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
	ck_assert(sm_ticker_due(&t, 450)); /* slots 200, 300, 400 have passed */
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

static TCase *tc_ticker(void)
{
	TCase *tc = tcase_create("ticker");

	tcase_add_test(tc, ticker_keeps_the_grid);
	tcase_add_test(tc, ticker_skips_and_counts);
	tcase_add_test(tc, ticker_of_no_interval_is_always_due);
	tcase_add_test(tc, ticker_of_an_endless_interval_never_comes);
	return tc;
}

UNIT_MAIN("ticker", tc_ticker)
