// SPDX-License-Identifier: GPL-2.0-or-later
/* Jumps upwards: those that nothing can draw are in test_rapl_counter.c, here are those
 * that are only unlikely. */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "power/rapl.h"
#include "unit.h"

#define RANGE 65532610987 /* of a 7840HS, whose package may draw 54 W */
#define LIMIT (4 * UINT64_C(54000000))
#define J     UINT64_C(1000000)
#define NONE  UINT64_MAX

static struct sm_rapl_counter c;
static struct sm_rapl_sums s;
static uint64_t now_ms, sum_uj, sum_ms;

static void setup(void)
{
	s = (struct sm_rapl_sums){0};
	c = (struct sm_rapl_counter){
		.cap_uw = 2000000000, .range_uj = RANGE, .limit_uw = LIMIT};
	now_ms = 1000;
	sum_uj = sum_ms = 0;
}

/* A number after that time, and what a user of the sums gets: joules of so much time. */
static void after(uint64_t ms, uint64_t uj, uint64_t want_uj, uint64_t want_ms)
{
	uint64_t covered;

	now_ms += ms;
	sm_rapl_counter_feed(&c, &s, uj, now_ms * SM_NSEC_PER_MSEC);
	covered = s.covered_ns / SM_NSEC_PER_MSEC;
	ck_assert_uint_ge(s.energy_uj, sum_uj);
	ck_assert_uint_eq(covered - sum_ms, want_uj == NONE ? 0 : want_ms);
	ck_assert_uint_eq(s.energy_uj - sum_uj, want_uj == NONE ? 0 : want_uj);
	sum_uj = s.energy_uj;
	sum_ms = covered;
}

static void next(uint64_t uj, uint64_t want_uj, uint64_t want_ms)
{
	after(1000, uj, want_uj, want_ms);
}

/* 6 W for ten seconds, in the sixth 700 J too much. */
START_TEST(glitch_of_a_second)
{
	uint64_t uj = 5000 * J;

	next(uj, NONE, 0);
	for (int i = 1; i <= 10; i++) {
		uj += 6 * J;
		if (i == 6)
			next(uj + 700 * J, NONE, 0);
		else
			next(uj, i == 7 ? 12 * J : 6 * J, i == 7 ? 2000 : 1000);
	}
	ck_assert_uint_eq(s.energy_uj, 60 * J);
	ck_assert_uint_eq(s.glitches, 1);
	ck_assert_uint_eq(s.rebased, 0);
	ck_assert(c.highest_uw < LIMIT);
}
END_TEST

/* A machine that does draw it is asked once, and loses nothing. */
START_TEST(high_load)
{
	next(0, NONE, 0);
	next(6 * J, 6 * J, 1000);
	next(306 * J, NONE, 0);
	next(606 * J, 600 * J, 2000);
	next(906 * J, 300 * J, 1000);
	next(912 * J, 6 * J, 1000);
	next(1512 * J, 600 * J, 1000);
	ck_assert_uint_eq(s.glitches + s.rebased, 0);
}
END_TEST

START_TEST(high_load_of_a_second)
{
	next(0, NONE, 0);
	for (uint64_t i = 0; i < 3; i++) {
		next(i * 306 * J + 300 * J, NONE, 0);
		next(i * 306 * J + 306 * J, 306 * J, 2000);
	}
	ck_assert_uint_eq(s.glitches + s.rebased, 0);
}
END_TEST

/* Up to the limit, and in times in which a step of the counter is much of it. */
START_TEST(no_doubt)
{
	next(0, NONE, 0);
	next(LIMIT, LIMIT, 1000);
	after(49, LIMIT + 90 * J, 90 * J, 49);
	after(50, LIMIT + 101 * J, NONE, 0);
	setup();
	c.limit_uw = 0;
	next(0, NONE, 0);
	next(1999 * J, 1999 * J, 1000);
}
END_TEST

/* The first step above the limit is doubted if there is a constraint, though there is
 * nothing else to compare it with.  Without one, the step after it is compared with it.
 */
START_TEST(first_step)
{
	next(0, NONE, 0);
	next(LIMIT + J, NONE, 0);
	setup();
	c.limit_uw = 0;
	next(0, NONE, 0);
	next(20 * J, 20 * J, 1000);
	next(20 * J + 161 * J, NONE, 0); /* more than 8 times 20 W */
}
END_TEST

