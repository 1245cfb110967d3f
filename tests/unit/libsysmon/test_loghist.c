// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "base/loghist.h"
#include "unit.h"

#define NEAR 1e-9

START_TEST(hist_layout)
{
	for (uint64_t v = 0; v < 64; v++) { /* the first two octaves are exact */
		ck_assert_uint_eq(sm_loghist_bucket(v), v);
		ck_assert_uint_eq(sm_loghist_low((unsigned int)v), v);
	}
	ck_assert_uint_eq(sm_loghist_bucket(64), 64);
	ck_assert_uint_eq(sm_loghist_bucket(65), 64);
	ck_assert_uint_eq(sm_loghist_bucket(66), 65);
	ck_assert_uint_eq(sm_loghist_bucket(127), 95);
	ck_assert_uint_eq(sm_loghist_bucket(128), 96);
	ck_assert_uint_eq(sm_loghist_bucket(UINT64_MAX), SM_LOGHIST_BUCKETS - 1);
	ck_assert_uint_eq(sm_loghist_low(64), 64);
	ck_assert_uint_eq(sm_loghist_low(65), 66);
	ck_assert_uint_eq(sm_loghist_low(SM_LOGHIST_BUCKETS - 1), UINT64_C(63) << 58);
	ck_assert_uint_eq(sm_loghist_low(SM_LOGHIST_BUCKETS), UINT64_MAX);
}
END_TEST

/* Each bucket starts where the one before ends, and is at most 1/32 wide. */
START_TEST(hist_buckets_are_contiguous)
{
	for (unsigned int i = 0; i < SM_LOGHIST_BUCKETS; i++) {
		uint64_t low = sm_loghist_low(i);
		uint64_t high = i + 1 < SM_LOGHIST_BUCKETS ? sm_loghist_low(i + 1) - 1
							   : UINT64_MAX;

		ck_assert_uint_eq(sm_loghist_bucket(low), i);
		ck_assert_uint_eq(sm_loghist_bucket(high), i);
		ck_assert_uint_le(high - low, low / 32);
	}
}
END_TEST

START_TEST(hist_empty)
{
	static struct sm_loghist h;
	uint64_t v = 9;

	ck_assert_int_eq(sm_loghist_quantile(&h, 0.5, &v), -ENODATA);
	ck_assert_uint_eq(v, 9);
	ck_assert_uint_eq(sm_loghist_le(&h, UINT64_MAX), 0);
}
END_TEST

static uint64_t quantile(const struct sm_loghist *h, double q)
{
	uint64_t v = 0;

	ck_assert_int_eq(sm_loghist_quantile(h, q, &v), 0);
	return v;
}

START_TEST(hist_small_values_are_exact)
{
	static struct sm_loghist h;

	for (uint64_t v = 1; v <= 50; v++)
		sm_loghist_add(&h, v);
	ck_assert_uint_eq(h.n, 50);
	ck_assert_uint_eq(h.min, 1);
	ck_assert_uint_eq(h.max, 50);
	ck_assert_uint_eq(quantile(&h, 0), 1);
	ck_assert_uint_eq(quantile(&h, 0.02), 1);
	ck_assert_uint_eq(quantile(&h, 0.5), 25);
	ck_assert_uint_eq(quantile(&h, 0.51), 26);
	ck_assert_uint_eq(quantile(&h, 0.9), 45);
	ck_assert_uint_eq(quantile(&h, 1), 50);
	ck_assert_uint_eq(sm_loghist_le(&h, 0), 0);
	ck_assert_uint_eq(sm_loghist_le(&h, 10), 10);
	ck_assert_uint_eq(sm_loghist_le(&h, UINT64_MAX), 50);
}
END_TEST

START_TEST(hist_percentiles_within_one_bucket)
{
	static struct sm_loghist h;

	for (uint64_t v = 1; v <= 100000; v++)
		sm_loghist_add(&h, v * 1000);
	for (int percent = 1; percent <= 99; percent++) {
		double want = percent * 1e6;

		ck_assert_double_eq_tol(
			(double)quantile(&h, percent / 100.0), want, want / 32);
	}
	ck_assert_uint_le(quantile(&h, 1), 100000000);
}
END_TEST

START_TEST(hist_stays_within_min_and_max)
{
	static struct sm_loghist low, high;

	sm_loghist_add(&low, 1000000);
	ck_assert_uint_eq(quantile(&low, 0.5), 1000000);
	sm_loghist_add(&low, 2000000);
	/* The bucket 999424..1015807, whatever the place in it. */
	ck_assert_uint_eq(quantile(&low, 0), 1007615);
	ck_assert_uint_eq(quantile(&low, 0.5), 1007615);
	sm_loghist_add(&high, UINT64_MAX);
	sm_loghist_add(&high, 0);
	ck_assert_uint_eq(quantile(&high, 0), 0);
	ck_assert_uint_ge(quantile(&high, 1), UINT64_C(63) << 58);
	ck_assert_uint_eq(high.min, 0);
	ck_assert_uint_eq(high.max, UINT64_MAX);
}
END_TEST

