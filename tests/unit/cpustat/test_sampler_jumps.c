// SPDX-License-Identifier: GPL-2.0-or-later
/* Times of threads that jump (-H and -W): a thread cannot run or wait longer than the
 * readings are apart.  See rig.h. */
#include "cpustat_rig.h"

#define MS    SM_NSEC_PER_MSEC
#define YEARS (UINT64_C(1) << 62)

static struct fake p, t1, t2;

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
	opts.wait = true;
	fake_machine(0, 0, 0, 0);
	p = (struct fake){
		.pid = 10, .comm = "proc", .ppid = 1, .start = 99, .threads = 1};
	t1 = (struct fake){.pid = 10, .comm = "proc", .ppid = 1, .start = 99};
	t2 = (struct fake){.pid = 11, .comm = "second", .ppid = 1, .start = 99};
}

static void teardown(void)
{
	rig_close();
}

static void alone(uint64_t wait_ms)
{
	p.utime++;
	fake(&p);
	fake_wait(&p, wait_ms);
}

static void step(uint64_t at, uint64_t ms, int64_t want_ms)
{
	alone(ms);
	take_at(at);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), want_ms);
}

/* Samples of one second.  A wait is added when it ends: it can have begun in the sample
 * before. */
START_TEST(wait_of_a_process)
{
	alone(4000);
	begin();
	take();
	step(100100, 4100, -1);
	step(100200, 4200, 100);
	step(100300, 6300, 2100);
	step(100400, 9300, -1);
	step(100500, 9350, 50);
	step(100600, YEARS / MS, -1);
	step(100700, YEARS / MS + 7, 7);
	step(100800, 9350, -1);
	step(100900, 9351, 1);
}
END_TEST

/* The length of the first wait that ends is unknown: here 8 of 1000 seconds. */
START_TEST(wait_since_before)
{
	alone(4000);
	begin();
	take();
	step(100100, 4100, -1);
	step(100200, 12100, 8000);
	step(100300, 20100, -1);
}
END_TEST

static void both(uint64_t run_ns, uint64_t ms1, uint64_t ms2)
{
	p.threads = 2;
	t1.utime++;
	p.utime++;
	fake(&p);
	fake_thread(10, &t1, t1.utime * TICK, ms1 * MS);
	fake_thread(10, &t2, run_ns, ms2 * MS);
}

/* A thread whose wait is unknown is left out of the sum of its process. */
START_TEST(wait_of_threads)
{
	both(TICK, 1000, 2000);
	begin();
	take();
	both(TICK, 1001, 2001);
	take_at(100100);
	both(TICK, 1011, 2021);
	take_at(100200);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 30);
	both(TICK, 1016, YEARS / MS);
	take_at(100300);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 5);
	both(TICK, 1017, YEARS / MS + 3);
	take_at(100400);
	ck_assert_int_eq(row_wait_ms(ROW_PROCESS, 10), 4);
}
END_TEST

/* Also of a thread that is new. */
START_TEST(run_time)
{
	opts.threads = true;
	both(TICK, 0, 0);
	begin();
	take();
	both(TICK, 0, 0);
	take_at(100100);
	both(YEARS, 0, 0);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 0);
	both(YEARS, 0, 0);
	t2.pid = 12;
	t2.start = 100250;
	both(YEARS, 0, 0);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 12), 0);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 2);
}
END_TEST

static TCase *tc_sampler_jumps(void)
{
	TCase *tc = tcase_create("sampler_jumps");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, wait_of_a_process);
	tcase_add_test(tc, wait_since_before);
	tcase_add_test(tc, wait_of_threads);
	tcase_add_test(tc, run_time);
	return tc;
}

UNIT_MAIN("threads_wait", tc_sampler_jumps)
