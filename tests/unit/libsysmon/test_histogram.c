// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/histogram.h"
#include "unit.h"

static struct sm_linhist h;
static struct sm_buf b;
static const struct sm_histogram watts = {"power measurements", "power", "Watts", 1e-6};

static void setup(void)
{
	sm_linhist_init(&h);
	sm_buf_reset(&b);
}

static void teardown(void)
{
	sm_buf_fini(&b);
	b = (struct sm_buf){0};
}

static const char *printed(void)
{
	sm_histogram_bars(&watts, &h, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_int_eq(sm_buf_error(&b), 0);
	return b.p;
}

/* Every edge is at or above the one before, and the counts add up. */
static void check_rows(const char *text, unsigned int want)
{
	const char *p = strstr(text, "Count\n");
	double low, high, before = -HUGE_VAL;
	unsigned int n, sum = 0, rows = 0;

	ck_assert_ptr_nonnull(p);
	for (p = strchr(p, '\n'); p && p[1]; p = strchr(p + 1, '\n')) {
		ck_assert_int_eq(sscanf(p + 1, " %lf - %lf %u", &low, &high, &n), 3);
		ck_assert_double_gt(low, before);
		ck_assert_double_gt(high, low);
		before = high;
		sum += n;
		rows++;
	}
	ck_assert_uint_eq(rows, 10);
	ck_assert_uint_eq(sum, want);
}

START_TEST(exact)
{
	for (int i = 0; i < 3; i++)
		sm_linhist_add(&h, 10000000);
	sm_linhist_add(&h, 110000000);
	ck_assert_str_eq(printed(),
		"\nHistogram (of 4 power measurements)\n\n"
		"  Range (Watts)   Count\n"
		" 10.000 -  19.999     3 ########################################\n"
		" 20.000 -  29.999     0\n"
		" 30.000 -  39.999     0\n"
		" 40.000 -  49.999     0\n"
		" 50.000 -  59.999     0\n"
		" 60.000 -  69.999     0\n"
		" 70.000 -  79.999     0\n"
		" 80.000 -  89.999     0\n"
		" 90.000 -  99.999     0\n"
		"100.000 - 110.000     1 #############\n");
}
END_TEST

/* The original's edges went down here: "12.500 - 12.499". */
START_TEST(narrow)
{
	sm_linhist_add(&h, 12500000);
	sm_linhist_add(&h, 12500010);
	ck_assert_ptr_nonnull(strstr(printed(), "\n12.5000000 - 12.5000009     1 #"));
	check_rows(b.p, 2);
}
END_TEST

START_TEST(spreads)
{
	for (int64_t spread = 1; spread <= INT64_C(1000000000000000); spread *= 7) {
		sm_linhist_init(&h);
		sm_buf_reset(&b);
		for (int i = 0; i < 100; i++)
			sm_linhist_add(&h, -spread / 3 + spread * i / 99);
		check_rows(printed(), 100);
	}
}
END_TEST

START_TEST(huge)
{
	sm_linhist_add(&h, INT64_MIN);
	sm_linhist_add(&h, INT64_MAX);
	check_rows(printed(), 2);
}
END_TEST

START_TEST(range_is_zero)
{
	sm_linhist_add(&h, 5);
	sm_linhist_add(&h, 5);
	ck_assert_str_eq(
		printed(), "\nRange is zero, cannot produce histogram of power\n");
}
END_TEST

START_TEST(empty)
{
	ck_assert_str_eq(
		printed(), "\nThere are no values, cannot produce histogram of power\n");
}
END_TEST

static const char *shares(void)
{
	sm_histogram_shares(&h, 0.01, &b);
	sm_buf_chr(&b, '\0');
	return b.p;
}

START_TEST(as_shares)
{
	ck_assert_str_eq(shares(), "");
	sm_buf_reset(&b);
	for (int i = 0; i < 3; i++)
		sm_linhist_add(&h, 0);
	sm_linhist_add(&h, 2000000);
	ck_assert_str_eq(shares(), "  0.00 - 1000.00         3  75.00\n"
				   "19000.00 - 20000.00         1  25.00\n");
}
END_TEST

START_TEST(as_json)
{
	struct sm_json j;

	sm_linhist_add(&h, 0);
	sm_linhist_add(&h, 2000);
	sm_json_open(&j, &b, "x");
	sm_histogram_json(&h, 0.01, "from", "to", &j);
	sm_json_close(&j);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p,
		"{\"type\":\"x\",\"bins\":[{\"from\":0.00,\"to\":1.00,\"count\":1},"
		"{\"from\":19.00,\"to\":20.00,\"count\":1}]}\n");
}
END_TEST

static const struct sm_timebin times[] = {
	{0, 1024, 0},
	{1024, 2048, 3},
	{2048, 4096, 0},
	{4096, UINT64_MAX, 1},
};

static const char *of_times(unsigned int n)
{
	sm_histogram_times(times, n, "sleeps", &b);
	sm_buf_chr(&b, '\0');
	return b.p;
}

START_TEST(bars_of_times)
{
	ck_assert_str_eq(of_times(4),
		"\nHistogram (of 4 sleeps)\n\n"
		"         Range (ms)            Count\n"
		"       0.001 -        0.002        3 "
		"########################################\n"
		"       0.002 -        0.004        0\n"
		"       0.004 -                     1 #############\n");
}
END_TEST

START_TEST(no_times)
{
	ck_assert_str_eq(of_times(1),
		"\nThere are no values, cannot produce histogram of sleeps\n");
}
END_TEST

START_TEST(times_as_json)
{
	struct sm_json j;

	sm_json_open(&j, &b, "x");
	sm_histogram_times_json(times, 4, &j);
	sm_json_close(&j);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p,
		"{\"type\":\"x\",\"count\":4,\"bins\":["
		"{\"low_s\":0.000001024,\"high_s\":0.000002048,\"count\":3},"
		"{\"low_s\":0.000004096,\"count\":1}]}\n");
}
END_TEST

static TCase *tc_histogram(void)
{
	TCase *tc = tcase_create("histogram");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, exact);
	tcase_add_test(tc, narrow);
	tcase_add_test(tc, spreads);
	tcase_add_test(tc, huge);
	tcase_add_test(tc, range_is_zero);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, as_shares);
	tcase_add_test(tc, as_json);
	tcase_add_test(tc, bars_of_times);
	tcase_add_test(tc, no_times);
	tcase_add_test(tc, times_as_json);
	return tc;
}

UNIT_MAIN("histogram", tc_histogram)
