// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/linhist.h"
#include "unit.h"

#define BINS 20

static struct sm_linhist h;
static struct sm_linbin bin[64];

static void setup(void)
{
	memset(&h, 0x55, sizeof(h));
	memset(bin, 0x55, sizeof(bin));
	sm_linhist_init(&h);
}

static void add_all(const int64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sm_linhist_add(&h, v[i]);
}
#define ADD(...)                                \
	add_all((const int64_t[]){__VA_ARGS__}, \
		sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void check_invariants(unsigned int n)
{
	uint64_t sum = 0;

	ck_assert(bin[0].low == (double)h.min);
	ck_assert(bin[n - 1].high == (double)h.max);
	for (unsigned int i = 0; i < n; i++) {
		sum += bin[i].count;
		ck_assert(bin[i].low <= bin[i].high);
		if (i)
			ck_assert(bin[i].low == bin[i - 1].high);
	}
	ck_assert_uint_eq(sum, h.n);
}

START_TEST(empty)
{
	ck_assert_int_eq(sm_linhist_bins(&h, BINS, bin), -ENODATA);
	sm_linhist_add(&h, 1);
	ck_assert_int_eq(sm_linhist_bins(&h, 0, bin), -EINVAL);
	ck_assert_int_eq(sm_linhist_bins(&h, UINT_MAX, bin), -EINVAL);
}
END_TEST

START_TEST(all_equal)
{
	static const int64_t values[] = {0, 5, -5, INT64_MIN, INT64_MAX};

	for (size_t i = 0; i < 5; i++) {
		setup();
		for (int k = 0; k < 3; k++)
			sm_linhist_add(&h, values[i]);
		ck_assert_int_eq(sm_linhist_bins(&h, BINS, bin), 1);
		ck_assert(bin[0].low == (double)values[i]);
		ck_assert(bin[0].high == (double)values[i]);
		ck_assert_uint_eq(bin[0].count, 3);
		ck_assert_uint_eq(h.width, 1);
		check_invariants(1);
	}
}
END_TEST

/* 0 to 100 in five bins of 20; an edge belongs to the bin above, the last one to its own.
 */
START_TEST(edges)
{
	ADD(0, 19, 20, 39, 40, 59, 60, 79, 80, 99, 100, 100);
	ck_assert_int_eq(sm_linhist_bins(&h, 5, bin), 5);
	for (int i = 0; i < 5; i++) {
		ck_assert(bin[i].low == 20.0 * i);
		ck_assert(bin[i].high == 20.0 * (i + 1));
		ck_assert_uint_eq(bin[i].count, i == 4 ? 4 : 2);
	}
	check_invariants(5);
}
END_TEST

START_TEST(more_bins_than_values)
{
	ADD(-1, 1, 1);
	ck_assert_int_eq(sm_linhist_bins(&h, 8, bin), 8);
	ck_assert(bin[1].low == -0.75 && bin[1].high == -0.5);
	ck_assert_uint_eq(bin[0].count, 1);
	ck_assert_uint_eq(bin[7].count, 2);
	check_invariants(8);
}
END_TEST

/* A span of 4095 in every order is counted exactly; one more doubles the width. */
START_TEST(exact_while_the_width_is_one)
{
	for (int order = 0; order < 3; order++) {
		setup();
		for (int64_t i = 0; i < 4096; i++)
			sm_linhist_add(
				&h, -2000 + (order == 0		 ? i
						    : order == 1 ? 4095 - i
								 : i * 1235 % 4096));
		ck_assert_uint_eq(h.width, 1);
		ck_assert_int_eq(h.min, -2000);
		ck_assert_int_eq(h.max, 2095);
		for (int i = 0; i < SM_LINHIST_BUCKETS; i++)
			ck_assert_uint_eq(h.count[i], 1);
		/* 4095 / 15 = 273 values each, and the greatest */
		ck_assert_int_eq(sm_linhist_bins(&h, 15, bin), 15);
		for (int i = 0; i < 15; i++)
			ck_assert_uint_eq(bin[i].count, i == 14 ? 274 : 273);
		sm_linhist_add(&h, order ? 2096 : -2001);
		ck_assert_uint_eq(h.width, 2);
		ck_assert_int_eq(sm_linhist_bins(&h, 1, bin), 1);
		ck_assert_uint_eq(bin[0].count, 4097);
	}
}
END_TEST

static int64_t noise(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t)(*state ^ *state >> 29);
}

/* How many of v[] lie below x. */
static uint64_t below(const int64_t *v, size_t n, double x)
{
	uint64_t k = 0;

	for (size_t i = 0; i < n; i++)
		k += (double)v[i] < x;
	return k;
}

/* The header's promise: wrong only within 1/64 of a bin from an edge. */
static void check_against(const int64_t *v, size_t n, unsigned int bins)
{
	double slack = (bin[0].high - bin[0].low) / 64;
	uint64_t sum = 0;

	for (unsigned int i = 0; i + 1 < bins; i++) {
		sum += bin[i].count;
		ck_assert_uint_ge(sum, below(v, n, bin[i].high - slack));
		ck_assert_uint_le(sum, below(v, n, bin[i].high + slack));
	}
}

