// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat/sampler/exited.h"
#include "unit.h"

#define MS   INT64_C(1000000)
#define TICK (10 * MS)

static struct exited ex;
/* What look() reports, by pid. */
static struct exited_process looks[200];
static bool exact; /* times of those that reap are not in ticks */

static struct exited_process look(void *ctx, pid_t pid)
{
	(void)ctx;
	return pid > 0 && pid < 200 ? looks[pid] : (struct exited_process){0};
}

static void setup(void)
{
	ex = (struct exited){0};
	exact = false;
	for (int i = 0; i < 200; i++)
		looks[i] = (struct exited_process){.look = EXITED_DEAD};
}

static void teardown(void)
{
	exited_fini(&ex);
}

/* A process whose cutime grew by so much. */
static void reaps(pid_t pid, int64_t ns)
{
	struct exited_reaper *r = exited_reaper(&ex, pid, (uint32_t)pid, exact, 0);

	ck_assert_ptr_nonnull(r);
	r->ns += ns;
	looks[pid].look = EXITED_READ;
	looks[pid].exact = exact;
}

static void exited(pid_t pid, pid_t ppid, int64_t ns)
{
	ck_assert_int_eq(exited_add(&ex, pid, ppid, (uint64_t)ns), 0);
}

static void settle(void)
{
	exited_settle(&ex, look, NULL, TICK);
}

static int64_t of(pid_t pid)
{
	const struct exited_reaper *r = exited_find(&ex, pid);

	return r ? r->ns : 0;
}

/* A tick less is another child's time, and what no cutime got is not owed. */
START_TEST(exact_times_need_no_tolerance)
{
	exact = _i == 1;
	reaps(10, 195 * MS);
	reaps(5, 200 * MS);
	looks[10].ppid = 5;
	exited(20, 10, 0);
	exited(30, 20, 200 * MS);
	settle();
	ck_assert_int_eq(of(10), exact ? 195 * MS : -5 * MS);
	ck_assert_int_eq(of(5), exact ? 0 : 200 * MS);
	exited_next(&ex);
	reaps(10, 5 * MS);
	exited(40, 10, 15 * MS);
	settle();
	ck_assert_int_eq(of(10), exact ? 0 : -10 * MS);
}
END_TEST

START_TEST(unseen_child_is_whole)
{
	reaps(10, 300 * MS);
	settle();
	ck_assert_int_eq(of(10), 300 * MS);
}
END_TEST

START_TEST(seen_child_is_subtracted)
{
	reaps(10, 300 * MS);
	exited(50, 10, 200 * MS);
	exited(51, 10, 30 * MS);
	settle();
	ck_assert_int_eq(of(10), 70 * MS);
	exited_next(&ex);
	ck_assert_uint_eq(ex.n, 0);
	ck_assert_uint_eq(ex.nreapers, 0);
}
END_TEST

START_TEST(waits_for_the_parents_stat)
{
	exited(50, 10, 200 * MS);
	looks[10].look = EXITED_UNREAD;
	settle();
	exited_next(&ex);
	ck_assert_uint_eq(ex.n, 1);
	reaps(10, 250 * MS);
	settle();
	ck_assert_int_eq(of(10), 50 * MS);
	exited_next(&ex);
	ck_assert_uint_eq(ex.n, 0);
}
END_TEST

/* Then it is done with: memory does not grow. */
START_TEST(waits_three_samples)
{
	exited(50, 10, 200 * MS);
	looks[10].look = EXITED_UNREAD;
	for (int i = 0; i < 4; i++) {
		settle();
		ck_assert_uint_eq(ex.n, 1);
		exited_next(&ex);
	}
	ck_assert_uint_eq(ex.n, 0);
}
END_TEST

/* 10 -> 20 -> 30 -> 40: all but the first have exited. */
START_TEST(nearest_living_ancestor_inherits)
{
	exited(40, 30, 5 * TICK);
	exited(20, 10, 7 * TICK);
	exited(30, 20, 11 * TICK);
	reaps(10, 30 * TICK);
	settle();
	ck_assert_int_eq(of(10), 7 * TICK);
}
END_TEST

