// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "timers/timermodel.h"
#include "unit.h"

enum { FUNC = 0x1000, OTHER_FUNC = 0x2000, TIMER = 0x8000, ALICE = 100, BOB = 200 };

static struct sm_timermodel m;

static void setup(void)
{
	ck_assert_int_eq(sm_timermodel_init(&m), 0);
}

static void teardown(void)
{
	sm_timermodel_fini(&m);
}

/* A process of one thread is current on CPU 0. */
static struct sm_timer_event event(
	enum sm_timer_event_type type, uint64_t timer, pid_t current)
{
	return (struct sm_timer_event){.type = type,
		.time_ns = 5,
		.timer = timer,
		.func = FUNC,
		.tid = current,
		.tgid = current};
}

static struct sm_timer_counts *add(
	enum sm_timer_event_type type, uint64_t timer, pid_t current)
{
	struct sm_timer_event e = event(type, timer, current);

	return sm_timermodel_add(&m, &e);
}

/* While an interrupt is served that met this task. */
static struct sm_timer_counts *add_in_interrupt(
	enum sm_timer_event_type type, uint64_t timer, pid_t current)
{
	struct sm_timer_event e = event(type, timer, current);

	e.interrupt = true;
	return sm_timermodel_add(&m, &e);
}

static struct sm_timer_counts of(uint64_t owner, uint64_t func, enum sm_timer_kind kind)
{
	for (uint32_t i = 0; i < m.n; i++)
		if (m.key[i].owner.ids == owner && m.key[i].func == func &&
			m.key[i].kind == kind)
			return m.counts[i];
	return (struct sm_timer_counts){0};
}

static struct sm_timer_counts of_task(pid_t pid)
{
	return of(sm_timer_ids(pid, pid), FUNC, SM_TIMER_HR);
}

static void check(
	struct sm_timer_counts c, uint64_t starts, uint64_t expiries, uint64_t idle)
{
	ck_assert_uint_eq(c.starts, starts);
	ck_assert_uint_eq(c.expiries, expiries);
	ck_assert_uint_eq(c.idle, idle);
}

START_TEST(expiries_are_the_owners)
{
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER, BOB);
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER, 0);
	add(SM_TIMER_HR_START, TIMER, ALICE);
	check(of_task(ALICE), 3, 2, 1);
	ck_assert_uint_eq(m.n, 1);
	ck_assert_uint_eq(m.lost.owners + m.lost.events, 0);
}
END_TEST

START_TEST(owner_changes)
{
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_START, TIMER, BOB);
	add(SM_TIMER_HR_EXPIRE, TIMER, ALICE);
	check(of_task(ALICE), 1, 0, 0);
	check(of_task(BOB), 1, 1, 0);
}
END_TEST

START_TEST(threads_are_apart)
{
	struct sm_timer_event e = event(SM_TIMER_HR_START, TIMER, ALICE);

	e.tid = ALICE + 1;
	sm_timermodel_add(&m, &e);
	add(SM_TIMER_HR_START, TIMER + 1, ALICE);
	ck_assert_uint_eq(m.n, 2);
	check(of(sm_timer_ids(ALICE, ALICE + 1), FUNC, SM_TIMER_HR), 1, 0, 0);
	check(of_task(ALICE), 1, 0, 0);
	ck_assert_int_eq(sm_timer_tid(m.key[0].owner), ALICE + 1);
	ck_assert_int_eq(sm_timer_tgid(m.key[0].owner), ALICE);
}
END_TEST

START_TEST(births_are_apart)
{
	struct sm_timer_event e = event(SM_TIMER_HR_START, TIMER, ALICE);

	e.birth = 7;
	sm_timermodel_add(&m, &e);
	e.birth = 8;
	e.timer++;
	sm_timermodel_add(&m, &e);
	add(SM_TIMER_HR_EXPIRE, TIMER, BOB);
	ck_assert_uint_eq(m.n, 2);
	ck_assert_uint_eq(m.key[0].owner.birth, 7);
	check(m.counts[0], 1, 1, 0);
	ck_assert_uint_eq(m.key[1].owner.birth, 8);
	check(m.counts[1], 1, 0, 0);
}
END_TEST

/* By the callback, or by another interrupt, with whatever task as current. */
START_TEST(interrupts_keep_the_owner)
{
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER, BOB);
	ck_assert_ptr_null(add_in_interrupt(SM_TIMER_HR_START, TIMER, BOB));
	add(SM_TIMER_HR_EXPIRE, TIMER, 0);
	ck_assert_ptr_null(add_in_interrupt(SM_TIMER_HR_START, TIMER, 0));
	check(of_task(ALICE), 3, 2, 1);
	ck_assert_uint_eq(m.n, 1);
}
END_TEST

