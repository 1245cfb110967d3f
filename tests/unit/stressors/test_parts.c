// SPDX-License-Identifier: GPL-2.0-or-later
/* Rounds of a table of calls: what is left out, what is a failure, and what the result
 * has of it. */
#include <errno.h>

#include "stressors/run/parts.h"
#include "unit.h"

static struct stress_board board;
static struct stress_slot slot;
static struct stress s;
static struct parts p;
static unsigned int calls[2];
static int gives[2];	  /* what the two parts return */
static unsigned int from; /* the round, from 0, since which they do; 0 before it */

static void set_up(void)
{
	memset(&board, 0, sizeof(board));
	memset(&slot, 0, sizeof(slot));
	memset(calls, 0, sizeof(calls));
	memset(gives, 0, sizeof(gives));
	from = 0;
	s = (struct stress){.board = &board, .slot = &slot, .ops_max = 3};
}

static int give(unsigned int i, struct parts *parts)
{
	calls[i]++;
	return parts->rounds >= from ? gives[i] : 0;
}

static int first(struct parts *parts)
{
	return give(0, parts);
}

static int second(struct parts *parts)
{
	return give(1, parts);
}

static const struct part two[] = {
	{"FIRST", first, .absent = {EPERM, EINVAL}},
	{"SECOND", second, .absent = {0}},
	{0},
};

static int rounds(const struct part *table)
{
	parts_init(&p, &s, table);
	return parts_run(&p);
}

static void ended(enum stress_outcome outcome, uint64_t ops, const char *reason)
{
	ck_assert_int_eq((int)slot.outcome, (int)outcome);
	ck_assert_uint_eq(slot.ops, ops);
	ck_assert_str_eq(slot.reason, reason);
}

START_TEST(all_work)
{
	ck_assert_int_eq(rounds(two), 0);
	ended(STRESS_PASS, 3, "");
	ck_assert_uint_eq(calls[0], 3);
	ck_assert_uint_eq(calls[1], 3);
	ck_assert_double_eq(slot.metric[PARTS_WORKED], 2);
	ck_assert_uint_eq(slot.has_metric[0], 1u << PARTS_NS | 1u << PARTS_WORKED);
}
END_TEST

/* In the first round alone it is called. */
START_TEST(one_is_left_out)
{
	gives[0] = -EINVAL;
	ck_assert_int_eq(rounds(two), 0);
	ended(STRESS_PASS, 3, "left out: FIRST (Invalid argument)");
	ck_assert_uint_eq(calls[0], 1);
	ck_assert_uint_eq(calls[1], 3);
	ck_assert_double_eq(slot.metric[PARTS_WORKED], 1);
}
END_TEST

START_TEST(all_are_left_out)
{
	gives[0] = -EPERM;
	gives[1] = -ENOSYS;
	ck_assert_int_eq(rounds(two), -1);
	ended(STRESS_SKIP, 0,
		"left out: FIRST (Operation not permitted), SECOND (Function not "
		"implemented)");
	ck_assert_uint_eq(slot.has_metric[0], 0);
}
END_TEST

static int not_at_first(struct parts *parts)
{
	calls[0]++;
	return parts->rounds == 0 ? parts_put_off() : -EINVAL;
}

/* A round in which it could not be tried says nothing of it. */
START_TEST(left_out_later)
{
	static const struct part table[] = {{"FIRST", not_at_first, .absent = {EINVAL}},
		{"SECOND", second, .absent = {0}}, {0}};

	ck_assert_int_eq(rounds(table), 0);
	ended(STRESS_PASS, 3, "left out: FIRST (Invalid argument)");
	ck_assert_uint_eq(calls[0], 2);
	ck_assert_double_eq(slot.metric[PARTS_WORKED], 1);
}
END_TEST

/* EPERM stands in the row of the first part only. */
START_TEST(another_error)
{
	gives[1] = -EPERM;
	ck_assert_int_eq(rounds(two), -1);
	ended(STRESS_FAIL, 0, "SECOND: Operation not permitted");
	ck_assert_uint_eq(calls[1], 1);
}
END_TEST

START_TEST(an_unknown_result)
{
	gives[1] = 1;
	ck_assert_int_eq(rounds(two), -1);
	ended(STRESS_FAIL, 0, "SECOND: a call returned 1 instead of 0");
}
END_TEST

START_TEST(a_lack)
{
	gives[1] = -EMFILE;
	ck_assert_int_eq(rounds(two), -1);
	ended(STRESS_LACKS, 0, "SECOND: Too many open files");
}
END_TEST

/* A part that was present in the first round must not vanish. */
START_TEST(absent_later)
{
	from = 1;
	gives[0] = -EINVAL;
	ck_assert_int_eq(rounds(two), -1);
	ended(STRESS_FAIL, 1, "FIRST: Invalid argument");
	ck_assert_double_eq(slot.metric[PARTS_WORKED], 2);
}
END_TEST

