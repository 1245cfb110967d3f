// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/duty.h"
#include "unit.h"

#define MS     SM_NSEC_PER_MSEC
#define FROM   UINT64_C(7000000123)
#define CPU    UINT64_C(55000)
#define PPM(p) ((uint32_t)((p)*10000.0 + 0.5)) /* of a percentage */

/* Values by hand, and one by a calculator with 128 bits: 123456789012345678 * 999999 /
 * 10^6. */
START_TEST(shares)
{
	ck_assert_uint_eq(sm_duty_share_ns(0, SM_DUTY_FULL), 0);
	ck_assert_uint_eq(sm_duty_share_ns(8000000000, PPM(58.4)), 4672000000);
	ck_assert_uint_eq(sm_duty_share_ns(999999, 1), 0);
	ck_assert_uint_eq(sm_duty_share_ns(1000000, 1), 1);
	ck_assert_uint_eq(sm_duty_share_ns(UINT64_MAX, SM_DUTY_FULL), UINT64_MAX);
	ck_assert_uint_eq(sm_duty_share_ns(UINT64_C(123456789012345678), 999999),
		123456665555556665);
}
END_TEST

/* The header's example. */
START_TEST(one_period)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, PPM(25), 0, FROM, CPU);
	ck_assert_uint_eq(
		sm_duty_next(&d, FROM + 21 * MS, CPU + 5 * MS, &until), 2 * MS + MS / 2);
	ck_assert_uint_eq(until, 0);
	/* done: until the next period */
	ck_assert_uint_eq(sm_duty_next(&d, FROM + 24 * MS, CPU + 7500 * 1000, &until), 0);
	ck_assert_uint_eq(until, FROM + 30 * MS);
	/* 40 us too much: the next period has so much less */
	ck_assert_uint_eq(
		sm_duty_next(&d, FROM + 30 * MS, CPU + 7540 * 1000, &until), 2460 * 1000);
	ck_assert_uint_eq(d.shed_ns, 0);
}
END_TEST

START_TEST(before_the_start)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, PPM(50), 0, FROM, CPU);
	ck_assert_uint_eq(sm_duty_next(&d, FROM - 1, CPU, &until), 0);
	ck_assert_uint_eq(until, FROM);
}
END_TEST

START_TEST(zero_sleeps_for_ever)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, 0, 0, FROM, CPU);
	ck_assert_uint_eq(sm_duty_next(&d, FROM + 99 * MS, CPU, &until), 0);
	ck_assert_uint_eq(until, SM_DUTY_NEVER);
}
END_TEST

START_TEST(limits_of_the_parameters)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, 5 * SM_DUTY_FULL, 3 * MS, 0, 0);
	ck_assert_uint_eq(d.ppm, SM_DUTY_FULL);
	ck_assert_uint_eq(sm_duty_next(&d, 4 * MS, 4 * MS, &until), 2 * MS);
	sm_duty_start(&d, 1, 0, 0, 0);
	ck_assert_uint_eq(d.period_ns, 10 * MS);
}
END_TEST

/* What was used too much lasts for several periods: one sleep, not a wake-up in each. */
START_TEST(credit_is_slept_off_at_once)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, PPM(1), 0, FROM, CPU);
	/* 0.45 ms used, 0.1 ms a period: the fifth period, 40 to 50 ms, is the first with
	 * more */
	ck_assert_uint_eq(sm_duty_next(&d, FROM + MS, CPU + 450 * 1000, &until), 0);
	ck_assert_uint_eq(until, FROM + 40 * MS);
	ck_assert_uint_eq(sm_duty_next(&d, until, CPU + 450 * 1000, &until), 50 * 1000);
}
END_TEST

START_TEST(debt_is_made_up_for)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, PPM(90), 0, FROM, CPU);
	/* 450 ms did not come: all of it is still due, and the period's share */
	ck_assert_uint_eq(sm_duty_next(&d, FROM + 500 * MS, CPU, &until), 459 * MS);
	ck_assert_uint_eq(d.shed_ns, 0);
}
END_TEST

