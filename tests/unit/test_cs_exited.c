// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat/exited.h"
#include "unit.h"

#define MS   INT64_C(1000000)
#define TICK (10 * MS)
#define CAP  (2000 * MS) /* two CPUs, one second */

static struct exited ex;
/* What look() says, by pid. */
static enum exited_look looks[200];

static enum exited_look look(void *ctx, pid_t pid)
{
	(void)ctx;
	return pid > 0 && pid < 200 ? looks[pid] : EXITED_DEAD;
}

static void setup(void)
{
	ex = (struct exited){0};
	for (int i = 0; i < 200; i++)
		looks[i] = EXITED_DEAD;
}

static void teardown(void)
{
	exited_fini(&ex);
}

/* A process whose cutime grew by so much. */
static void reaps(pid_t pid, int64_t ns)
{
	struct exited_reaper *r = exited_reaper(&ex, pid, (uint32_t)pid);

	ck_assert_ptr_nonnull(r);
	r->ns += ns;
	looks[pid] = EXITED_READ;
}

static void gone(pid_t pid, pid_t ppid, int64_t ns)
{
	ck_assert_int_eq(exited_add_gone(&ex, pid, ppid, (uint64_t)ns), 0);
}

static void settle(void)
{
	exited_settle(&ex, look, NULL, TICK, CAP, INT64_MAX);
}

static int64_t of(pid_t pid)
{
	const struct exited_reaper *r = exited_find(&ex, pid);

	return r ? r->ns : 0;
}

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
	gone(50, 10, 200 * MS);
	gone(51, 10, 30 * MS);
	settle();
	ck_assert_int_eq(of(10), 70 * MS);
	exited_next(&ex);
	ck_assert_uint_eq(ex.ngone, 0);
	ck_assert_uint_eq(ex.nreapers, 0);
}
END_TEST

START_TEST(waits_for_the_parents_stat)
{
	gone(50, 10, 200 * MS);
	looks[10] = EXITED_UNREAD;
	settle();
	exited_next(&ex);
	ck_assert_uint_eq(ex.ngone, 1);
	reaps(10, 250 * MS);
	settle();
	ck_assert_int_eq(of(10), 50 * MS);
	exited_next(&ex);
	ck_assert_uint_eq(ex.ngone, 0);
}
END_TEST

/* Then it is done with: memory does not grow. */
START_TEST(waits_three_samples)
{
	gone(50, 10, 200 * MS);
	looks[10] = EXITED_UNREAD;
	for (int i = 0; i < 4; i++) {
		settle();
		ck_assert_uint_eq(ex.ngone, 1);
		exited_next(&ex);
	}
	ck_assert_uint_eq(ex.ngone, 0);
}
END_TEST

/* 10 -> 20 -> 30 -> 40: all but the first have gone. */
START_TEST(nearest_living_ancestor_inherits)
{
	gone(40, 30, 5 * TICK);
	gone(20, 10, 7 * TICK);
	gone(30, 20, 11 * TICK);
	reaps(10, 30 * TICK);
	settle();
	ck_assert_int_eq(of(10), 7 * TICK);
}
END_TEST

/* Parents in a circle, as reused pids can make them. */
START_TEST(circle_ends)
{
	gone(40, 30, 5 * TICK);
	gone(30, 40, 5 * TICK);
	gone(60, 60, 5 * TICK);
	settle();
	ck_assert_uint_eq(ex.ngone, 3);
}
END_TEST

/* The parent is not known: who has got just that much had it. */
START_TEST(unknown_parent_is_found_by_fit)
{
	reaps(10, 900 * MS);
	reaps(11, 400 * MS);
	reaps(12, 100 * MS);
	gone(50, 0, 395 * MS);
	settle();
	ck_assert_int_eq(of(10), 900 * MS);
	ck_assert_int_eq(of(11), 5 * MS);
	ck_assert_int_eq(of(12), 100 * MS);
}
END_TEST

/* The grandparent was thought to have it, but it went to init. */
START_TEST(surplus_of_orphans_is_passed_on)
{
	reaps(1, 500 * MS);
	reaps(10, 200 * MS);
	gone(20, 10, 200 * MS); /* the parent */
	gone(30, 20, 500 * MS); /* the orphan */
	settle();
	ck_assert_int_eq(of(10), 0);
	ck_assert_int_eq(of(1), 0);
}
END_TEST

START_TEST(impossible_figure_is_none)
{
	reaps(10, CAP + 2 * TICK);
	reaps(11, CAP + 2 * TICK + 1);
	settle();
	ck_assert_int_eq(of(10), CAP + 2 * TICK);
	ck_assert_int_eq(of(11), 0);
}
END_TEST

/* SIGCHLD ignored: nothing went into cutime. */
START_TEST(less_than_nothing_is_bounded)
{
	reaps(10, 0);
	gone(50, 10, 900 * MS);
	settle();
	ck_assert_int_eq(of(10), -2 * TICK);
}
END_TEST

/* What it had reaped before was not known: its children's time is in that. */
START_TEST(first_look_explains_its_children)
{
	gone(50, 10, 900 * MS);
	looks[10] = EXITED_BASED;
	settle();
	ck_assert_ptr_null(exited_find(&ex, 10));
	exited_next(&ex);
	ck_assert_uint_eq(ex.ngone, 0);
}
END_TEST

START_TEST(nonsense_does_not_overflow)
{
	reaps(10, INT64_MIN / 4);
	for (int i = 0; i < 20; i++) {
		gone(50 + i, 10, INT64_MAX / 4);
		gone(80 + i, 50 + i, INT64_MAX / 4);
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
		gone(1000 + i, 1 + i % 199, TICK / 100);
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
	tcase_add_test(tc, seen_child_is_subtracted);
	tcase_add_test(tc, waits_for_the_parents_stat);
	tcase_add_test(tc, waits_three_samples);
	tcase_add_test(tc, nearest_living_ancestor_inherits);
	tcase_add_test(tc, circle_ends);
	tcase_add_test(tc, unknown_parent_is_found_by_fit);
	tcase_add_test(tc, surplus_of_orphans_is_passed_on);
	tcase_add_test(tc, impossible_figure_is_none);
	tcase_add_test(tc, less_than_nothing_is_bounded);
	tcase_add_test(tc, first_look_explains_its_children);
	tcase_add_test(tc, nonsense_does_not_overflow);
	tcase_add_test(tc, many_grow_and_are_kept_apart);
	return tc;
}

UNIT_MAIN("cs_exited", tc_exited)
