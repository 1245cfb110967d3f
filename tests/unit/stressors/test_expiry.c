// SPDX-License-Identifier: GPL-2.0-or-later
/* Expirations that the clock permits, too many of them, and too few. */
#include "stressors/timers/expiry.h"
#include "unit.h"

#define MS SM_NSEC_PER_MSEC

static struct stress_slot slot;
static struct stress s = {.slot = &slot};
static struct expiry e;

/* A timer of 1 kHz that was armed 10 ms ago, or longer. */
static void set_up(void)
{
	memset(&slot, 0, sizeof(slot));
	e = (struct expiry){.period_ns = MS};
	e.before_ns = e.after_ns = sm_clock_mono_ns() - 10 * MS;
}

static void fails(int r, const char *begin)
{
	ck_assert_int_eq(r, -1);
	ck_assert_uint_eq(slot.outcome, STRESS_FAIL);
	ck_assert_msg(strncmp(slot.reason, begin, strlen(begin)) == 0, "%s", slot.reason);
}

START_TEST(right)
{
	ck_assert_int_eq(expiry_add(&s, &e, 4, e.after_ns + 4 * MS), 0);
	ck_assert_int_eq(expiry_add(&s, &e, 6, e.after_ns + 10 * MS), 0);
	ck_assert_uint_eq(e.n, 10);
}
END_TEST

START_TEST(too_few)
{
	ck_assert_int_eq(expiry_add(&s, &e, 8, e.after_ns + 8 * MS), 0);
	fails(expiry_add(&s, &e, 1, e.after_ns + 10 * MS),
		"9 expirations of a timer with a period of 1000000 ns instead of 10 to ");
}
END_TEST

START_TEST(too_many)
{
	fails(expiry_add(&s, &e, UINT64_C(1) << 40, e.after_ns + MS),
		"1099511627776 expirations of a timer with a period of 1000000 ns "
		"instead of 1 to ");
}
END_TEST

/* A reading of the clock from the future. */
START_TEST(none_is_too_many)
{
	e.before_ns += 3600 * SM_NSEC_PER_SEC;
	fails(expiry_add(&s, &e, 1, e.after_ns), "1 expirations");
	ck_assert_ptr_nonnull(strstr(slot.reason, "instead of 0 to 0"));
}
END_TEST

START_TEST(no_least)
{
	e.no_least = true;
	ck_assert_int_eq(expiry_add(&s, &e, 1, e.after_ns + 10 * MS), 0);
}
END_TEST

/* A third of a second is cut to whole nanoseconds. */
START_TEST(periodic)
{
	struct itimerspec when;

	e.n = 5;
	expiry_begin(&e, 3, &when);
	expiry_armed(&e);
	ck_assert_uint_eq(e.n, 0);
	ck_assert_uint_eq(e.period_ns, 333333333);
	ck_assert_int_eq(when.it_value.tv_nsec, 333333333);
	ck_assert_int_eq(when.it_interval.tv_nsec, 333333333);
	ck_assert_uint_le(e.before_ns, e.after_ns);
	expiry_begin(&e, 1, &when);
	ck_assert_int_eq(when.it_value.tv_sec, 1);
	ck_assert_int_eq(when.it_value.tv_nsec, 0);
}
END_TEST

START_TEST(once)
{
	uint64_t random = 1, least = UINT64_MAX, most = 0;
	struct itimerspec when;

	for (int i = 0; i < 1000; i++) {
		expiry_begin_once(&e, 1000, &random, &when);
		ck_assert_int_eq(when.it_value.tv_nsec, (long)e.period_ns);
		ck_assert_int_eq(when.it_interval.tv_nsec, 0);
		least = e.period_ns < least ? e.period_ns : least;
		most = e.period_ns > most ? e.period_ns : most;
	}
	ck_assert(e.no_least);
	ck_assert_uint_ge(least, 875000);
	ck_assert_uint_lt(least, 880000);
	ck_assert_uint_gt(most, 1120000);
	ck_assert_uint_le(most, 1125000);
	expiry_begin_once(&e, SM_NSEC_PER_SEC, &random, &when);
	ck_assert_uint_eq(e.period_ns, 1);
}
END_TEST

static TCase *tc_expiry(void)
{
	TCase *tc = tcase_create("expiry");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, right);
	tcase_add_test(tc, too_few);
	tcase_add_test(tc, too_many);
	tcase_add_test(tc, none_is_too_many);
	tcase_add_test(tc, no_least);
	tcase_add_test(tc, periodic);
	tcase_add_test(tc, once);
	return tc;
}

UNIT_MAIN("expiry", tc_expiry)
