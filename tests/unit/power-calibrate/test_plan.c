// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "power-calibrate/plan.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct plan p;

static struct plan_want want(unsigned int cpus, unsigned int levels)
{
	return (struct plan_want){.cpus = cpus,
		.levels = levels,
		.test_ns = 20 * SEC,
		.interval_ns = SEC,
		.seed = 1};
}

static void make(const struct plan_want *w)
{
	plan_fini(&p);
	ck_assert_int_eq(plan_make(&p, w), 0);
}

static unsigned int times(unsigned int block, uint32_t ppm, unsigned int cpus)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < p.n; i++)
		n += p.test[i].block == block && p.test[i].ppm == ppm &&
		     p.test[i].cpus == cpus;
	return n;
}

/* --- which tests -------------------------------------------------------------------- */

START_TEST(each_block_has_each_test_once)
{
	struct plan_want w = want(2, 3);

	make(&w);
	ck_assert_uint_eq(p.blocks, 4);
	ck_assert_uint_eq(p.per_block, 5);
	ck_assert_uint_eq(p.n, 20);
	for (unsigned int b = 0; b < p.blocks; b++) {
		ck_assert_uint_eq(times(b, 0, 0), 1);
		for (unsigned int cpus = 1; cpus <= 2; cpus++) {
			ck_assert_uint_eq(times(b, 500000, cpus), 1);
			ck_assert_uint_eq(times(b, 1000000, cpus), 1);
		}
	}
	for (unsigned int i = 0; i < p.n; i++)
		ck_assert_uint_eq(p.test[i].block, i / p.per_block);
}
END_TEST

/* The sets of three types are each type alone and all CPUs, at each level; a set is a
 * range of the ordered CPUs. */
START_TEST(sets_by_type)
{
	static const unsigned int cpus[] = {2, 4, 1};
	static const struct plan_set sets[] = {{0, 2}, {2, 4}, {6, 1}, {0, 7}};
	struct plan_want w = want(7, 3);

	w.type_cpus = cpus;
	w.types = 3;
	make(&w);
	ck_assert_uint_eq(p.per_block, 1 + 2 * 4);
	ck_assert_uint_eq(p.counts, 1);
	ck_assert_uint_eq(p.count[0], 7);
	for (unsigned int s = 0; s < 4; s++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < p.n; i++) {
			const struct plan_test *t = &p.test[i];

			if (t->cpus != sets[s].cpus)
				continue;
			n++;
			ck_assert_uint_eq(t->first, sets[s].first);
			ck_assert_int_eq(plan_only_type(&p, t), s < 3 ? (int)s : -1);
			for (unsigned int k = 0; k < 8; k++)
				ck_assert_int_eq(plan_loads(t, k),
					k >= sets[s].first &&
						k < sets[s].first + sets[s].cpus);
		}
		ck_assert_uint_eq(n, 2 * p.blocks);
	}
	for (unsigned int k = 0; k < 7; k++)
		ck_assert_uint_eq(plan_type_of(&p, k), k < 2 ? 0 : k < 6 ? 1 : 2);
}
END_TEST

/* A slot is twice as long as the meter averages. */
START_TEST(a_meter_that_averages)
{
	struct plan_want w = want(2, 3);

	w.slow_ns = 10 * SEC;
	make(&w);
	ck_assert_uint_eq(p.blocks, 1);
	ck_assert_uint_eq(p.slot_ns, 20 * SEC);
	w.limit_ns = 60 * SEC;
	make(&w);
	ck_assert_uint_eq(p.slot_ns, 12 * SEC);
	w.limit_ns = 45 * SEC;
	plan_fini(&p);
	ck_assert_int_eq(plan_make(&p, &w), -E2BIG);
	ck_assert_uint_eq(p.total_ns, 50 * SEC);
}
END_TEST

START_TEST(levels_are_exact)
{
	struct plan_want w = want(1, 98);

	make(&w);
	/* The original's last level of 98 is 99 %. */
	ck_assert_uint_eq(times(0, 1000000, 1), 1);
	ck_assert_uint_eq(times(0, 10309, 1), 1); /* 1/97 */
}
END_TEST

/* Checks that the loads of one level in the blocks are in the range and all different. */
static void is_dithered(uint32_t ppm, unsigned int cpus, uint32_t low, uint32_t high)
{
	uint32_t load[PLAN_BLOCKS_MAX];
	unsigned int n = 0;

	for (unsigned int i = 0; i < p.n; i++) {
		if (p.test[i].ppm != ppm || p.test[i].cpus != cpus)
			continue;
		load[n] = plan_load(&p, &p.test[i]);
		ck_assert_uint_ge(load[n], low);
		ck_assert_uint_le(load[n], high);
		for (unsigned int k = 0; k < n; k++)
			ck_assert_uint_ge(
				load[k] > load[n] ? load[k] - load[n] : load[n] - load[k],
				(high - low) / 10);
		n++;
	}
	ck_assert_uint_eq(n, 4);
}