/* Until a task arms it. */
START_TEST(interrupts_own_what_they_arm)
{
	ck_assert_ptr_null(add_in_interrupt(SM_TIMER_HR_START, TIMER, ALICE));
	add(SM_TIMER_HR_EXPIRE, TIMER, ALICE);
	check(of(SM_TIMER_OWNER_INTERRUPT, FUNC, SM_TIMER_HR), 1, 1, 0);
	check(of_task(ALICE), 0, 0, 0);
	add(SM_TIMER_HR_START, TIMER, BOB);
	add_in_interrupt(SM_TIMER_HR_START, TIMER, ALICE);
	check(of_task(BOB), 2, 0, 0);
	ck_assert_uint_eq(m.n, 2);
}
END_TEST

START_TEST(other_task_takes_over)
{
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER, ALICE);
	add(SM_TIMER_HR_START, TIMER, BOB);
	add(SM_TIMER_HR_EXPIRE, TIMER, ALICE);
	check(of_task(ALICE), 1, 1, 0);
	check(of_task(BOB), 1, 1, 0);
}
END_TEST

START_TEST(unknown_until_armed)
{
	add(SM_TIMER_HR_EXPIRE, TIMER, 0);
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER, 0);
	check(of(SM_TIMER_OWNER_UNKNOWN, FUNC, SM_TIMER_HR), 0, 1, 1);
	check(of_task(ALICE), 1, 1, 1);
}
END_TEST

START_TEST(kinds_and_callbacks)
{
	struct sm_timer_event e = event(SM_TIMER_WHEEL_START, TIMER, ALICE);
	const uint64_t alice = sm_timer_ids(ALICE, ALICE);

	e.wheel_flags = SM_TIMER_FLAG_DEFERRABLE | 0x40001;
	sm_timermodel_add(&m, &e);
	add(SM_TIMER_WHEEL_EXPIRE, TIMER, BOB); /* without flags: the owner's kind */
	check(of(alice, FUNC, SM_TIMER_DEFERRABLE), 1, 1, 0);
	e.wheel_flags = 0x40001;
	e.func = OTHER_FUNC;
	sm_timermodel_add(&m, &e);
	add(SM_TIMER_WHEEL_EXPIRE, TIMER, BOB);
	check(of(alice, OTHER_FUNC, SM_TIMER_WHEEL), 1, 1, 0);
	add(SM_TIMER_WHEEL_EXPIRE, TIMER + 8, BOB);
	check(of(SM_TIMER_OWNER_UNKNOWN, FUNC, SM_TIMER_WHEEL), 0, 1, 0);
}
END_TEST

/* What an expiry lacks is known from the start by the callback. */
START_TEST(kind_without_owner)
{
	struct sm_timer_event e = event(SM_TIMER_WHEEL_START, TIMER, BOB);

	e.wheel_flags = SM_TIMER_FLAG_DEFERRABLE;
	e.interrupt = true;
	for (int i = 0; i < 3; i++) {
		add(SM_TIMER_WHEEL_EXPIRE, TIMER, BOB);
		sm_timermodel_add(&m, &e);
	}
	check(of(SM_TIMER_OWNER_UNKNOWN, FUNC, SM_TIMER_WHEEL), 0, 1, 0);
	check(of(SM_TIMER_OWNER_INTERRUPT, FUNC, SM_TIMER_DEFERRABLE), 3, 2, 0);
}
END_TEST

START_TEST(names_are_those_of_who_arms)
{
	struct sm_timer_counts *c = add(SM_TIMER_HR_START, TIMER, ALICE);

	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(c->seen_ns, 5);
	ck_assert_str_eq(c->comm, "");
	ck_assert_ptr_eq(add(SM_TIMER_HR_START, TIMER, ALICE), c);
	ck_assert_ptr_null(add(SM_TIMER_HR_EXPIRE, TIMER, 0));
	ck_assert_ptr_null(add(SM_TIMER_HR_EXPIRE, TIMER + 1, 0)); /* unknown */
	ck_assert_ptr_null(add_in_interrupt(SM_TIMER_HR_START, TIMER + 1, 0));
	ck_assert_ptr_nonnull(add(SM_TIMER_HR_START, TIMER + 2, 0)); /* the idle task */
}
END_TEST

