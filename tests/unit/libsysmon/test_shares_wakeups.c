// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares of counters: wakecause's program of cpu_idle, run by BPF_PROG_TEST_RUN on sleeps
 * that tasks of several users have ended.
 */
#include "wakeprog_rig.h"

enum { USER = 4242, OTHER = 5252 };

/* Counts one sleep that a function call ended. */
static void count_call(uint64_t owner, uint32_t payer)
{
	cpu->phase = SM_WAKE_AWAKE;
	cpu->slept_ns = 100;
	cpu->cause = SM_WAKE_CALL;
	cpu->id = FUNCTION;
	cpu->owner.ids = owner;
	cpu->pays.payer = payer;
	idle(1);
}

/* Keys beyond the room of the map are counted by their cause. */
START_TEST(no_room)
{
	struct sm_wake_key key[ROOM];
	struct sm_wake_counts counts[ROOM];

	if (!permitted)
		return;
	shares->room = 100 * ROOM;
	for (uint32_t i = 1; i <= ROOM + 2; i++)
		count_call(sm_timer_ids((pid_t)i, (pid_t)i), USER);
	ck_assert_uint_eq(read_counts(key, counts), ROOM);
	ck_assert_uint_eq(cpu->lost[SM_WAKE_CALL].wakeups, 2);
	ck_assert_uint_eq(cpu->lost[SM_WAKE_CALL].slept_ns, 200);
}
END_TEST

/* Checks the numbers of counters of the payer, of those for all its tasks together, and
 * of their wake-ups. */
static void check_payer(
	uint32_t payer, uint32_t counters, uint32_t of_user, uint64_t wakeups)
{
	struct sm_wake_key key[ROOM];
	struct sm_wake_counts counts[ROOM];
	uint32_t n = read_counts(key, counts);

	for (uint32_t i = 0; i < n; i++) {
		if (counts[i].payer != payer)
			continue;
		counters--;
		of_user -= key[i].owner.ids == (SM_TIMER_OWNER_USER | payer);
		wakeups -= counts[i].wakeups;
	}
	ck_assert_uint_eq(counters, 0);
	ck_assert_uint_eq(of_user, 0);
	ck_assert_uint_eq(wakeups, 0);
}

/* One user has more tasks than there are counters: half of the room is used for single
 * tasks, and the tasks of another user have counters of their own. */
START_TEST(users_have_shares)
{
	if (!permitted)
		return;
	for (uint32_t i = 1; i <= 100; i++)
		count_call(sm_timer_ids((pid_t)i, (pid_t)i), USER);
	check_payer(USER, ROOM / 2 + 1, 1, 100);
	for (uint32_t i = 201; i <= 203; i++)
		count_call(sm_timer_ids((pid_t)i, (pid_t)i), OTHER);
	check_payer(OTHER, 3, 0, 3);
	count_call(SM_TIMER_OWNER_INTERRUPT, SM_SHARES_PAYER_UNKNOWN);
	check_payer(SM_SHARES_PAYER_UNKNOWN, 1, 0, 1);
	ck_assert_uint_eq(cpu->lost[SM_WAKE_CALL].wakeups, 0);
}
END_TEST

/* Any number of names of tasks that run first: beyond the payer's share they are others.
 */
START_TEST(names_have_shares)
{
	struct sm_wake_key key[ROOM];
	struct sm_wake_counts counts[ROOM];
	uint32_t n, others = 0;

	if (!permitted)
		return;
	for (uint32_t i = 1; i <= 100; i++) {
		cpu->woke = SM_WAKE_WOKE_TASK;
		snprintf(cpu->woke_comm, sizeof(cpu->woke_comm), "%u", i);
		count_call(SM_TIMER_OWNER_INTERRUPT, SM_SHARES_PAYER_UNKNOWN);
	}
	check_payer(SM_SHARES_PAYER_UNKNOWN, ROOM / 2 + 1, 0, 100);
	n = read_counts(key, counts);
	for (uint32_t i = 0; i < n; i++) {
		if (key[i].woke == SM_WAKE_WOKE_TASK)
			ck_assert_uint_eq(counts[i].wakeups, 1);
		else
			others += key[i].woke == SM_WAKE_WOKE_OTHERS &&
				  !key[i].woke_comm[0];
	}
	ck_assert_uint_eq(others, 1);
	count_call(sm_timer_ids(201, 201), OTHER);
	check_payer(OTHER, 1, 0, 1);
	ck_assert_uint_eq(cpu->lost[SM_WAKE_CALL].wakeups, 0);
}
END_TEST

/* A sender's counter is paid for by its user. */
START_TEST(a_sender_pays)
{
	struct sm_wake_counts counts;

	if (!permitted)
		return;
	ck_assert_int_eq(setresuid(USER, 0, 0), 0);
	cpu->phase = SM_WAKE_ASLEEP;
	cpu->entered_ns = LONG_AGO + 1;
	run(PROGRAM_WAKE_SEND, here, 0, FUNCTION);
	ck_assert_uint_eq(count(&counts).owner.ids, self());
	ck_assert_uint_eq(counts.payer, USER);
}
END_TEST

static TCase *tc_shares(void)
{
	TCase *tc = tcase_create("shares");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, no_room);
	tcase_add_test(tc, users_have_shares);
	tcase_add_test(tc, names_have_shares);
	tcase_add_test(tc, a_sender_pays);
	return tc;
}

UNIT_MAIN("shares_wakeups", tc_shares)