START_TEST(loads_differ_from_block_to_block)
{
	struct plan_want w = want(2, 5);

	make(&w);
	is_dithered(250000, 1, 200000, 300000);
	is_dithered(500000, 2, 450000, 550000);
	is_dithered(1000000, 1, 950000, 1000000);
	is_dithered(1000000, 2, 950000, 1000000);
	for (unsigned int i = 0; i < p.n; i++) {
		if (!p.test[i].ppm)
			ck_assert_uint_eq(plan_load(&p, &p.test[i]), 0);
		if (p.test[i].ppm == 1000000 && !p.test[i].block)
			ck_assert_uint_eq(plan_load(&p, &p.test[i]), 1000000);
	}
	/* Levels of 1 % are dithered by a quarter of that. */
	w.levels = 101;
	make(&w);
	is_dithered(10000, 1, 7500, 12500);
	is_dithered(1000000, 2, 997500, 1000000);
}
END_TEST

static void counts_are(const unsigned int *count, unsigned int n)
{
	ck_assert_uint_eq(p.counts, n);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_uint_eq(p.count[i], count[i]);
}

START_TEST(one_half_and_all_cpus)
{
	static const struct {
		unsigned int cpus, n, count[3];
	} t[] = {{1, 1, {1}}, {2, 2, {1, 2}}, {3, 3, {1, 2, 3}}, {4, 3, {1, 2, 4}},
		{128, 3, {1, 64, 128}}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct plan_want w = want(t[i].cpus, 2);

		make(&w);
		counts_are(t[i].count, t[i].n);
	}
}
END_TEST

START_TEST(threads_of_one_core_are_a_step)
{
	static const unsigned int hybrid[] = {1, 12, 16, 24}, smt4[] = {1, 4, 8, 12, 16};
	static const unsigned int step[] = {16}, steps4[] = {4, 8, 12};
	struct plan_want w = want(24, 5);
	uint64_t without;

	make(&w);
	without = p.total_ns;
	w.step = step;
	w.steps = 1;
	make(&w);
	counts_are(hybrid, 4);
	ck_assert_uint_gt(p.total_ns, without);
	w.keep_total = true;
	make(&w);
	counts_are(hybrid, 4);
	ck_assert_uint_le(p.total_ns, without);
	ck_assert_uint_ge(p.total_ns, without - without / 100);
	w.cpus = 16;
	w.step = steps4;
	w.steps = 3;
	make(&w);
	counts_are(smt4, 5);
	ck_assert_uint_le(p.total_ns, without);
	/* -e has them all anyway. */
	w.cpus = 4;
	w.every_count = true;
	w.step = (const unsigned int[]){2};
	w.steps = 1;
	make(&w);
	counts_are((const unsigned int[]){1, 2, 3, 4}, 4);
}
END_TEST

START_TEST(steps_beyond_the_limit_are_left_out)
{
	unsigned int step[2 * PLAN_COUNTS_MAX];
	struct plan_want w = want(100, 2);

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(step); i++)
		step[i] = 2 + i;
	w.step = step;
	w.steps = SM_ARRAY_SIZE(step);
	make(&w);
	ck_assert_uint_eq(p.counts, PLAN_COUNTS_MAX);
	ck_assert_uint_eq(p.count[PLAN_COUNTS_MAX - 1], 100);
	for (unsigned int i = 1; i < p.counts; i++)
		ck_assert_uint_lt(p.count[i - 1], p.count[i]);
}
END_TEST

START_TEST(every_count_up_to_a_limit)
{
	static const unsigned int four[] = {1, 2, 3, 4};
	struct plan_want w = want(4, 2);

	w.every_count = true;
	make(&w);
	counts_are(four, 4);
	w.cpus = 128;
	make(&w);
	ck_assert_uint_eq(p.counts, PLAN_COUNTS_MAX);
	ck_assert_uint_eq(p.count[0], 1);
	ck_assert_uint_eq(p.count[PLAN_COUNTS_MAX - 1], 128);
	w.cpus = 1;
	make(&w);
	counts_are(four, 1);
}
END_TEST

/* --- the order ---------------------------------------------------------------------- */

START_TEST(the_seed_decides_the_order)
{
	struct plan_want w = want(4, 11);
	struct plan_test first[128];
	size_t size;

	make(&w);
	ck_assert_uint_le(p.n, 128);
	size = p.n * sizeof(*p.test);
	memcpy(first, p.test, size);
	make(&w);
	ck_assert_mem_eq(first, p.test, size);
	w.seed = 2;
	make(&w);
	ck_assert_mem_ne(first, p.test, size);
}
END_TEST

/* Levels in ascending order would make drift a part of the slope. */
START_TEST(blocks_differ_in_order)
{
	struct plan_want w = want(4, 11);
	bool equal = true;

	make(&w);
	for (unsigned int i = 0; i < p.per_block; i++)
		equal &= p.test[i].ppm == p.test[p.per_block + i].ppm;
	ck_assert(!equal);
}
END_TEST

