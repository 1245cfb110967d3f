// SPDX-License-Identifier: GPL-2.0-or-later
/* Two processes that pass numbers: how many, and numbers that are lost, twice or of a
 * call that fails. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stressors/turns/turns.h"
#include "unit.h"

static struct stress_board *board;
static struct stress s;

/* A pipe to each side. */
static struct pipes {
	int fd[TURNS_SIDES][2];
	unsigned int puts;   /* of one process */
	unsigned int bad_at; /* the put with this number, of side 0 ... */
	int (*bad)(struct pipes *p, uint32_t number); /* is made so */
} p;

static int put_right(struct pipes *q, unsigned int from, uint32_t number)
{
	return write(q->fd[!from][1], &number, sizeof(number)) < 0 ? -errno : 0;
}

static int put(void *ctx, unsigned int from, uint32_t number)
{
	struct pipes *q = ctx;

	if (from == 0 && q->bad && q->puts++ == q->bad_at)
		return q->bad(q, number);
	return put_right(q, from, number);
}

static int take(void *ctx, unsigned int to, uint32_t *number)
{
	struct pipes *q = ctx;

	return read(q->fd[to][0], number, sizeof(*number)) < 0 ? -errno : 0;
}

static int lose(struct pipes *q, uint32_t number)
{
	(void)q;
	(void)number;
	return 0;
}

static int put_twice(struct pipes *q, uint32_t number)
{
	int r = put_right(q, 0, number);

	return r ? r : put_right(q, 0, number);
}

static int refuse(struct pipes *q, uint32_t number)
{
	(void)q;
	(void)number;
	return -EPERM;
}

static int lack(struct pipes *q, uint32_t number)
{
	(void)q;
	(void)number;
	return -EAGAIN;
}

/* Numbers of a turn. */
static const unsigned int at_once[] = {1, 3};
static struct turns_way way = {"put", "take", put, take, 1, TEAM_PROCESSES};

static void set_up(void)
{
	board = mmap(NULL, sizeof(*board) + sizeof(board->slot[0]),
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(board, MAP_FAILED);
	s = (struct stress){.board = board,
		.slot = &board->slot[0],
		.instances = 1,
		.ops_max = UINT64_MAX};
	p = (struct pipes){0};
	for (unsigned int i = 0; i < TURNS_SIDES; i++)
		ck_assert_int_eq(pipe(p.fd[i]), 0);
}

static void tear_down(void)
{
	for (unsigned int i = 0; i < TURNS_SIDES; i++) {
		close(p.fd[i][0]);
		close(p.fd[i][1]);
	}
	munmap(board, sizeof(*board) + sizeof(board->slot[0]));
}

static void ended(int r, enum stress_outcome outcome, const char *reason)
{
	ck_assert_str_eq(s.slot->reason, reason);
	ck_assert_uint_eq(s.slot->outcome, outcome);
	ck_assert_int_eq(r, outcome == STRESS_PASS ? 0 : -1);
}

/* Whatever the number of ops is: as many, and both processes end. */
START_TEST(limits)
{
	for (uint64_t ops = 1; ops <= 12; ops++) {
		/* The last number of a run may be left in a pipe. */
		tear_down();
		set_up();
		way.at_once = at_once[_i];
		s.ops_max = ops;
		ended(turns_run(&s, &way, &p), STRESS_PASS, "");
		ck_assert_uint_eq(s.slot->ops, ops);
		ck_assert_uint_eq(s.slot->has_metric[0], 3);
	}
}
END_TEST

START_TEST(lost)
{
	way.at_once = 3;
	p.bad = lose;
	p.bad_at = 4;
	ended(turns_run(&s, &way, &p), STRESS_FAIL, "received message 5 instead of 4");
}
END_TEST

START_TEST(twice)
{
	way.at_once = 3;
	p.bad = put_twice;
	p.bad_at = 4;
	ended(turns_run(&s, &way, &p), STRESS_FAIL, "received message 4 instead of 5");
}
END_TEST

START_TEST(spoilt)
{
	way.at_once = at_once[_i];
	s.spoil = true;
	ended(turns_run(&s, &way, &p), STRESS_FAIL, "received message 3 instead of 2");
}
END_TEST

START_TEST(calls_that_fail)
{
	p.bad = _i ? lack : refuse;
	p.bad_at = 2;
	ended(turns_run(&s, &way, &p), _i ? STRESS_LACKS : STRESS_FAIL,
		_i ? "put: Resource temporarily unavailable"
		   : "put: Operation not permitted");
}
END_TEST

static TCase *tc_turns(void)
{
	TCase *tc = tcase_create("turns");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, limits, 0, 2);
	tcase_add_test(tc, lost);
	tcase_add_test(tc, twice);
	tcase_add_loop_test(tc, spoilt, 0, 2);
	tcase_add_loop_test(tc, calls_that_fail, 0, 2);
	return tc;
}

UNIT_MAIN("turns", tc_turns)
