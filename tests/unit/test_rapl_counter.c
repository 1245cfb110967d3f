// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "rapl.h"
#include "unit.h"

#define RANGE 262143328850 /* 2^32 units of 61 uJ */

static struct sm_rapl r;

/* ---- one counter ---- */

static struct sm_rapl_zone z;
static uint64_t now_ms;

static void counter_setup(void)
{
	z = (struct sm_rapl_zone){.cap_uw = 2000000000, .range_uj = RANGE};
	now_ms = 1000;
}

/* A number, a second after the last. */
static void next(uint64_t uj)
{
	now_ms += 1000;
	sm_rapl_feed(&z, uj, now_ms * SM_NSEC_PER_MSEC);
}

/* What the last number added, in uJ and ms. */
static void added(uint64_t uj, uint64_t ms)
{
	ck_assert_uint_eq(z.last_uj, uj);
	ck_assert_uint_eq(z.last_ns, ms * SM_NSEC_PER_MSEC);
}

static void sums(
	uint64_t uj, uint64_t ms, uint64_t wraps, uint64_t glitches, uint64_t rebased)
{
	ck_assert_uint_eq(z.energy_uj, uj);
	ck_assert_uint_eq(z.covered_ns, ms * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(z.wraps, wraps);
	ck_assert_uint_eq(z.glitches, glitches);
	ck_assert_uint_eq(z.rebased, rebased);
}

START_TEST(steady)
{
	next(5000);
	added(0, 0);
	next(5000);
	added(0, 1000);
	next(15005000);
	added(15000000, 1000);
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
	z.range_uj = 0;
	next(65530000000);
	next(65532000000);
	for (uint64_t uj = 1000000; uj <= 3000000; uj += 1000000) {
		next(uj);
		added(0, 0);
	}
	next(5000000);
	added(4000000, 3000); /* what the held ones make among themselves */
	next(6000000);
	added(1000000, 1000);
	sums(7000000, 5000, 0, 1, 1);
}
END_TEST

/* Half the range must lie between, and the power must be possible. */
START_TEST(no_wrap)
{
	next(RANGE / 2 - 5);
	next(5);
	added(0, 0);
	ck_assert_uint_eq(z.held, 1);
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
	z.range_uj = 3000000000;
	next(1400000000);
	next(10);
	added(0, 0);
	counter_setup();
	z.range_uj = 3000000000;
	next(2900000000);
	next(1600000000);
	added(0, 0);
	counter_setup();
	z.range_uj = 3000000000;
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
	ck_assert_uint_eq(z.held, 3);
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
	ck_assert_uint_eq(z.held, 0);
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
	sums(0, 1000, 0, 0, 0);
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
	z.range_uj = 0;
	now_ms += 999999000;
	next(5000000);
	added(1000000, 1000000000);
}
END_TEST

START_TEST(time_stands_or_goes_back)
{
	next(1000);
	sm_rapl_feed(&z, 1000, now_ms * SM_NSEC_PER_MSEC);
	added(0, 0);
	sm_rapl_feed(&z, 2000, now_ms * SM_NSEC_PER_MSEC);
	added(0, 0);
	ck_assert_uint_eq(z.held, 1);
	sm_rapl_feed(&z, 1000, 5);
	added(0, 0);
	sums(0, 0, 0, 1, 0);
}
END_TEST

/* ---- twins and mirrors ---- */

static struct sm_rapl_zone *pair_a, *pair_b;

static void add_zone(const char *id, const char *name)
{
	ck_assert_int_eq(sm_rapl_add(&r, id, name), 0);
}

static void pair_setup(void)
{
	r = (struct sm_rapl){0};
	now_ms = 1000;
}

static void pair_teardown(void)
{
	for (unsigned int i = 0; i < r.n; i++)
		r.zone[i].fd = -1;
	sm_rapl_close(&r);
}

static void pair_arrange(void)
{
	sm_rapl_arrange(&r);
	ck_assert_uint_eq(r.n, 2);
	pair_a = &r.zone[0];
	pair_b = &r.zone[1];
	for (int i = 0; i < 2; i++) {
		r.zone[i].fd = 1000000; /* as if open */
		r.zone[i].range_uj = RANGE;
	}
}

/* By id, whoever has which role. */
static void both(const char *id, uint64_t uj_of_id, uint64_t uj_of_other)
{
	now_ms += 1000;
	for (int i = 0; i < 2; i++)
		sm_rapl_feed(&r.zone[i],
			strcmp(r.zone[i].id, id) == 0 ? uj_of_id : uj_of_other,
			now_ms * SM_NSEC_PER_MSEC);
	r.readings++;
	sm_rapl_settle(&r);
}

static void twins(void)
{
	add_zone("intel-rapl-mmio:0", "package-0");
	add_zone("intel-rapl:0", "package-0");
	pair_arrange();
	ck_assert_str_eq(pair_a->id, "intel-rapl:0");
	ck_assert_int_eq(pair_b->why, SM_RAPL_TWIN);
}

START_TEST(twins_alive)
{
	twins();
	for (uint64_t i = 0; i < 20; i++)
		both("intel-rapl:0", i * 15000000, 5000 + i * 15000000);
	ck_assert_uint_eq(r.exchanged, 0);
	ck_assert_uint_eq(pair_a->energy_uj, 19 * 15000000);
	ck_assert_uint_eq(r.counted, 1);
}
END_TEST

/* The first figure is right already. */
START_TEST(dead_from_the_start)
{
	twins();
	both("intel-rapl:0", 77, 1000);
	both("intel-rapl:0", 77, 15001000);
	ck_assert_uint_eq(r.exchanged, 1);
	ck_assert_str_eq(pair_a->id, "intel-rapl-mmio:0");
	ck_assert_str_eq(pair_a->label, "pkg-0");
	ck_assert_int_eq(pair_a->why, SM_RAPL_COUNTED);
	ck_assert_str_eq(pair_b->label, "pkg-0-twin");
	ck_assert_int_eq(pair_b->why, SM_RAPL_TWIN);
	ck_assert_int_eq(pair_b->partner, 0);
	ck_assert_uint_eq(pair_a->energy_uj, 15000000);
	ck_assert_uint_eq(pair_a->covered_ns, SM_NSEC_PER_SEC);
	both("intel-rapl:0", 77, 30001000);
	ck_assert_uint_eq(pair_a->energy_uj, 30000000);
	ck_assert_uint_eq(pair_a->covered_ns, 2 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(r.exchanged, 1);
}
END_TEST

/* A dead twin of a live zone, and two dead ones, are left alone. */
START_TEST(dead_twin)
{
	twins();
	for (uint64_t i = 0; i < 9; i++)
		both("intel-rapl:0", i * 15000000, 5);
	for (uint64_t i = 0; i < 9; i++)
		both("intel-rapl:0", 8 * 15000000, 5);
	ck_assert_uint_eq(r.exchanged, 0);
}
END_TEST

/* Later it takes five readings; one that is only slow is kept. */
START_TEST(dead_later)
{
	uint64_t uj = 0;

	twins();
	for (uint64_t i = 0; i < 20; i++)
		both("intel-rapl:0", uj = (i + 2) / 3 * 45000000, i * 15000000);
	ck_assert_uint_eq(r.exchanged, 0);
	for (uint64_t i = 20; i < 30; i++)
		both("intel-rapl:0", uj, i * 15000000);
	ck_assert_uint_eq(r.exchanged, 1);
	ck_assert_str_eq(pair_a->id, "intel-rapl-mmio:0");
}
END_TEST

/* The twin fails for good, at once when its driver has gone. */
START_TEST(failing_lead)
{
	twins();
	both("intel-rapl:0", 0, 0);
	both("intel-rapl:0", 10, 10);
	for (int i = 0; i < 4; i++) {
		pair_a->error = -EIO;
		pair_a->last_ns = 0;
		now_ms += 1000;
		sm_rapl_feed(pair_b, 20, now_ms * SM_NSEC_PER_MSEC);
		sm_rapl_settle(&r);
	}
	ck_assert_uint_eq(r.exchanged, 0);
	sm_rapl_settle(&r);
	ck_assert_uint_eq(r.exchanged, 1);
	ck_assert_str_eq(pair_a->id, "intel-rapl-mmio:0");
	ck_assert_int_eq(pair_a->error, 0);
	ck_assert_uint_eq(pair_a->energy_uj, 10);
	pair_b->error = 0;
	pair_a->error = -ENODEV;
	sm_rapl_settle(&r);
	ck_assert_uint_eq(r.exchanged, 2);
	ck_assert_str_eq(pair_a->id, "intel-rapl:0");
}
END_TEST

/* Whoever takes over, no time is covered twice: not what the other one had covered. */
START_TEST(no_time_twice)
{
	twins();
	both("intel-rapl:0", 1000000, 1000000);
	both("intel-rapl:0", 2000000, 2000000);
	for (int i = 0; i < 5; i++) { /* one fails, while its twin counts for nothing */
		pair_a->error = -EIO;
		pair_a->last_ns = 0;
		now_ms += 1000;
		sm_rapl_feed(pair_b, 3000000, now_ms * SM_NSEC_PER_MSEC);
		sm_rapl_settle(&r);
	}
	ck_assert_uint_eq(r.exchanged, 1);
	pair_b->error = 0;
	both("intel-rapl:0", 8000000, 4000000);
	ck_assert_uint_eq(pair_b->covered_ns, 6 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(pair_a->covered_ns, 2 * SM_NSEC_PER_SEC);
	/* a twin that is held back itself is no help */
	both("intel-rapl:0", 9000000, 1);
	ck_assert_uint_eq(pair_a->held, 1);
	pair_b->error = -ENODEV;
	sm_rapl_settle(&r);
	pair_b->error = 0;
	pair_a->error = -ENODEV;
	pair_b->held = 1;
	sm_rapl_settle(&r);
	ck_assert_uint_eq(r.exchanged, 1);
	pair_b->held = 0;
	sm_rapl_settle(&r);
	ck_assert_uint_eq(r.exchanged, 2);
}
END_TEST

static void dies(void)
{
	add_zone("intel-rapl:0", "package-0-die-0");
	add_zone("intel-rapl:1", "package-0-die-1");
	pair_arrange();
	ck_assert_uint_eq(r.counted, 2);
}

static unsigned int mirrors(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r.n; i++)
		n += r.zone[i].why == SM_RAPL_MIRROR;
	return n;
}

START_TEST(mirrored_dies)
{
	dies();
	both("intel-rapl:0", RANGE - 120000000, RANGE - 119999600);
	ck_assert_uint_eq(mirrors(), 0);
	both("intel-rapl:0", RANGE - 60000000, RANGE - 59001000);
	ck_assert_uint_eq(mirrors(), 1);
	ck_assert_uint_eq(r.counted, 1);
	ck_assert_int_eq(pair_b->why, SM_RAPL_MIRROR);
	ck_assert_int_eq(pair_b->partner, 0);
	ck_assert_str_eq(pair_b->label, "pkg-0.1");
	/* over the wrap */
	both("intel-rapl:0", RANGE - 400000, 300000);
	ck_assert_uint_eq(mirrors(), 1);
	/* the first one fails: the other one stands for both */
	pair_a->error = -ENODEV;
	sm_rapl_settle(&r);
	ck_assert_str_eq(pair_a->id, "intel-rapl:1");
	ck_assert_int_eq(pair_a->why, SM_RAPL_COUNTED);
}
END_TEST

START_TEST(dies_on_their_own)
{
	dies();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", i * 60000000, 1000001 + i * 60000000);
	ck_assert_uint_eq(mirrors(), 0);
	/* none moves: nothing is known */
	pair_teardown();
	pair_setup();
	dies();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", 1000, 1000);
	ck_assert_uint_eq(mirrors(), 0);
}
END_TEST

/* Nearly equal at the start; then they part, and that is remembered. */
START_TEST(not_a_mirror_after_all)
{
	dies();
	both("intel-rapl:0", 0, 0);
	both("intel-rapl:0", 10000000, 10400000);
	ck_assert_uint_eq(mirrors(), 1);
	both("intel-rapl:0", 20000000, 20800000);
	ck_assert_uint_eq(mirrors(), 1);
	both("intel-rapl:0", 30000000, 31200000);
	ck_assert_uint_eq(mirrors(), 0);
	ck_assert_uint_eq(r.counted, 2);
	ck_assert_uint_eq(pair_b->energy_uj, 31200000);
	both("intel-rapl:0", 40000000, 40000000);
	both("intel-rapl:0", 50000000, 50000000);
	ck_assert_uint_eq(mirrors(), 0);
}
END_TEST

/* Small ones that begin at 0 together lie within a joule for a while, but move apart. */
START_TEST(from_zero_together)
{
	dies();
	for (uint64_t i = 0; i < 5; i++) {
		both("intel-rapl:0", i * 20000, i * 30000);
		ck_assert_uint_eq(mirrors(), 0);
	}
	for (uint64_t i = 0; i < 5; i++) {
		both("intel-rapl:0", 200000 + i * 200000, 300000 + i * 300000);
		ck_assert_uint_eq(mirrors(), 0);
	}
}
END_TEST

/* Two sockets with the same numbers are two sockets. */
static void equal_sockets(const char *name0, const char *name1)
{
	pair_teardown();
	pair_setup();
	add_zone("intel-rapl:0", name0);
	add_zone("intel-rapl:1", name1);
	pair_arrange();
	for (uint64_t i = 0; i < 5; i++)
		both("intel-rapl:0", i * 60000000, i * 60000000);
	ck_assert_uint_eq(mirrors(), 0);
	ck_assert_uint_eq(r.counted, 2);
}

START_TEST(sockets_are_no_mirrors)
{
	equal_sockets("package-0", "package-1");
	equal_sockets("package-0-die-0", "package-1-die-1");
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_counter(void)
{
	TCase *tc = tcase_create("counter");

	tcase_add_checked_fixture(tc, counter_setup, NULL);
	TEST(steady);
	TEST(wrap);
	TEST(wrap_of_unknown_range);
	TEST(no_wrap);
	TEST(back_and_bridged);
	TEST(back_for_good);
	TEST(up_and_back);
	TEST(one_zero);
	TEST(too_long_is_a_gap);
	TEST(time_stands_or_goes_back);
	return tc;
}

static TCase *tc_pairs(void)
{
	TCase *tc = tcase_create("pairs");

	tcase_add_checked_fixture(tc, pair_setup, pair_teardown);
	TEST(twins_alive);
	TEST(dead_from_the_start);
	TEST(dead_twin);
	TEST(dead_later);
	TEST(failing_lead);
	TEST(no_time_twice);
	TEST(mirrored_dies);
	TEST(dies_on_their_own);
	TEST(not_a_mirror_after_all);
	TEST(from_zero_together);
	TEST(sockets_are_no_mirrors);
	return tc;
}

UNIT_MAIN("rapl_counter", tc_counter, tc_pairs)