static int same_as_with(struct parts *parts)
{
	return strcmp(parts->with, parts->part[parts->rounds].name) == 0
		       ? 0
		       : parts_wrong(parts, "%s", (const char *)parts->with);
}

START_TEST(with_data_of_their_own)
{
	static const struct part table[] = {
		{"A", same_as_with, .with = "A"}, {"B", same_as_with, .with = "B"}, {0}};

	ck_assert_int_eq(rounds(table), -1);
	ended(STRESS_FAIL, 0, "B: B");
}
END_TEST

static int find_fault(struct parts *parts)
{
	return parts_spoil(parts) ? parts_wrong(parts, "%d instead of %d", 1, 2) : 0;
}

START_TEST(a_wrong_effect)
{
	static const struct part table[] = {{"PART", find_fault, .absent = {0}}, {0}};

	ck_assert_int_eq(rounds(table), 0);
	ended(STRESS_PASS, 3, "");
	s.spoil = true;
	slot.ops = 0;
	ck_assert_int_eq(rounds(table), -1);
	ended(STRESS_FAIL, 1, "PART: 1 instead of 2");
}
END_TEST

static int stop(struct parts *parts)
{
	if (parts->rounds == 1)
		board.stop = 1;
	return 0;
}

/* The second round is not complete. */
START_TEST(cut_off)
{
	static const struct part table[] = {
		{"STOP", stop, .absent = {0}}, {"SECOND", second, .absent = {0}}, {0}};

	ck_assert_int_eq(rounds(table), 0);
	ended(STRESS_PASS, 1, "");
	ck_assert_uint_eq(calls[1], 1);
}
END_TEST

static int absent(struct parts *parts)
{
	(void)parts;
	return -ENOSYS;
}

#define LONG_NAME "A_NAME_OF_SOME_LENGTH"

/* The note is bounded. */
START_TEST(many_are_left_out)
{
	static const struct part table[] = {{"A", absent, .absent = {0}},
		{"B", absent, .absent = {0}}, {"C", absent, .absent = {0}},
		{"D", absent, .absent = {0}}, {"E", absent, .absent = {0}},
		{"F", absent, .absent = {0}}, {"G", absent, .absent = {0}},
		{"SECOND", second, .absent = {0}}, {0}};
	static const struct part long_names[] = {
		{LONG_NAME LONG_NAME, absent, .absent = {0}},
		{LONG_NAME LONG_NAME, absent, .absent = {0}},
		{LONG_NAME LONG_NAME, absent, .absent = {0}},
		{LONG_NAME LONG_NAME, absent, .absent = {0}},
		{"SECOND", second, .absent = {0}}, {0}};

	ck_assert_int_eq(rounds(table), 0);
	ck_assert_str_eq(slot.reason,
		"left out: A (Function not implemented), B (Function not implemented), "
		"C (Function not implemented), D (Function not implemented), "
		"E (Function not implemented) and 2 more");
	set_up();
	ck_assert_int_eq(rounds(long_names), 0);
	ck_assert_uint_eq(strlen(slot.reason), STRESS_REASON - 1);
}
END_TEST

START_TEST(refusals)
{
	parts_init(&p, &s, two);
	errno = EBADF;
	ck_assert_int_eq(parts_refused(&p, -1, EBADF, "call"), 0);
	ck_assert_int_eq((int)parts_result(-1), -EBADF);
	ck_assert_int_eq((int)parts_result(7), 7);
	ck_assert_int_ne(parts_refused(&p, -1, EINVAL, "call"), 0);
	ck_assert_str_eq(
		p.wrong, "call: error: Bad file descriptor; expected: Invalid argument");
	ck_assert_int_ne(parts_refused(&p, 3, EINVAL, "call"), 0);
	ck_assert_str_eq(
		p.wrong, "call: result 3 instead of the error: Invalid argument");
}
END_TEST

static TCase *tc_parts(void)
{
	TCase *tc = tcase_create("parts");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, all_work);
	tcase_add_test(tc, one_is_left_out);
	tcase_add_test(tc, all_are_left_out);
	tcase_add_test(tc, left_out_later);
	tcase_add_test(tc, another_error);
	tcase_add_test(tc, an_unknown_result);
	tcase_add_test(tc, a_lack);
	tcase_add_test(tc, absent_later);
	tcase_add_test(tc, with_data_of_their_own);
	tcase_add_test(tc, a_wrong_effect);
	tcase_add_test(tc, cut_off);
	tcase_add_test(tc, many_are_left_out);
	tcase_add_test(tc, refusals);
	return tc;
}

UNIT_MAIN("parts", tc_parts)