START_TEST(hist_bad_quantile)
{
	static struct sm_loghist h;
	uint64_t v;

	sm_loghist_add(&h, 1);
	ck_assert_int_eq(sm_loghist_quantile(&h, -0.1, &v), -EINVAL);
	ck_assert_int_eq(sm_loghist_quantile(&h, 1.1, &v), -EINVAL);
	ck_assert_int_eq(sm_loghist_quantile(&h, (double)NAN, &v), -EINVAL);
}
END_TEST

/* A full counter stays full instead of starting again from zero. */
START_TEST(hist_saturates)
{
	static struct sm_loghist h;

	sm_loghist_add(&h, 5);
	sm_loghist_add(&h, 9);
	h.count[5] = UINT32_MAX;
	sm_loghist_add(&h, 5);
	ck_assert_uint_eq(h.count[5], UINT32_MAX);
	ck_assert_uint_eq(quantile(&h, 0.5), 5);
	ck_assert_uint_eq(quantile(&h, 1), 9);
	ck_assert_uint_eq(sm_loghist_le(&h, 5), UINT32_MAX);
}
END_TEST

/* Several histograms have the quantiles and the mode of one with all values. */
START_TEST(hist_together)
{
	static struct sm_loghist one[3], all;
	const struct sm_loghist *const h[] = {&one[0], NULL, &one[1], &one[2]};
	uint64_t state = 88172645463325252u, v;
	double mode;

	ck_assert_int_eq(sm_loghists_quantile(h, 4, 0.5, &v), -ENODATA);
	ck_assert_int_eq(sm_loghists_mode(h, 4, &mode), -ENODATA);
	for (unsigned int i = 0; i < 3000; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		/* The third stays empty; the second has larger values. */
		v = i % 3 ? state % 5000 : 100000 + state % 900000;
		sm_loghist_add(&one[i % 3 == 0], v);
		sm_loghist_add(&all, v);
	}
	for (unsigned int percent = 0; percent <= 100; percent++) {
		ck_assert_int_eq(sm_loghists_quantile(h, 4, percent / 100.0, &v), 0);
		ck_assert_uint_eq(v, quantile(&all, percent / 100.0));
	}
	for (unsigned int i = 0; i < 20; i++) {
		sm_loghist_add(&one[0], 130); /* in 128 to 131 */
		sm_loghist_add(&one[1], 131);
	}
	ck_assert_int_eq(sm_loghists_mode(h, 4, &mode), 0);
	ck_assert_double_eq(mode, 129.5);
	ck_assert_int_eq(sm_loghists_quantile(h, 4, 1.5, &v), -EINVAL);
}
END_TEST

/* Together they have more values than the counter of one histogram holds. */
START_TEST(hist_together_do_not_saturate)
{
	static struct sm_loghist one[3];
	const struct sm_loghist *const h[] = {&one[0], &one[1], &one[2]};
	uint64_t v;

	for (unsigned int i = 0; i < 3; i++) {
		sm_loghist_add(&one[i], i < 2 ? 5 : 9);
		one[i].count[i < 2 ? 5 : 9] = UINT32_MAX;
	}
	ck_assert_uint_eq(sm_loghists_count(h, 3, 5), 2 * (uint64_t)UINT32_MAX);
	ck_assert_int_eq(sm_loghists_quantile(h, 3, 0.6, &v), 0);
	ck_assert_uint_eq(v, 5);
	ck_assert_int_eq(sm_loghists_quantile(h, 3, 0.7, &v), 0);
	ck_assert_uint_eq(v, 9);
}
END_TEST

static TCase *tc_hist(void)
{
	TCase *tc = tcase_create("hist");

	tcase_add_test(tc, hist_layout);
	tcase_add_test(tc, hist_buckets_are_contiguous);
	tcase_add_test(tc, hist_empty);
	tcase_add_test(tc, hist_small_values_are_exact);
	tcase_add_test(tc, hist_percentiles_within_one_bucket);
	tcase_add_test(tc, hist_stays_within_min_and_max);
	tcase_add_test(tc, hist_bad_quantile);
	tcase_add_test(tc, hist_saturates);
	tcase_add_test(tc, hist_together);
	tcase_add_test(tc, hist_together_do_not_saturate);
	return tc;
}

UNIT_MAIN("loghist", tc_hist)