/* A jump of 3,000 J that stays is impossible in a second; it is in the next two, too. */
START_TEST(jump_that_stays)
{
	uint64_t uj = 5000 * J;

	next(uj, NONE, 0);
	next(uj += 10 * J, 10 * J, 1000);
	uj += 3000 * J;
	for (int i = 0; i < 3; i++)
		next(uj += 10 * J, NONE, 0);
	next(uj += 10 * J, 30 * J, 3000);
	next(uj += 10 * J, 10 * J, 1000);
	ck_assert_uint_eq(s.rebased, 1);
}
END_TEST

/* A reading soon after another one can have the energy of an update of the counter. */
START_TEST(update_in_a_short_time)
{
	uint64_t uj = 5000 * J;

	next(uj, NONE, 0);
	next(uj += 10 * J, 10 * J, 1000);
	after(1, uj += 3 * J, NONE, 0);
	after(999, uj += 7 * J, 10 * J, 1000);
	next(uj += 10 * J, 10 * J, 1000);
}
END_TEST

/* Doubted, and what comes then is neither there nor on the line. */
START_TEST(doubt_and_nonsense)
{
	next(5000 * J, NONE, 0);
	next(5706 * J, NONE, 0);
	next(4000 * J, NONE, 0);
	next(4006 * J, NONE, 0);
	next(4012 * J, 12 * J, 2000);
	next(4018 * J, 6 * J, 1000);
	ck_assert_uint_eq(s.glitches, 1);
	ck_assert_uint_eq(s.rebased, 1);
	/* over the wrap */
	setup();
	next(RANGE - 3 * J + 1, NONE, 0);
	next(703 * J, NONE, 0);
	next(9 * J, 12 * J, 2000);
	ck_assert_uint_eq(s.wraps, 1);
	ck_assert_uint_eq(s.glitches, 1);
}
END_TEST

/* No constraint: the highest power so far says what is unlikely. */
START_TEST(doubt_without_a_constraint)
{
	uint64_t uj = 5000 * J;

	c.limit_uw = 0;
	next(uj, NONE, 0);
	for (int i = 1; i <= 20; i++) {
		uj += 6 * J;
		next(i % 5 ? uj : uj + 700 * J,
			i % 5 ? (i > 5 && i % 5 == 1 ? 12 * J : 6 * J) : NONE,
			i > 5 && i % 5 == 1 ? 2000 : 1000);
	}
	ck_assert_uint_eq(s.glitches, 3); /* the last one is in doubt */
	ck_assert(c.doubt);
	next(uj + 6 * J, 12 * J, 2000);
	ck_assert_uint_eq(s.energy_uj, 126 * J);
	ck_assert_uint_eq(s.glitches, 4);
	ck_assert_uint_eq(s.rebased + s.retracted_uj, 0);
	/* 60 to 101 W, and a load of 101 to 800 W, are no jump */
	setup();
	c.limit_uw = 0;
	next(0, NONE, 0);
	next(13 * J, 13 * J, 1000);
	next(114 * J, 101 * J, 1000);
	next(914 * J, 800 * J, 1000);
}
END_TEST

/* 700 J in ten seconds are 76 W: believed.  But two readings that continue from before it
 * prove that it was wrong. */
START_TEST(believed_too_early)
{
	c.limit_uw = 0;
	next(5000 * J, NONE, 0);
	next(5006 * J, 6 * J, 1000);
	after(10000, 5766 * J, 760 * J, 10000);
	after(10000, 5126 * J, NONE, 0);
	ck_assert_uint_eq(s.retracted_uj, 0);
	after(10000, 5186 * J, 180 * J, 30000);
	ck_assert_uint_eq(s.retracted_uj, 760 * J);
	next(5192 * J, 6 * J, 1000);
	ck_assert_double_eq(c.highest_uw, 6e6);
	ck_assert_uint_eq(s.glitches, 1);
	ck_assert_uint_eq(s.rebased, 0);
}
END_TEST

/* 400 W, and 700 J back for a second: it lies between the last two, but they were right.
 */
START_TEST(back_between_the_last_two)
{
	c.limit_uw = 0;
	next(5000 * J, NONE, 0);
	next(5400 * J, 400 * J, 1000);
	next(5100 * J, NONE, 0);
	next(6200 * J, 800 * J, 2000);
	next(6600 * J, 400 * J, 1000);
	ck_assert_uint_eq(s.glitches, 1);
	ck_assert_uint_eq(s.rebased, 0);
}
END_TEST

/* The number before a new start says nothing of the one after it. */
START_TEST(line_of_before_a_new_start)
{
	c.limit_uw = 0;
	next(5000 * J, NONE, 0);
	next(5006 * J, 6 * J, 1000);
	c.has_base = false;
	next(5712 * J, NONE, 0);
	next(5018 * J, NONE, 0);
	next(5024 * J, NONE, 0);
	next(5030 * J, NONE, 0);
	next(5036 * J, 18 * J, 3000);
}
END_TEST

