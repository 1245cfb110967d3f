// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "cli/keeper.h"
#include "unit.h"

static int p[2];
static struct sm_keeper k;

static void setup(void)
{
	ck_assert_int_eq(pipe2(p, O_CLOEXEC), 0);
	k = (struct sm_keeper)SM_KEEPER_INIT;
}

static void teardown(void)
{
	sm_keeper_end(&k);
	close(p[0]);
	close(p[1]);
}

static void say(const void *ctx)
{
	(void)!write(p[1], ctx, 1);
}

static char heard(void)
{
	char c = '\0';

	fcntl(p[0], F_SETFL, O_NONBLOCK);
	return read(p[0], &c, 1) == 1 ? c : '\0';
}

START_TEST(done_at_the_end)
{
	ck_assert_int_eq(sm_keeper_start(&k, p[1], say, "a"), 0);
	ck_assert_int_eq(heard(), '\0');
	sm_keeper_end(&k);
	ck_assert_int_eq(heard(), 'a');
	ck_assert_int_eq(k.fd, -1);
	sm_keeper_end(&k);
	ck_assert_int_eq(heard(), '\0'); /* once */
}
END_TEST

START_TEST(memory_is_that_of_the_start)
{
	char c = 'b';

	ck_assert_int_eq(sm_keeper_start(&k, p[1], say, &c), 0);
	c = 'c';
	sm_keeper_end(&k);
	ck_assert_int_eq(heard(), 'b');
}
END_TEST

static void end_child_by(int signo)
{
	pid_t pid = fork();
	char c;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		signal(signo, SIG_DFL); /* not Check's */
		if (sm_keeper_start(&k, p[1], say, "k") < 0)
			_exit(1);
		raise(signo);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	ck_assert_int_eq(read(p[0], &c, 1), 1);
	ck_assert_int_eq(c, 'k');
}

START_TEST(done_after_a_kill)
{
	end_child_by(SIGKILL);
	end_child_by(SIGTERM);
	end_child_by(SIGCONT);
}
END_TEST

/* Who reads from a pipe of the tool sees its end. */
START_TEST(holds_nothing_else)
{
	int other[2];
	char c;

	ck_assert_int_eq(pipe2(other, O_CLOEXEC), 0);
	ck_assert_int_eq(sm_keeper_start(&k, p[1], say, "d"), 0);
	close(other[1]);
	ck_assert_int_eq(read(other[0], &c, 1), 0);
	close(other[0]);
}
END_TEST

/* Neither its exit nor that of its parent disturbs one who waits for children. */
START_TEST(is_no_child)
{
	unsigned int before = unit_open_fds();

	ck_assert_int_eq(sm_keeper_start(&k, p[1], say, "e"), 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	sm_keeper_end(&k);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

static TCase *tc_keeper(void)
{
	TCase *tc = tcase_create("keeper");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, done_at_the_end);
	tcase_add_test(tc, memory_is_that_of_the_start);
	tcase_add_test(tc, done_after_a_kill);
	tcase_add_test(tc, holds_nothing_else);
	tcase_add_test(tc, is_no_child);
	return tc;
}

UNIT_MAIN("keeper", tc_keeper)