/* Parents in a circle, as reused pids can make them. */
START_TEST(circle_ends)
{
	exited(40, 30, 5 * TICK);
	exited(30, 40, 5 * TICK);
	exited(60, 60, 5 * TICK);
	settle();
	ck_assert_uint_eq(ex.n, 3);
}
END_TEST

/* 1 -> 10 -> 20 -> 30: 20 has exited, and whether it reaped 30 before is not known. */
static void orphan(int64_t reaped_by_10, int64_t reaped_by_1)
{
	looks[10].ppid = 1;
	reaps(1, reaped_by_1);
	reaps(10, reaped_by_10);
	exited(20, 10, 200 * MS);
	exited(30, 20, 500 * MS);
	settle();
}

/* The newly reaped time of each ancestor decides: 10 has reaped 20 alone, or both. */
START_TEST(orphan_goes_to_the_ancestor_that_has_its_time)
{
	orphan(203 * MS, 540 * MS);
	ck_assert_int_eq(of(10), 3 * MS);
	ck_assert_int_eq(of(1), 40 * MS);
}
END_TEST

START_TEST(reaped_by_its_parent_that_exited)
{
	orphan(710 * MS, 500 * MS);
	ck_assert_int_eq(of(10), 10 * MS);
	ck_assert_int_eq(of(1), 500 * MS);
}
END_TEST

/* 11 has reaped just as much, but it is no ancestor of 30. */
START_TEST(innocent_spawner_is_not_charged)
{
	reaps(11, 500 * MS);
	orphan(200 * MS, 0);
	ck_assert_int_eq(of(11), 500 * MS);
	ck_assert_int_eq(of(10), 0);
	ck_assert_int_eq(of(1), 0);
	exited_next(&ex);
	ck_assert_uint_eq(ex.n, 1); /* it waits */
}
END_TEST

/* Its reaper ran after its own clock was read: the next sample reads its stat. */
START_TEST(orphan_waits_for_the_ancestor_that_was_not_read)
{
	looks[10] = (struct exited_process){.look = EXITED_UNREAD, .ppid = 1};
	reaps(1, 400 * MS);
	exited(20, 10, 200 * MS);
	exited(30, 20, 500 * MS);
	settle();
	ck_assert_int_eq(of(1), 400 * MS);
	exited_next(&ex);
	reaps(1, 0);
	reaps(10, 750 * MS);
	settle();
	ck_assert_int_eq(of(10), 50 * MS);
	ck_assert_int_eq(of(1), 0);
}
END_TEST

START_TEST(ancestor_that_did_not_run_is_passed)
{
	looks[10] = (struct exited_process){.look = EXITED_UNREAD, .ppid = 1};
	exited(30, 20, 500 * MS);
	exited(20, 10, 0);
	reaps(1, 520 * MS);
	settle();
	ck_assert_int_eq(of(1), 20 * MS);
}
END_TEST

/* Two orphans that are alike: 1 has reaped the first, which 10 is charged for. */
START_TEST(orphan_is_divided)
{
	looks[10].ppid = 1;
	reaps(1, 60 * MS);
	reaps(10, 120 * MS);
	exited(20, 10, 0);
	exited(30, 20, 60 * MS);
	exited(31, 20, 120 * MS);
	settle();
	ck_assert_int_eq(of(1), 0);
	ck_assert_int_eq(of(10), 0);
}
END_TEST

/* 20 is found a zombie in this sample: it reaped 30 before, or 1 did after. */
static void zombie_parent(int64_t reaped_by_20, int64_t reaped_by_1)
{
	reaps(1, reaped_by_1);
	reaps(20, reaped_by_20);
	looks[20] = (struct exited_process){.look = EXITED_ZOMBIE, .ppid = 1};
	exited(30, 20, 500 * MS);
	settle();
}

START_TEST(zombie_reaped_before_it_exited)
{
	zombie_parent(510 * MS, 700 * MS);
	ck_assert_int_eq(of(20), 10 * MS);
	ck_assert_int_eq(of(1), 700 * MS);
}
END_TEST

