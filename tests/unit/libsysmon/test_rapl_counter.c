// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/clock.h"
#include "power/rapl_counter.h"
#include "unit.h"

#define RANGE 262143328850 /* 2^32 units of 61 uJ */

static struct sm_rapl_counter c;
static struct sm_rapl_sums s;
static uint64_t now_ms;

static void counter_setup(void)
{
	s = (struct sm_rapl_sums){0};
	c = (struct sm_rapl_counter){.cap_uw = 2000000000, .range_uj = RANGE};
	now_ms = 1000;
}

/* A number, a second after the last. */
static void next(uint64_t uj)
{
	now_ms += 1000;
	sm_rapl_counter_feed(&c, &s, uj, now_ms * SM_NSEC_PER_MSEC);
}

/* The energy and the time that the last number added, in uJ and ms. */
static void added(uint64_t uj, uint64_t ms)
{
	ck_assert_uint_eq(c.added.uj, uj);
	ck_assert_uint_eq(c.added.ns, ms * SM_NSEC_PER_MSEC);
}

static void sums(
	uint64_t uj, uint64_t ms, uint64_t wraps, uint64_t glitches, uint64_t rebased)
{
	ck_assert_uint_eq(s.energy_uj, uj);
	ck_assert_uint_eq(s.covered_ns, ms * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(s.wraps, wraps);
	ck_assert_uint_eq(s.glitches, glitches);
	ck_assert_uint_eq(s.rebased, rebased);
}

START_TEST(steady)
{
	next(5000);
	added(0, 0);
	next(5000);
	added(0, 0);
	ck_assert_uint_eq(s.still, 1);
	next(15005000);
	added(15000000, 2000);
	now_ms += 500;
	next(15005001);
	added(1, 1500);
	sums(15000001, 3500, 0, 0, 0);
}
END_TEST

/* The range is the last number before 0. */
START_TEST(wrap)
{
	next(RANGE - 5000000);
	next(9999999);
	added(15000000, 1000);
	next(10000000);
	sums(15000001, 2000, 1, 0, 0);
	/* exactly onto 0, which is only believed with the next one */
	counter_setup();
	next(RANGE);
	next(0);
	added(0, 0);
	next(7);
	added(8, 2000);
	sums(8, 2000, 1, 1, 0);
}
END_TEST

START_TEST(wrap_of_unknown_range)
{
	c.range_uj = 0;
	next(65530000000);
	next(65532000000);
	next(1000000);
	added(0, 0); /* the only interval that is lost */
	next(2000000);
	added(1000000, 1000);
	next(3000000);
	added(1000000, 1000);
	next(5000000);
	added(2000000, 1000);
	next(6000000);
	added(1000000, 1000);
	sums(7000000, 5000, 0, 1, 1);
}
END_TEST

/* A counter that reads less, or 0 twice, has not wrapped. */
START_TEST(glitch_of_unknown_range)
{
	c.range_uj = 0;
	next(65530000000);
	next(65532000000);
	next(1000000);
	added(0, 0);
	next(65536000000);
	added(4000000, 2000);
	next(0);
	added(0, 0);
	next(0);
	added(0, 0);
	next(65542000000);
	added(6000000, 3000);
	sums(12000000, 6000, 0, 2, 0);
}
END_TEST

/* Half the range must lie between, and the power must be possible. */
START_TEST(no_wrap)
{
	next(RANGE / 2 - 5);
	next(5);
	added(0, 0);
	ck_assert_uint_eq(c.held, 1);
	counter_setup();
	next(RANGE);
	next(RANGE / 2 + 5);
	added(0, 0);
	counter_setup();
	next(RANGE - 1000000000);
	next(1000000001); /* 2000.000002 W */
	added(0, 0);
	counter_setup();
	next(RANGE - 1000000000);
	next(999999999); /* 2000 W */
	added(2000000000, 1000);
	/* a small range, where the power alone would say nothing: 3 kJ, 1.6 and 1.7 kW */
	counter_setup();
	c.range_uj = 3000000000;
	next(1400000000);
	next(10);
	added(0, 0);
	counter_setup();
	c.range_uj = 3000000000;
	next(2900000000);
	next(1600000000);
	added(0, 0);
	counter_setup();
	c.range_uj = 3000000000;
	next(1600000001);
	next(10);
	added(1400000010, 1000);
	/* beyond what it says is its range */
	counter_setup();
	next(RANGE + 1000);
	next(10);
	added(0, 0);
	sums(0, 0, 0, 1, 0);
}
END_TEST

/* 700 J back for one reading; then it is where it would have been. */
START_TEST(back_and_bridged)
{
	next(10000000000);
	next(10006000000);
	next(9312000000);
	added(0, 0);
	next(9318000000);
	added(0, 0);
	next(9324000000);
	added(0, 0);
	ck_assert_uint_eq(c.held, 3);
	next(10030000000);
	added(24000000, 4000);
	sums(30000000, 5000, 0, 1, 0);
}
END_TEST

/* 704 J back for good: one interval is lost. */
START_TEST(back_for_good)
{
	next(10000000000);
	next(10006000000);
	for (uint64_t i = 0; i < 3; i++) {
		next(9308000000 + i * 6000000);
		added(0, 0);
	}
	next(9326000000);
	added(18000000, 3000);
	next(9332000000);
	added(6000000, 1000);
	sums(30000000, 5000, 0, 1, 1);
	ck_assert_uint_eq(c.held, 0);
}
END_TEST

START_TEST(up_and_back)
{
	next(1000000000);
	next(1006000000);
	next(65000000000); /* 64 kW */
	added(0, 0);
	next(1018000000);
	added(12000000, 2000);
	sums(18000000, 3000, 0, 1, 0);
	/* up for good */
	counter_setup();
	next(1000000000);
	for (uint64_t i = 0; i < 4; i++)
		next(65000000000 + i * 6000000);
	sums(18000000, 3000, 0, 1, 1);
}
END_TEST

START_TEST(one_zero)
{
	next(RANGE - 1000000); /* a wrap to 0 would be possible: 1 W */
	next(0);
	added(0, 0);
	next(RANGE - 500000);
	added(500000, 2000);
	sums(500000, 2000, 0, 1, 0);
	/* held numbers that do not agree make nothing */
	counter_setup();
	next(90000000000);
	next(0);
	next(5000000000);
	next(0);
	next(7000000000);
	added(0, 0);
	sums(0, 0, 0, 1, 1);
	next(7001000000);
	sums(1000000, 1000, 0, 1, 1);
	/* always 0 is a counter that stands still */
	counter_setup();
	next(0);
	next(0);
	sums(0, 0, 0, 0, 0);
	ck_assert_uint_eq(s.still, 1);
}
END_TEST

/* 131.07 s at 2 kW go once round. */
START_TEST(too_long_is_a_gap)
{
	next(1000000);
	now_ms += 130000;
	next(2000000);
	added(1000000, 131000);
	now_ms += 131000;
	next(3000000);
	added(0, 0);
	next(4000000);
	added(1000000, 1000);
	sums(2000000, 132000, 0, 0, 1);
	/* without a range nothing goes round */
	c.range_uj = 0;
	now_ms += 999999000;
	next(5000000);
	added(1000000, 1000000000);
}
END_TEST

START_TEST(time_stands_or_goes_back)
{
	next(1000);
	sm_rapl_counter_feed(&c, &s, 1000, now_ms * SM_NSEC_PER_MSEC);
	added(0, 0);
	sm_rapl_counter_feed(&c, &s, 2000, now_ms * SM_NSEC_PER_MSEC);
	added(0, 0);
	ck_assert_uint_eq(c.held, 1);
	sm_rapl_counter_feed(&c, &s, 1000, 5);
	added(0, 0);
	sums(0, 0, 0, 1, 0);
}
END_TEST

/* It dies and comes back: no figure in between, and no energy lost.  Longer than a wrap
 * would take: it was seen to stand. */
START_TEST(stands_still)
{
	next(1000000);
	next(11000000);
	for (int i = 0; i < 90; i++) {
		next(11000000);
		added(0, 0);
	}
	next(41000000);
	added(30000000, 91000);
	sums(40000000, 92000, 0, 0, 0);
	ck_assert_uint_eq(s.still, 90);
}
END_TEST

/* Cores and GPU can be switched off, once they have moved. */
START_TEST(at_rest)
{
	c.can_rest = true;
	next(1000000);
	next(1000000);
	added(0, 0);
	next(2000000);
	added(1000000, 2000);
	next(2000000);
	added(0, 1000);
	sums(1000000, 3000, 0, 0, 0);
	ck_assert_uint_eq(s.still, 1);
}
END_TEST

/* The example at the head of rapl_counter.h. */
START_TEST(worked_example)
{
	static const struct {
		uint64_t uj, joules, seconds;
	} line[] = {{65526000000, 0, 0}, {65532000000, 6, 1}, {5389012, 6, 1},
		{711389012, 0, 0}, {17389012, 12, 2}, {0, 0, 0}, {29389012, 12, 2},
		{1000000, 0, 0}, {7000000, 0, 0}, {13000000, 0, 0}, {19000000, 18, 3}};

	c.range_uj = 65532610987;
	c.limit_uw = 216000000;
	for (size_t i = 0; i < SM_ARRAY_SIZE(line); i++) {
		next(line[i].uj);
		added(line[i].joules * 1000000, line[i].seconds * 1000);
	}
	sums(54000000, 9000, 1, 3, 1);
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_counter(void)
{
	TCase *tc = tcase_create("counter");

	tcase_add_checked_fixture(tc, counter_setup, NULL);
	TEST(worked_example);
	TEST(steady);
	TEST(wrap);
	TEST(wrap_of_unknown_range);
	TEST(glitch_of_unknown_range);
	TEST(no_wrap);
	TEST(back_and_bridged);
	TEST(back_for_good);
	TEST(up_and_back);
	TEST(one_zero);
	TEST(too_long_is_a_gap);
	TEST(time_stands_or_goes_back);
	TEST(stands_still);
	TEST(at_rest);
	return tc;
}

UNIT_MAIN("rapl_counter", tc_counter)
