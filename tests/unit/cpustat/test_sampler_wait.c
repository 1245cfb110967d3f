// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting for a CPU (-W) of processes and threads on a recorded machine. */
#include "cpustat_threads_rig.h"

#define MS SM_NSEC_PER_MSEC

static void alone(uint64_t used, uint64_t wait_ms)
{
	p.threads = 1;
	p.utime += used;
	fake(&p);
	fake_wait(&p, wait_ms);
}

static void wait_only(void)
{
	opts.threads = false;
	opts.wait = true;
}

START_TEST(wait_of_a_process)
{
	wait_only();
	alone(1, 4000);
	begin();
	take();
	alone(1, 4100);
	take_at(100100);
	ck_assert_int_eq(
		row_wait_ms(ROW_PROCESS, 10), -1); /* how it stood is not known */
	alone(1, 4350);
	take_at(100200);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 250);
	alone(1, 4300); /* back */
	take_at(100300);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	fake_file(10, "schedstat", "0 0 0\n", 6); /* a kernel without it */
	p.utime++;
	fake(&p);
	take_at(100400);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 1);
}
END_TEST

START_TEST(wait_of_the_born)
{
	wait_only();
	begin();
	take();
	p.start = 100050;
	p.utime = t1.utime = 40;
	alone(0, 70);
	take_at(100100);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 70);
}
END_TEST

static void waits(uint64_t ms1, uint64_t ms2)
{
	p.utime = t1.utime + t2.utime;
	fake(&p);
	fake_thread(10, &t1, t1.utime * TICK, ms1 * MS);
	fake_thread(10, &t2, t2.utime * TICK, ms2 * MS);
}

/* All threads together. */
START_TEST(wait_of_threads)
{
	wait_only();
	waits(1000, 2000);
	begin();
	take();
	t1.utime++;
	waits(1010, 2000);
	take_at(100100);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	t1.utime++;
	waits(1110, 2005);
	take_at(100200);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 105);
	ck_assert_uint_eq(sample.nrows, 1);
	/* With -H each its own. */
	opts.threads = true;
	sampler_options(&sampler);
	t1.utime++;
	t2.utime += 2;
	waits(1120, 2035);
	take_at(100300);
	ck_assert_int_eq(row_wait_ms(ROW_THREAD, 10), 10);
	ck_assert_int_eq(row_wait_ms(ROW_THREAD, 11), 30);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 2);
	ck_assert_uint_eq(sample.nrows, 2);
}
END_TEST

/* -W without schedstat reads no stat of threads, and -H later still counts from then. */
START_TEST(wait_then_threads_without_schedstat)
{
	wait_only();
	threads();
	fake_remove("proc/10/task/10/schedstat");
	fake_remove("proc/10/task/11/schedstat");
	begin();
	take();
	p.utime += 2;
	fake(&p);
	take_at(100100);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	p.utime += 2;
	fake(&p);
	take_at(100200);
	opts.threads = true;
	sampler_options(&sampler);
	p.utime += 2;
	t2.utime += 2;
	fake(&p);
	fake_thread(10, &t2, 0, 0);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 2);
	ck_assert_ptr_null(row_of(ROW_THREAD, 10));
}
END_TEST

START_TEST(wait_switched_off_and_on)
{
	wait_only();
	alone(1, 100);
	begin();
	take();
	alone(1, 110);
	take_at(100100);
	opts.wait = false;
	sampler_options(&sampler);
	alone(1, 50000);
	take_at(100200);
	opts.wait = true;
	sampler_options(&sampler);
	alone(1, 90000);
	take_at(100300);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	alone(1, 90007);
	take_at(100400);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 7);
}
END_TEST

START_TEST(waits_of_threads_switched_off_and_on)
{
	wait_only();
	waits(1000, 2000);
	begin();
	take();
	t1.utime++;
	waits(1010, 2000);
	take_at(100100);
	opts.wait = false;
	sampler_options(&sampler);
	t1.utime++;
	waits(5000, 7000);
	take_at(100200);
	opts.wait = true;
	sampler_options(&sampler);
	t1.utime++;
	waits(50000, 70000);
	take_at(100300);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), -1);
	t1.utime++;
	waits(50009, 70000);
	take_at(100400);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 9);
}
END_TEST

static TCase *tc_wait(void)
{
	TCase *tc = tcase_create("wait");

	tcase_add_checked_fixture(tc, threads_rig_open, rig_close);
	tcase_add_test(tc, wait_of_a_process);
	tcase_add_test(tc, wait_of_the_born);
	tcase_add_test(tc, wait_of_threads);
	tcase_add_test(tc, wait_then_threads_without_schedstat);
	tcase_add_test(tc, wait_switched_off_and_on);
	tcase_add_test(tc, waits_of_threads_switched_off_and_on);
	return tc;
}

UNIT_MAIN("sampler_wait", tc_wait)