START_TEST(timers_one_by_one)
{
	m.by_timer = true;
	add(SM_TIMER_HR_START, TIMER, ALICE);
	add(SM_TIMER_HR_START, TIMER + 1, ALICE);
	add(SM_TIMER_HR_EXPIRE, TIMER + 1, 0);
	add(SM_TIMER_HR_EXPIRE, TIMER + 2, 0);
	ck_assert_uint_eq(m.n, 3);
	for (uint64_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(m.key[i].timer, TIMER + i);
		ck_assert_uint_eq(m.counts[i].starts, i < 2);
		ck_assert_uint_eq(m.counts[i].expiries, i > 0);
	}
	ck_assert_uint_eq(m.key[2].owner.ids, SM_TIMER_OWNER_UNKNOWN);
}
END_TEST

START_TEST(deleted)
{
	struct sm_timer_counts rest;
	struct sm_timer_key key;

	for (pid_t pid = 1; pid <= 3; pid++)
		for (pid_t i = 0; i < pid; i++)
			add(SM_TIMER_HR_START, TIMER + (uint64_t)pid, pid);
	key = m.key[0];
	ck_assert_int_eq(sm_timermodel_delete(&m, &key, &rest), 0);
	ck_assert_uint_eq(rest.starts, 1);
	ck_assert_int_eq(sm_timermodel_delete(&m, &key, &rest), -ENOENT);
	ck_assert_uint_eq(m.n, 2);
	check(of_task(1), 0, 0, 0);
	check(of_task(2), 2, 0, 0);
	check(of_task(3), 3, 0, 0);
	add(SM_TIMER_HR_START, TIMER + 3, 3);
	check(of_task(3), 4, 0, 0);
	ck_assert_ptr_nonnull(add(SM_TIMER_HR_START, TIMER + 1, 1));
	check(of_task(1), 1, 0, 0);
	ck_assert_uint_eq(m.n, 3);
}
END_TEST

START_TEST(full)
{
	const pid_t max = SM_TIMER_COUNTERS_MAX;
	struct sm_timer_counts rest;
	struct sm_timer_key first;

	for (pid_t pid = 1; pid <= max + 10; pid++)
		add(SM_TIMER_HR_START, TIMER, pid);
	ck_assert_uint_eq(m.n, (uint32_t)max);
	ck_assert_uint_eq(m.lost.events, 10);
	ck_assert_uint_eq(m.lost.owners, 0);
	first = m.key[0];
	ck_assert_int_eq(sm_timermodel_delete(&m, &first, &rest), 0);
	add(SM_TIMER_HR_START, TIMER, max + 1);
	ck_assert_uint_eq(m.lost.events, 10);
	check(of_task(max + 1), 1, 0, 0);
}
END_TEST

START_TEST(full_of_owners)
{
	const uint64_t max = SM_TIMER_OWNERS_MAX;

	for (uint64_t i = 0; i < max + 10; i++)
		add(SM_TIMER_HR_START, TIMER + 64 * i, ALICE);
	ck_assert_uint_eq(m.lost.owners, max);
	ck_assert_uint_eq(m.lost.events, 0);
	add(SM_TIMER_HR_EXPIRE, TIMER + 64 * max, BOB);
	add(SM_TIMER_HR_EXPIRE, TIMER + 64 * (max - 1), BOB); /* forgotten */
	check(of_task(ALICE), max + 10, 1, 0);
	check(of(SM_TIMER_OWNER_UNKNOWN, FUNC, SM_TIMER_HR), 0, 1, 0);
}
END_TEST

static TCase *tc_rules(void)
{
	TCase *tc = tcase_create("rules");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, expiries_are_the_owners);
	tcase_add_test(tc, owner_changes);
	tcase_add_test(tc, threads_are_apart);
	tcase_add_test(tc, births_are_apart);
	tcase_add_test(tc, interrupts_keep_the_owner);
	tcase_add_test(tc, interrupts_own_what_they_arm);
	tcase_add_test(tc, other_task_takes_over);
	tcase_add_test(tc, unknown_until_armed);
	tcase_add_test(tc, kinds_and_callbacks);
	tcase_add_test(tc, timers_one_by_one);
	tcase_add_test(tc, kind_without_owner);
	tcase_add_test(tc, names_are_those_of_who_arms);
	return tc;
}

static TCase *tc_bounds(void)
{
	TCase *tc = tcase_create("bounds");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, deleted);
	tcase_add_test(tc, full);
	tcase_add_test(tc, full_of_owners);
	return tc;
}

UNIT_MAIN("timermodel", tc_rules, tc_bounds)
