// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages that one process sends and another one checks. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stressors/flow/flow.h"
#include "unit.h"

static struct stress_board board;
static struct stress_slot slot;
static struct stress s;
static struct flow f;

static void set_up(void)
{
	memset(&board, 0, sizeof(board));
	memset(&slot, 0, sizeof(slot));
	memset(&f, 0, sizeof(f));
	s = (struct stress){.board = &board, .slot = &slot, .seed = 5};
	ck_assert_int_eq(flow_set_up(&s, &f, 16, 64), 0);
}

static void tear_down(void)
{
}

START_TEST(all_sizes)
{
	unsigned int seen[65] = {0};

	for (uint64_t i = 0; i < 2000; i++) {
		struct flow_message m = flow_message(&f, i);

		ck_assert(m.bytes >= 16 && m.bytes <= 64);
		ck_assert(m.data >= f.pattern && m.data < f.pattern + 65536);
		seen[m.bytes]++;
	}
	for (unsigned int bytes = 16; bytes <= 64; bytes++)
		ck_assert_uint_gt(seen[bytes], 0);
}
END_TEST

/* A message is right only as itself, in its place and whole. */
START_TEST(differences)
{
	struct flow_message m = flow_message(&f, 7);
	char copy[64];

	memcpy(copy, m.data, m.bytes);
	ck_assert(flow_check(&f, 7, copy, m.bytes));
	ck_assert_uint_eq(f.report->messages, 1);
	ck_assert(!flow_check(&f, 8, copy, m.bytes));
	ck_assert(!flow_check(&f, 7, copy, m.bytes - 1));
	ck_assert_uint_eq(f.report->place, m.bytes - 1);
	for (size_t i = 0; i < m.bytes; i++) {
		copy[i] ^= 1;
		ck_assert(!flow_check(&f, 7, copy, m.bytes));
		ck_assert_uint_eq(f.report->place, i);
		copy[i] ^= 1;
	}
	ck_assert_uint_eq(f.report->messages, 1);
	ck_assert_uint_eq(f.report->wrong, 1);
}
END_TEST

/* Pieces of a stream, a message that is cut, and the end. */
START_TEST(streams)
{
	struct flow_message m = flow_message(&f, 0), n = flow_message(&f, 1);
	int fd[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	ck_assert_int_eq(write(fd[0], m.data, 3), 3);
	ck_assert_int_eq(write(fd[0], m.data + 3, m.bytes - 3), (ssize_t)m.bytes - 3);
	ck_assert_int_eq(flow_receive(&f, 0, fd[1], true), 1);
	ck_assert_int_eq(write(fd[0], n.data, n.bytes - 1), (ssize_t)n.bytes - 1);
	close(fd[0]);
	ck_assert_int_eq(flow_receive(&f, 1, fd[1], true), -EBADMSG);
	ck_assert_uint_eq(f.report->bytes, n.bytes - 1);
	ck_assert_int_eq(flow_receive(&f, 1, fd[1], true), 0);
	close(fd[1]);
	ck_assert_int_eq(flow_receive(&f, 1, fd[1], true), -EBADF);
}
END_TEST

/* A packet that is too long is no message. */
START_TEST(packets)
{
	struct flow_message m = flow_message(&f, 0);
	int fd[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	ck_assert_int_eq(write(fd[0], m.data, m.bytes), (ssize_t)m.bytes);
	ck_assert_int_eq(flow_receive(&f, 0, fd[1], false), 1);
	ck_assert_int_eq(write(fd[0], m.data, m.bytes + 1), (ssize_t)m.bytes + 1);
	ck_assert_int_eq(flow_receive(&f, 0, fd[1], false), -EBADMSG);
	close(fd[0]);
	ck_assert_int_eq(flow_receive(&f, 0, fd[1], false), 0);
	close(fd[1]);
}
END_TEST

static int fail_with(struct stress *own, void *data)
{
	(void)own;
	return *(int *)data;
}

static int wait_for_ever(struct stress *own, void *data)
{
	(void)own;
	(void)data;
	while (pause() < 0)
		;
	return 0;
}

START_TEST(partners)
{
	int result = 0;

	ck_assert_int_eq(flow_start(&s, &f, fail_with, &result), 0);
	ck_assert_int_eq(flow_end(&s, &f, false, 0, "send"), 0);
	result = -EIO;
	ck_assert_int_eq(flow_start(&s, &f, fail_with, &result), 0);
	ck_assert_int_eq(flow_end(&s, &f, false, -EPIPE, "send"), -1);
	ck_assert_str_eq(slot.reason, "the other process: Input/output error");
}
END_TEST

START_TEST(killed_partner)
{
	ck_assert_int_eq(flow_start(&s, &f, wait_for_ever, NULL), 0);
	ck_assert(!flow_has_ended(&f));
	ck_assert_int_eq(flow_end(&s, &f, true, 0, "send"), 0);
	ck_assert_int_eq(flow_start(&s, &f, wait_for_ever, NULL), 0);
	ck_assert_int_eq(flow_end(&s, &f, true, -EPIPE, "send"), -1);
	ck_assert_str_eq(slot.reason, "send: Broken pipe");
}
END_TEST

/* It is the sender's alone. */
START_TEST(spoilt)
{
	struct flow_message m = flow_message(&f, 2);
	char before[64];

	memcpy(before, m.data, m.bytes);
	flow_spoil(&s, &f);
	ck_assert(flow_check(&f, 2, before, m.bytes));
	s.spoil = true;
	flow_spoil(&s, &f);
	ck_assert(!flow_check(&f, 2, before, m.bytes));
}
END_TEST

static TCase *tc_flow(void)
{
	TCase *tc = tcase_create("flow");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, all_sizes);
	tcase_add_test(tc, differences);
	tcase_add_test(tc, streams);
	tcase_add_test(tc, packets);
	tcase_add_test(tc, partners);
	tcase_add_test(tc, killed_partner);
	tcase_add_test(tc, spoilt);
	return tc;
}

UNIT_MAIN("flow", tc_flow)
