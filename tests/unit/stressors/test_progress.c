// SPDX-License-Identifier: GPL-2.0-or-later
/* The live line and the rows of an interval. */
#include "base/text.h"
#include "stressors/result/progress.h"
#include "stressors_results_rig.h"

#define ERASE "\r\033[K"

static const struct progress_job jobs_now[] = {{"cpu", 4413, 2206, 1},
	{"vm", 120000, 0, 1}, {"nop", 5, 5, 0}, {"memrate", 3, 10, 1},
	{"tlb-shootdown", 7, 0, 2}};
static struct progress now;

static void set_up(void)
{
	now = (struct progress){.elapsed_s = 1,
		.total_s = 60,
		.stages = 1,
		.job = jobs_now,
		.n = SM_ARRAY_SIZE(jobs_now),
		.celsius = NAN,
		.watts = NAN};
}

static const char *line(unsigned int columns)
{
	sm_buf_reset(&text);
	progress_line(&now, columns, SM_TEXT_UTF8, &text);
	return text_str();
}

START_TEST(rates)
{
	ck_assert_double_eq(progress_rate(&jobs_now[0]), 2207);
	ck_assert_double_eq(progress_rate(&jobs_now[3]), 0); /* started again */
	ck_assert_double_eq(progress_rate(&jobs_now[4]), 3.5);
	ck_assert(isnan(progress_rate(&jobs_now[2])));
}
END_TEST

START_TEST(whole_line)
{
	ck_assert_str_eq(line(200),
		ERASE "1.0/60s, cpu 2207.0/s, vm 120.0k/s, nop -, memrate 0.0/s, "
		      "tlb-shootdown 3.5/s");
	now.celsius = 61.4;
	now.watts = 15.24;
	now.stages = 7;
	now.stage = 2;
	now.total_s = 1.5;
	now.n = 1;
	ck_assert_str_eq(line(0), ERASE "1.0/1.5s stage 3/7 61C 15.2W, cpu 2207.0/s");
	now.total_s = INFINITY;
	now.n = 0;
	ck_assert_str_eq(line(0), ERASE "1.0s stage 3/7 61C 15.2W");
}
END_TEST

START_TEST(interim)
{
	now.n = 3;
	sm_buf_reset(&text);
	progress_interim(&now, SM_TEXT_UTF8, &text);
	ck_assert_str_eq(text_str(), "    1.00s so far: cpu 4413 ops (2207.0/s), "
				     "vm 120000 ops (120.0k/s), nop 5 ops (-)\n");
}
END_TEST

START_TEST(narrow_line)
{
	now.celsius = 61;
	now.watts = 15.2;
	ck_assert_str_eq(line(40), ERASE "1.0/60s 61C 15.2W, cpu 2207.0/s +4");
	now.job = &jobs_now[4];
	now.n = 1;
	now.elapsed_s = 1000;
	now.total_s = 86400;
	ck_assert_str_eq(line(40), ERASE "1000.0/86400s, tlb-shootdown 3.5/s");
}
END_TEST

START_TEST(never_wider_than_the_terminal)
{
	static const struct progress_job hostile_job[] = {
		{"\033[2J\n\xff\xe4\xb8\xad\xe6\x96\x87", 1, 0, 1}, {"b", 1, 0, 1}};

	now.celsius = 61;
	for (unsigned int i = 0; i < 2; i++) {
		for (unsigned int columns = 1; columns < 120; columns++) {
			const char *s = line(columns) + strlen(ERASE);

			ck_assert_uint_lt(sm_text_width(s, strlen(s)), columns);
			ck_assert_ptr_null(strpbrk(s, "\n\033"));
		}
		now.job = hostile_job;
		now.n = 2;
	}
	has(line(100), "\\x1b[2J\\x0a\\xff\xe4\xb8\xad\xe6\x96\x87 1.0/s, b 1.0/s");
}
END_TEST

START_TEST(erased)
{
	progress_erase(&text);
	ck_assert_str_eq(text_str(), ERASE);
}
END_TEST

START_TEST(intervals)
{
	now.n = 2;
	progress_interval(&now, 0, &text);
	ck_assert_str_eq(text_str(), "    1.00s cpu 2207.0/s, vm 120.0k/s\n");
	now.watts = 15.24;
	sm_buf_reset(&text);
	progress_interval(&now, 0, &text);
	ck_assert_str_eq(text_str(), "    1.00s cpu 2207.0/s, vm 120.0k/s 15.2W\n");
}
END_TEST

static TCase *tc_progress(void)
{
	TCase *tc = tcase_create("progress");

	tcase_add_checked_fixture(tc, set_up, results_tear_down);
	tcase_add_test(tc, rates);
	tcase_add_test(tc, whole_line);
	tcase_add_test(tc, interim);
	tcase_add_test(tc, narrow_line);
	tcase_add_test(tc, never_wider_than_the_terminal);
	tcase_add_test(tc, erased);
	tcase_add_test(tc, intervals);
	return tc;
}

UNIT_MAIN("progress", tc_progress)
