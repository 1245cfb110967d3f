// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "repeat.h"
#include "unit.h"

static struct stats stats;
static struct repeat r;
static struct sm_buf b;

static void begin(void)
{
	memset(&stats, 0, sizeof(stats));
	memset(&r, 0, sizeof(r));
	sm_buf_reset(&b);
}

/* A run of 2 s with samples of this time and energy. */
static void one(double joules, uint64_t of_ns, double idle_w, int status)
{
	repeat_begin(&r, &stats, 5 * SM_NSEC_PER_SEC);
	stats.joules += joules;
	stats.power_ns += of_ns;
	repeat_end(&r, &stats, idle_w, status, 7 * SM_NSEC_PER_SEC);
	sm_buf_reset(&b);
	repeat_run_text(&r.run, &b);
	sm_buf_chr(&b, '\0');
}

static void report(void)
{
	sm_buf_reset(&b);
	repeat_text(&r, &b);
	sm_buf_chr(&b, '\0');
}

START_TEST(mean_of_the_runs)
{
	begin();
	one(20, 2 * SM_NSEC_PER_SEC, NAN, 0);
	ck_assert_str_eq(b.p, "Run 1: 2.000 seconds, 20.000 Joules, 10.00 Watts");
	one(24, 2 * SM_NSEC_PER_SEC, NAN, 0);
	ck_assert_str_eq(b.p, "Run 2: 2.000 seconds, 24.000 Joules, 12.00 Watts");
	report();
	ck_assert_str_eq(b.p,
		"Runs: 2, mean +- standard deviation: 2.000 +- 0.000 seconds, "
		"22.000 +- 2.828 Joules, 11.00 +- 1.41 Watts\n");
}
END_TEST

/* The time that the energy covers counts, not that of the run. */
START_TEST(above_idle)
{
	begin();
	one(10, SM_NSEC_PER_SEC, 4, 0);
	ck_assert_str_eq(b.p, "Run 1: 2.000 seconds, 10.000 Joules, "
			      "6.000 Joules above idle, 10.00 Watts");
}
END_TEST

START_TEST(failed_run_is_not_in_the_mean)
{
	begin();
	one(20, 2 * SM_NSEC_PER_SEC, NAN, 7);
	ck_assert_str_eq(
		b.p, "Run 1: 2.000 seconds, 20.000 Joules, 10.00 Watts, exit status 7");
	report();
	ck_assert_str_eq(b.p, "");
}
END_TEST

START_TEST(run_without_a_figure)
{
	begin();
	one(0, 0, 4, 0);
	ck_assert_str_eq(b.p, "Run 1: 2.000 seconds");
	report();
	ck_assert_str_eq(
		b.p, "Runs: 1, mean +- standard deviation: 2.000 +- 0.000 seconds\n");
}
END_TEST

static TCase *tc_repeat(void)
{
	TCase *tc = tcase_create("repeat");

	tcase_add_test(tc, mean_of_the_runs);
	tcase_add_test(tc, above_idle);
	tcase_add_test(tc, failed_run_is_not_in_the_mean);
	tcase_add_test(tc, run_without_a_figure);
	return tc;
}

UNIT_MAIN("repeat", tc_repeat)