START_TEST(debt_is_limited)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, PPM(50), 0, FROM, CPU);
	/* 5000 ms are due, 1000 were given: 500 remain */
	ck_assert_uint_eq(
		sm_duty_next(&d, FROM + 10000 * MS, CPU + 1000 * MS, &until), 505 * MS);
	ck_assert_uint_eq(d.shed_ns, 3500 * MS);
	/* no more is written off while it runs */
	ck_assert_uint_eq(
		sm_duty_next(&d, FROM + 10010 * MS, CPU + 1010 * MS, &until), 500 * MS);
	ck_assert_uint_eq(d.shed_ns, 3500 * MS);
}
END_TEST

/* CPU time that began below what is written off. */
START_TEST(written_off_beyond_the_first_value)
{
	struct sm_duty d;
	uint64_t until = 0;

	sm_duty_start(&d, SM_DUTY_FULL, 0, 0, 0);
	ck_assert_uint_eq(sm_duty_next(&d, 3600 * SM_NSEC_PER_SEC, 0, &until), 510 * MS);
	ck_assert_uint_eq(d.shed_ns, 3600 * SM_NSEC_PER_SEC - 500 * MS);
}
END_TEST

/*
 * A machine in numbers: a run overshoots by up to 37 us, a sleep ends up to 90 us late
 * and costs 6 us, and in the second half another task takes the CPU for 3 ms of every 8
 * ms.  Used is what was asked for, within what one period can be ahead and one
 * interruption behind.
 */
struct machine {
	uint64_t now, cpu, seed;
	bool disturbed;
};

static uint64_t below(struct machine *m, uint64_t n)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (m->seed >> 33) % n;
}

static void run(struct machine *m, uint64_t ns)
{
	ns = (ns < MS / 4 ? ns : MS / 4) + below(m, 37000);
	if (m->disturbed && m->now % (8 * MS) < 3 * MS)
		m->now += 3 * MS - m->now % (8 * MS);
	m->cpu += ns;
	m->now += ns;
}

static void sleep_until(struct machine *m, uint64_t until)
{
	ck_assert_uint_gt(until, m->now);
	m->now = until + below(m, 90000);
	m->cpu += 6000;
	m->now += 6000;
}

static void simulate(double percent, bool disturbed)
{
	struct machine m = {.now = FROM, .cpu = CPU, .seed = 42, .disturbed = disturbed};
	struct sm_duty d;

	sm_duty_start(&d, PPM(percent), 0, FROM, CPU);
	while (m.now < FROM + 8000 * MS) {
		uint64_t until, ns = sm_duty_next(&d, m.now, m.cpu, &until);
		double asked, given;

		if (ns)
			run(&m, ns);
		else
			sleep_until(&m, until);
		if (m.now < FROM + 500 * MS)
			continue;
		asked = (double)(m.now - FROM) * percent / 100;
		given = (double)(m.cpu - CPU);
		ck_assert_msg(given <= asked + percent / 100 * 10e6 + 50e3 &&
				      given >= asked - 3.5e6,
			"%g %%: %g ms for %g ms at %g ms", percent, given / 1e6,
			asked / 1e6, (double)(m.now - FROM) / 1e6);
	}
	ck_assert_uint_eq(d.shed_ns, 0);
}

START_TEST(simulated)
{
	static const double percent[] = {
		0.05, 0.5, 1, 2.5, 10, 25, 33.3333, 50, 58.4, 60, 75, 90};

	for (size_t i = 0; i < SM_ARRAY_SIZE(percent); i++) {
		simulate(percent[i], false);
		if (percent[i] <= 60)
			simulate(percent[i], true);
	}
}
END_TEST

static TCase *tc_duty(void)
{
	TCase *tc = tcase_create("duty");

	tcase_add_test(tc, shares);
	tcase_add_test(tc, one_period);
	tcase_add_test(tc, before_the_start);
	tcase_add_test(tc, zero_sleeps_for_ever);
	tcase_add_test(tc, limits_of_the_parameters);
	tcase_add_test(tc, credit_is_slept_off_at_once);
	tcase_add_test(tc, debt_is_made_up_for);
	tcase_add_test(tc, debt_is_limited);
	tcase_add_test(tc, written_off_beyond_the_first_value);
	tcase_add_test(tc, simulated);
	return tc;
}

UNIT_MAIN("duty", tc_duty)
