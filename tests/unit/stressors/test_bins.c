// SPDX-License-Identifier: GPL-2.0-or-later
/* Bins of a histogram: their edges, and that no value is lost. */
#include <stdlib.h>

#include "stressors/result/bins.h"
#include "unit.h"

static struct sm_loghist counted[2];
static const struct sm_loghist *histogram[3];
static struct result r;
static struct sm_timebin *bins;
static unsigned int n;

static void set_up(void)
{
	memset(counted, 0, sizeof(counted));
	histogram[0] = &counted[0];
	histogram[1] = &counted[1]; /* the third has none */
	r = (struct result){.histogram = histogram, .n = 3};
	bins = NULL;
}

static void tear_down(void)
{
	free(bins);
}

static void make(uint64_t width_ns)
{
	free(bins);
	ck_assert_int_eq(bins_make(&r, width_ns, &bins, &n), 0);
}

static void bin_is(unsigned int i, uint64_t low, uint64_t high, uint64_t count)
{
	ck_assert_uint_lt(i, n);
	ck_assert_msg(bins[i].low_ns == low && bins[i].high_ns == high &&
			      bins[i].count == count,
		"bin %u: %llu to %llu: %llu", i, (unsigned long long)bins[i].low_ns,
		(unsigned long long)bins[i].high_ns, (unsigned long long)bins[i].count);
}

START_TEST(nothing)
{
	make(0);
	ck_assert_uint_eq(n, 0);
	r.n = 0;
	make(10);
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(as_counted)
{
	sm_loghist_add(&counted[0], 7);
	sm_loghist_add(&counted[0], 130); /* in 128 to 131 */
	sm_loghist_add(&counted[1], 131);
	sm_loghist_add(&counted[1], UINT64_MAX);
	make(0);
	ck_assert_uint_eq(n, 3);
	bin_is(0, 7, 8, 1);
	bin_is(1, 128, 132, 2);
	bin_is(2, UINT64_C(63) << 58, UINT64_MAX, 1);
}
END_TEST

START_TEST(of_a_width)
{
	for (uint64_t v = 20; v < 30; v++)
		sm_loghist_add(&counted[0], v);
	sm_loghist_add(&counted[1], 0);
	make(5);
	ck_assert_uint_eq(n, 3);
	bin_is(0, 0, 5, 1);
	bin_is(1, 20, 25, 5);
	bin_is(2, 25, 30, 5);
}
END_TEST

/* Those counted from 64 on are 2 wide, from 128 on 4: the edges of 5 lie within them. */
START_TEST(wider_where_they_were_counted_so)
{
	for (uint64_t v = 120; v < 144; v++)
		sm_loghist_add(&counted[v % 2], v);
	make(5);
	bin_is(0, 120, 126, 6);
	for (unsigned int i = 1; i < n; i++)
		ck_assert_uint_eq(bins[i].low_ns, bins[i - 1].high_ns);
	ck_assert_uint_eq(bins[n - 1].high_ns, 145);
}
END_TEST

/* Any values and any width: in order, not over each other, all of them. */
START_TEST(none_is_lost)
{
	uint64_t state = 88172645463325252u, all = 0;

	for (unsigned int i = 0; i < 5000; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		sm_loghist_add(&counted[i % 2], state >> (state % 64));
	}
	make((uint64_t)1 << (2 * _i));
	for (unsigned int i = 0; i < n; i++) {
		all += bins[i].count;
		ck_assert_uint_gt(bins[i].count, 0);
		ck_assert_uint_lt(bins[i].low_ns, bins[i].high_ns);
		ck_assert(i == 0 || bins[i - 1].high_ns <= bins[i].low_ns);
	}
	ck_assert_uint_eq(all, 5000);
}
END_TEST

static TCase *tc_bins(void)
{
	TCase *tc = tcase_create("bins");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, as_counted);
	tcase_add_test(tc, of_a_width);
	tcase_add_test(tc, wider_where_they_were_counted_so);
	tcase_add_loop_test(tc, none_is_lost, 0, 20);
	return tc;
}

UNIT_MAIN("bins", tc_bins)
