// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fdpass.h"
#include "unit.h"

static int pair[2], pipes[2], got[SM_FDPASS_MAX];

static void setup(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	ck_assert_int_eq(pipe(pipes), 0);
}

static void teardown(void)
{
	close(pair[0]);
	if (pair[1] >= 0)
		close(pair[1]);
	close(pipes[0]);
	close(pipes[1]);
}

START_TEST(descriptor_arrives)
{
	uint32_t number = 0;
	char byte;

	ck_assert_int_eq(sm_fdpass_send(pair[0], &(uint32_t){17}, 4, pipes, 2, 0), 0);
	ck_assert_int_eq(sm_fdpass_receive(pair[1], &number, 4, got, 0), 2);
	ck_assert_uint_eq(number, 17);
	ck_assert_int_eq(fcntl(got[1], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	ck_assert_int_eq(write(got[1], "x", 1), 1);
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	close(got[0]);
	close(got[1]);
	ck_assert_int_eq(
		sm_fdpass_receive(pair[1], &number, 4, got, MSG_DONTWAIT), -EAGAIN);
}
END_TEST

START_TEST(as_many_as_the_kernel_allows)
{
	int all[SM_FDPASS_MAX + 1];
	unsigned int before = unit_open_fds();
	char byte;

	for (size_t i = 0; i <= SM_FDPASS_MAX; i++)
		all[i] = pipes[0];
	ck_assert_int_eq(sm_fdpass_send(pair[0], "x", 1, all, SM_FDPASS_MAX, 0), 0);
	ck_assert_int_eq(sm_fdpass_receive(pair[1], &byte, 1, got, 0), SM_FDPASS_MAX);
	ck_assert_uint_eq(unit_open_fds(), before + SM_FDPASS_MAX);
	for (size_t i = 0; i < SM_FDPASS_MAX; i++)
		close(got[i]);
}
END_TEST

/* The message arrives without its descriptors, and none is left open. */
START_TEST(too_many_for_this_process)
{
	struct rlimit all, few;
	unsigned int before = unit_open_fds();
	char byte = 0;

	getrlimit(RLIMIT_NOFILE, &all);
	few = all;
	few.rlim_cur = (rlim_t)dup(pipes[0]) + 1; /* room for one */
	close((int)few.rlim_cur - 1);
	ck_assert_int_eq(sm_fdpass_send(pair[0], "x", 1, pipes, 2, 0), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(sm_fdpass_receive(pair[1], &byte, 1, got, 0), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &all);
	ck_assert_int_eq(byte, 'x');
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

START_TEST(other_end)
{
	unsigned int before = unit_open_fds();
	char two[2];

	ck_assert_int_eq(sm_fdpass_send(pair[1], "x", 1, pipes, 2, 0), 0);
	ck_assert_int_eq(sm_fdpass_receive(pair[0], two, 2, got, 0), -EPIPE);
	ck_assert_uint_eq(unit_open_fds(), before);
	close(pair[1]);
	pair[1] = -1;
	ck_assert_int_eq(sm_fdpass_receive(pair[0], two, 2, got, 0), -EPIPE);
	ck_assert_int_eq(sm_fdpass_send(pair[0], two, 2, NULL, 0, 0), -EPIPE);
}
END_TEST

static TCase *tc_fdpass(void)
{
	TCase *tc = tcase_create("fdpass");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, descriptor_arrives);
	tcase_add_test(tc, as_many_as_the_kernel_allows);
	tcase_add_test(tc, too_many_for_this_process);
	tcase_add_test(tc, other_end);
	return tc;
}

UNIT_MAIN("fdpass", tc_fdpass)