START_TEST(any_range)
{
	static int64_t v[3000];
	uint64_t state = 42;

	for (int shift = 0; shift < 64; shift++) {
		setup();
		for (size_t i = 0; i < 3000; i++) {
			v[i] = noise(&state) >> shift;
			sm_linhist_add(&h, v[i]);
		}
		ck_assert_uint_eq(h.n, 3000);
		ck_assert_int_eq(sm_linhist_bins(&h, BINS, bin), BINS);
		check_invariants(BINS);
		check_against(v, 3000, BINS);
		/* no wider than needed: half the width would not do */
		ck_assert(h.width == 1 ||
			  ((double)h.max - (double)h.min) / ((double)h.width / 2) > 4094);
	}
}
END_TEST

/* Sixteen values to a bucket: it counts where its middle is, so at most eight are wrong.
 */
START_TEST(a_bucket_counts_by_its_middle)
{
	uint64_t sum = 0;

	for (int64_t i = 0; i < 65521; i++)
		sm_linhist_add(&h, i);
	ck_assert_uint_eq(h.width, 16);
	ck_assert_int_eq(sm_linhist_bins(&h, 13, bin), 13); /* 65520 / 13 = 5040 */
	for (int i = 0; i < 12; i++) {
		sum += bin[i].count;
		ck_assert(bin[i].high == 5040.0 * (i + 1));
		ck_assert_double_eq_tol((double)sum, bin[i].high, 8.5);
	}
	ck_assert_int_eq(
		sm_linhist_bins(&h, 20, bin), 20); /* 3276 each, edges within buckets */
	sum = 0;
	for (int i = 0; i < 19; i++) {
		sum += bin[i].count;
		ck_assert_double_eq_tol((double)sum, 3276.0 * (i + 1), 8.5);
	}
	check_invariants(20);
}
END_TEST

/* From one value to the whole range and all that lies between. */
START_TEST(extremes)
{
	ADD(INT64_MAX, INT64_MIN, 0, -1, INT64_MAX, INT64_MIN + 1);
	ck_assert_uint_eq(h.width, UINT64_C(1) << 52);
	ck_assert_int_eq(h.base, INT64_MIN);
	ck_assert_int_eq(sm_linhist_bins(&h, 4, bin), 4);
	ck_assert_uint_eq(bin[0].count, 2);
	ck_assert_uint_eq(bin[1].count, 1);
	ck_assert_uint_eq(bin[2].count, 1);
	ck_assert_uint_eq(bin[3].count, 2);
	check_invariants(4);
}
END_TEST

START_TEST(a_window_at_either_end)
{
	for (int64_t i = 0; i < 5000; i++) {
		sm_linhist_add(&h, INT64_MIN + i);
		ck_assert_int_le(h.base, INT64_MIN);
	}
	ck_assert_uint_eq(h.width, 2);
	ck_assert_int_eq(sm_linhist_bins(&h, 2, bin), 2);
	ck_assert_uint_eq(bin[0].count, 2500);
	setup();
	for (int64_t i = 0; i < 5000; i++)
		sm_linhist_add(&h, INT64_MAX - i);
	ck_assert_uint_eq(h.width, 2);
	ck_assert_int_eq(sm_linhist_bins(&h, 2, bin), 2);
	ck_assert_uint_eq(bin[0].count, 2500);
	check_invariants(2);
}
END_TEST

/* One far value after many near ones, and many near the far one. */
START_TEST(outliers)
{
	for (int64_t i = 0; i < 1000; i++)
		sm_linhist_add(&h, i);
	sm_linhist_add(&h, INT64_C(1) << 40);
	for (int64_t i = 0; i < 500; i++)
		sm_linhist_add(&h, (INT64_C(1) << 40) - i);
	ck_assert_int_eq(sm_linhist_bins(&h, BINS, bin), BINS);
	ck_assert_uint_eq(bin[0].count, 1000);
	ck_assert_uint_eq(bin[BINS - 1].count, 501);
	check_invariants(BINS);
	ck_assert_uint_eq(
		h.width, UINT64_C(1) << 29); /* 2^40 / 2^28 = 4096, one too many */
}
END_TEST

static TCase *tc_linhist(void)
{
	TCase *tc = tcase_create("linhist");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, all_equal);
	tcase_add_test(tc, edges);
	tcase_add_test(tc, more_bins_than_values);
	tcase_add_test(tc, exact_while_the_width_is_one);
	tcase_add_test(tc, any_range);
	tcase_add_test(tc, a_bucket_counts_by_its_middle);
	tcase_add_test(tc, extremes);
	tcase_add_test(tc, a_window_at_either_end);
	tcase_add_test(tc, outliers);
	return tc;
}

UNIT_MAIN("linhist", tc_linhist)