/* Returns the correlation of the load with time, over the tests that were done. */
static double correlation(unsigned int tests)
{
	double sum = 0, sx = 0, sxx = 0, st = 0, stt = 0, n = tests;

	for (unsigned int i = 0; i < tests; i++) {
		double x = p.test[i].ppm * 1e-6 * p.test[i].cpus;

		sum += x * i;
		sx += x;
		sxx += x * x;
		st += i;
		stt += (double)i * i;
	}
	return (sum - sx * st / n) / sqrt((sxx - sx * sx / n) * (stt - st * st / n));
}

START_TEST(the_load_leans_to_neither_end)
{
	for (unsigned int i = 0; i < 200; i++) {
		struct plan_want w = want(1 + i % 9, 3 + i % 5);

		w.seed = i + 1;
		make(&w);
		for (unsigned int b = 2; b <= p.blocks; b++)
			ck_assert_double_lt(fabs(correlation(b * p.per_block)), 0.12);
	}
}
END_TEST

/* --- the time ----------------------------------------------------------------------- */

START_TEST(the_default_takes_at_most_five_minutes)
{
	for (unsigned int cpus = 1; cpus <= 1024; cpus++) {
		struct plan_want w = want(cpus, 5);

		make(&w);
		ck_assert_uint_le(p.total_ns, 300 * SEC);
		ck_assert_uint_eq(p.total_ns, p.n * p.slot_ns);
	}
}
END_TEST

START_TEST(the_time_of_a_test_is_divided_among_blocks)
{
	struct plan_want w = want(1, 3);

	w.test_ns = 10 * SEC;
	make(&w);
	ck_assert_uint_eq(p.blocks, 2);
	ck_assert_uint_eq(p.slot_ns, 5 * SEC);
	w.settle_ns = 3 * SEC;
	make(&w);
	ck_assert_uint_eq(p.slot_ns, 8 * SEC);
	w.test_ns = 2 * SEC;
	make(&w);
	ck_assert_uint_eq(p.blocks, 1);
	ck_assert_uint_eq(p.slot_ns, 5 * SEC);
}
END_TEST

START_TEST(a_limit_shortens_tests_then_leaves_out_blocks)
{
	struct plan_want w = want(1, 3); /* 3 tests a block, 4 blocks of 5 s: 60 s */

	w.limit_ns = 60 * SEC;
	make(&w);
	ck_assert(!p.shortened);
	w.limit_ns = 36 * SEC;
	make(&w);
	ck_assert(p.shortened);
	ck_assert_uint_eq(p.blocks, 4);
	ck_assert_uint_eq(p.slot_ns, 3 * SEC);
	w.limit_ns = 18 * SEC;
	make(&w);
	ck_assert_uint_eq(p.blocks, 2);
	ck_assert_uint_eq(p.slot_ns, 3 * SEC);
}
END_TEST

START_TEST(a_limit_that_is_too_short_is_an_error)
{
	struct plan_want w = want(1, 3);

	w.limit_ns = 7 * SEC;
	plan_fini(&p);
	ck_assert_int_eq(plan_make(&p, &w), -E2BIG);
	ck_assert_uint_eq(p.total_ns, 3 * PLAN_SLOT_MIN_NS);
}
END_TEST

START_TEST(until_good_fills_the_limit)
{
	struct plan_want w = want(1, 3);

	w.until_good = true;
	w.limit_ns = 155 * SEC;
	make(&w);
	ck_assert_uint_eq(p.blocks, 10);
	ck_assert_uint_le(p.total_ns, w.limit_ns);
}
END_TEST

static TCase *tc_plan(void)
{
	TCase *tc = tcase_create("plan");

	tcase_add_test(tc, sets_by_type);
	tcase_add_test(tc, each_block_has_each_test_once);
	tcase_add_test(tc, a_meter_that_averages);
	tcase_add_test(tc, levels_are_exact);
	tcase_add_test(tc, loads_differ_from_block_to_block);
	tcase_add_test(tc, one_half_and_all_cpus);
	tcase_add_test(tc, threads_of_one_core_are_a_step);
	tcase_add_test(tc, steps_beyond_the_limit_are_left_out);
	tcase_add_test(tc, every_count_up_to_a_limit);
	tcase_add_test(tc, the_seed_decides_the_order);
	tcase_add_test(tc, blocks_differ_in_order);
	tcase_add_test(tc, the_load_leans_to_neither_end);
	tcase_add_test(tc, the_default_takes_at_most_five_minutes);
	tcase_add_test(tc, the_time_of_a_test_is_divided_among_blocks);
	tcase_add_test(tc, a_limit_shortens_tests_then_leaves_out_blocks);
	tcase_add_test(tc, a_limit_that_is_too_short_is_an_error);
	tcase_add_test(tc, until_good_fills_the_limit);
	return tc;
}

UNIT_MAIN("plan", tc_plan)