/* ---- duplicates ---- */

static struct sm_rapl r;

static void duplicates_setup(void)
{
	r = (struct sm_rapl){0};
	now_ms = 1000;
	ck_assert_int_eq(
		sm_rapl_zones_add(&r.zones, "intel-rapl-mmio:0", "package-0"), 0);
	ck_assert_int_eq(sm_rapl_zones_add(&r.zones, "intel-rapl:0", "package-0"), 0);
	sm_rapl_zones_arrange(&r.zones);
	for (int i = 0; i < 2; i++) {
		r.zones.at[i].counter.fd = 1000000; /* as if open */
		r.zones.at[i].counter.range_uj = RANGE;
	}
}

static void duplicates_teardown(void)
{
	r.zones.at[0].counter.fd = r.zones.at[1].counter.fd = -1;
	sm_rapl_close(&r);
}

/* By id, whatever the roles are. */
static void both(uint64_t ms, uint64_t msr_uj, uint64_t mmio_uj)
{
	now_ms += ms;
	for (int i = 0; i < 2; i++)
		sm_rapl_counter_feed(&r.zones.at[i].counter, &r.zones.at[i].sums,
			strcmp(r.zones.at[i].counter.id, "intel-rapl:0") == 0 ? msr_uj
									      : mmio_uj,
			now_ms * SM_NSEC_PER_MSEC);
	r.readings++;
	sm_rapl_zones_settle(&r.zones);
}

static void pair(uint64_t uj, uint64_t duplicate_uj)
{
	ck_assert_str_eq(r.zones.at[0].role.label, "pkg-0");
	ck_assert_uint_eq(r.zones.at[0].sums.energy_uj, uj);
	ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, duplicate_uj);
}

/* The column of the dead one has no figure, in the first row as in the others. */
START_TEST(dead_ones_sum)
{
	both(1000, 77, 1000);
	both(1000, 77, 1000 + 15 * J);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	pair(15 * J, 0);
	ck_assert_uint_eq(r.zones.at[1].sums.covered_ns, 0);
	both(1000, 77, 1000 + 30 * J);
	pair(30 * J, 0);
	ck_assert_uint_eq(r.zones.at[1].sums.covered_ns, 0);
}
END_TEST

/* Energy that was already counted is not taken back: sums never fall. */
START_TEST(dead_ones_sum_never_falls)
{
	both(1000, 77, 1000);
	both(20, 77, 1000 + J); /* too short to say that the other is dead */
	ck_assert_uint_eq(r.zones.exchanged, 0);
	pair(0, J);
	both(1000, 77, 1000 + 16 * J);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	pair(16 * J, J);
}
END_TEST

/* One in doubt is in the middle of something: it takes no other's place. */
START_TEST(no_exchange_in_doubt)
{
	r.zones.at[0].counter.limit_uw = r.zones.at[1].counter.limit_uw = LIMIT;
	both(1000, 0, 0);
	both(1000, 6 * J, 6 * J);
	both(1000, 12 * J, 712 * J);
	ck_assert_int_eq(r.zones.at[1].counter.held, 1);
	r.zones.at[0].counter.error = -ENODEV;
	sm_rapl_zones_settle(&r.zones);
	ck_assert_uint_eq(r.zones.exchanged, 0);
	both(1000, 18 * J, 18 * J);
	ck_assert_uint_eq(r.zones.exchanged, 1);
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_doubt(void)
{
	TCase *tc = tcase_create("doubt");

	tcase_add_checked_fixture(tc, setup, NULL);
	TEST(glitch_of_a_second);
	TEST(high_load);
	TEST(high_load_of_a_second);
	TEST(no_doubt);
	TEST(first_step);
	TEST(jump_that_stays);
	TEST(update_in_a_short_time);
	TEST(doubt_and_nonsense);
	TEST(doubt_without_a_constraint);
	TEST(believed_too_early);
	TEST(back_between_the_last_two);
	TEST(line_of_before_a_new_start);
	return tc;
}

static TCase *tc_dead_duplicate(void)
{
	TCase *tc = tcase_create("dead_duplicate");

	tcase_add_checked_fixture(tc, duplicates_setup, duplicates_teardown);
	TEST(dead_ones_sum);
	TEST(dead_ones_sum_never_falls);
	TEST(no_exchange_in_doubt);
	return tc;
}

UNIT_MAIN("rapl_doubt", tc_doubt, tc_dead_duplicate)