START_TEST(zombie_left_its_child)
{
	zombie_parent(30 * MS, 700 * MS);
	ck_assert_int_eq(of(20), 30 * MS);
	ck_assert_int_eq(of(1), 200 * MS);
}
END_TEST

/* A zombie since an earlier sample reaps no more. */
START_TEST(old_zombie_is_passed)
{
	looks[20] = (struct exited_process){.look = EXITED_DEAD, .ppid = 1};
	reaps(1, 700 * MS);
	exited(30, 20, 500 * MS);
	settle();
	ck_assert_int_eq(of(1), 200 * MS);
	ck_assert_ptr_null(exited_find(&ex, 20));
}
END_TEST

/* What rows showed before the ticks of cutime had it. */
START_TEST(balance_of_the_sample_before)
{
	looks[10] = (struct exited_process){
		.look = EXITED_READ, .task = 7, .balance_ns = -15 * MS};
	exited(50, 10, 3 * MS);
	settle();
	ck_assert_int_eq(of(10), -18 * MS);
	ck_assert_uint_eq(exited_find(&ex, 10)->task, 7);
}
END_TEST

/* SIGCHLD ignored: nothing went into cutime. */
START_TEST(less_than_nothing_is_bounded)
{
	reaps(10, 0);
	exited(50, 10, 900 * MS);
	settle();
	ck_assert_int_eq(of(10), -2 * TICK);
}
END_TEST

START_TEST(nonsense_does_not_overflow)
{
	reaps(10, INT64_MIN / 4);
	for (int i = 0; i < 20; i++) {
		exited(50 + i, 10, INT64_MAX / 4);
		exited(80 + i, 50 + i, INT64_MAX / 4);
	}
	settle();
	ck_assert_int_ge(of(10), -2 * TICK);
	ck_assert_int_le(of(10), 0);
}
END_TEST

START_TEST(many_grow_and_are_kept_apart)
{
	for (int i = 1; i < 200; i++)
		reaps(i, i * TICK);
	for (int i = 1; i < 200; i++)
		ck_assert_int_eq(of(i), i * TICK);
	for (int i = 0; i < 1000; i++)
		exited(1000 + i, 1 + i % 199, TICK / 100);
	settle();
	ck_assert_int_eq(of(5), 5 * TICK - 6 * TICK / 100); /* i = 4, 203, ..., 999 */
	ck_assert_int_eq(of(1), TICK - 6 * TICK / 100);	    /* 0, 199, ..., 995 */
	ck_assert_int_eq(of(199), 199 * TICK - 5 * TICK / 100);
}
END_TEST

static TCase *tc_exited(void)
{
	TCase *tc = tcase_create("exited");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, unseen_child_is_whole);
	tcase_add_loop_test(tc, exact_times_need_no_tolerance, 0, 2);
	tcase_add_test(tc, seen_child_is_subtracted);
	tcase_add_test(tc, waits_for_the_parents_stat);
	tcase_add_test(tc, waits_three_samples);
	tcase_add_test(tc, nearest_living_ancestor_inherits);
	tcase_add_test(tc, circle_ends);
	tcase_add_test(tc, orphan_goes_to_the_ancestor_that_has_its_time);
	tcase_add_test(tc, reaped_by_its_parent_that_exited);
	tcase_add_test(tc, innocent_spawner_is_not_charged);
	tcase_add_test(tc, orphan_waits_for_the_ancestor_that_was_not_read);
	tcase_add_test(tc, ancestor_that_did_not_run_is_passed);
	tcase_add_test(tc, orphan_is_divided);
	tcase_add_test(tc, zombie_reaped_before_it_exited);
	tcase_add_test(tc, zombie_left_its_child);
	tcase_add_test(tc, old_zombie_is_passed);
	tcase_add_test(tc, balance_of_the_sample_before);
	tcase_add_test(tc, less_than_nothing_is_bounded);
	tcase_add_test(tc, nonsense_does_not_overflow);
	tcase_add_test(tc, many_grow_and_are_kept_apart);
	return tc;
}

UNIT_MAIN("exited", tc_exited)
