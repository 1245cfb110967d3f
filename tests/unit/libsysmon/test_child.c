// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"
#include "unit.h"

static struct sm_loop loop;
static struct sm_child c;

static void setup(void)
{
	static const int signos[] = {SIGCHLD, 0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	/* A directory of root's in it would make "not found" into "not allowed". */
	setenv("PATH", "/usr/bin:/bin", 1);
	ck_assert_int_eq(sm_loop_init(&loop), 0);
	ck_assert_int_eq(sm_loop_signals(&loop, signos), 0);
	c = (struct sm_child){.pid = 0};
	/* what a child that cannot run its program says */
	ck_assert_int_ge(dup2(null, STDERR_FILENO), 0);
	close(null);
}

static void teardown(void)
{
	sm_loop_fini(&loop);
}

static void wait_for_end(void)
{
	siginfo_t si;

	ck_assert_int_eq(waitid(P_PID, (id_t)c.pid, &si, WEXITED | WNOWAIT), 0);
	sm_child_reap(&c);
	ck_assert(c.ended);
}

static int run(const char *program, const char *script)
{
	char *argv[] = {(char *)(uintptr_t)program, (char *)(uintptr_t) "-c",
		(char *)(uintptr_t)script, NULL};

	ck_assert_int_eq(sm_child_prepare(&c, argv, 0, &loop, NULL), 0);
	ck_assert_int_gt(c.pid, 0);
	sm_child_reap(&c);
	ck_assert(!c.ended); /* it waits for us */
	ck_assert_int_eq(sm_child_go(&c), 0);
	wait_for_end();
	return sm_child_exit_code(&c);
}

START_TEST(exit_codes)
{
	ck_assert_int_eq(run("sh", "exit 0"), 0);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("/bin/sh", "exit 42"), 42);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("sh", "kill -9 $$"), 128 + 9);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("sh", "kill -15 $$"), 128 + 15);
}
END_TEST

/* The children of this process are one shell, and the program that the shell waits for.
 */
START_TEST(peak_of_the_program)
{
	struct rusage all;

	ck_assert_int_eq(
		run("sh", "dd if=/dev/zero of=/dev/null bs=32M count=1; exit 3"), 3);
	ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &all), 0);
	ck_assert_uint_eq(c.peak_kb, (uint64_t)all.ru_maxrss);
	ck_assert_uint_ge(c.peak_kb, 32 * 1024);
}
END_TEST

START_TEST(program_that_cannot_be_run)
{
	ck_assert_int_eq(run("/nonexistent/program", ""), 127);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("no-such-program-in-path", ""), 127);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("/dev/null", ""), 126);
	c = (struct sm_child){.pid = 0};
	ck_assert_int_eq(run("/", ""), 126);
}
END_TEST

/* The signals that we block are not blocked in it. */
START_TEST(child_has_the_signal_mask_of_before)
{
	ck_assert_int_eq(run("sh", "grep -q '^SigBlk:.*00000000$' /proc/self/status"), 0);
}
END_TEST

START_TEST(nothing_runs_without_the_word)
{
	char path[] = "/tmp/test_command.XXXXXX";
	char *argv[] = {(char *)(uintptr_t) "rm", path, NULL};
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_child_prepare(&c, argv, 0, &loop, NULL), 0);
	sm_child_abandon(&c);
	wait_for_end();
	ck_assert_int_eq(sm_child_exit_code(&c), 126);
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert_int_eq(unlink(path), 0);
	close(fd);
}
END_TEST

START_TEST(what_ends_the_run)
{
	const uint64_t interrupt = SM_SIGBIT(SIGINT), term = SM_SIGBIT(SIGTERM);

	c = (struct sm_child){.pid = 0};
	ck_assert(!sm_child_stops(&c, 0, 0));
	ck_assert(sm_child_stops(&c, interrupt, interrupt)); /* no program to wait for */
	ck_assert_int_eq(sm_child_exit_code(&c), 0);
	c = (struct sm_child){.pid = 1234, .go = -1};
	ck_assert(!sm_child_stops(&c, 0, 0));
	ck_assert(!sm_child_stops(&c, interrupt, interrupt)); /* it got that, too */
	ck_assert(sm_child_stops(&c, interrupt, interrupt));  /* but not twice */
	ck_assert_int_eq(sm_child_exit_code(&c), 128 + SIGINT);
	c = (struct sm_child){.pid = 1234, .go = -1};
	ck_assert(sm_child_stops(&c, interrupt | term, interrupt));
	c = (struct sm_child){.pid = 1234, .go = -1};
	ck_assert(sm_child_stops(&c, term, 0)); /* sent to us alone */
	ck_assert_int_eq(sm_child_exit_code(&c), 128 + SIGTERM);
	c = (struct sm_child){.pid = 1234, .go = 9}; /* has not begun */
	ck_assert(sm_child_stops(&c, interrupt, interrupt));
	c = (struct sm_child){.pid = 1234, .go = -1};
	ck_assert(sm_child_stops(&c, term, 0));
	c.ended = c.reaped = true;
	c.status = 3 << 8;
	ck_assert_int_eq(sm_child_exit_code(&c), 3);
	ck_assert(sm_child_stops(&c, interrupt, interrupt));
}
END_TEST

START_TEST(no_command)
{
	ck_assert_int_eq(sm_child_go(&c), 0);
	sm_child_reap(&c);
	sm_child_abandon(&c);
	ck_assert(!c.ended);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
}
END_TEST

/* No fd for the pipe: nothing is started, and nothing is closed afterwards. */
START_TEST(no_room_for_the_pipe)
{
	char *argv[] = {(char *)(uintptr_t) "true", NULL};
	struct rlimit was, none;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	none = (struct rlimit){.rlim_cur = 3, .rlim_max = was.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(sm_child_prepare(&c, argv, 0, &loop, NULL), -EMFILE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_int_eq(c.pid, 0);
	sm_child_abandon(&c);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
}
END_TEST

START_TEST(reaping_twice_keeps_the_status)
{
	ck_assert_int_eq(run("sh", "exit 7"), 7);
	sm_child_reap(&c);
	ck_assert_int_eq(sm_child_exit_code(&c), 7);
}
END_TEST

static TCase *tc_command(void)
{
	TCase *tc = tcase_create("command");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, exit_codes);
	tcase_add_test(tc, peak_of_the_program);
	tcase_add_test(tc, program_that_cannot_be_run);
	tcase_add_test(tc, child_has_the_signal_mask_of_before);
	tcase_add_test(tc, nothing_runs_without_the_word);
	tcase_add_test(tc, what_ends_the_run);
	tcase_add_test(tc, no_command);
	tcase_add_test(tc, no_room_for_the_pipe);
	tcase_add_test(tc, reaping_twice_keeps_the_status);
	return tc;
}

UNIT_MAIN("command", tc_command)
