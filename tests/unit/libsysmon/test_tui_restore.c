// SPDX-License-Identifier: GPL-2.0-or-later
/* The terminal is given back, whatever way the program ends. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cli/tty.h"
#include "tui/tui.h"
#include "tui_rig.h"

static struct sm_tui tui;
static const char *why;

/* A child opens the screen and ends in this way: its status. */
static int child(void (*end)(void))
{
	static const struct rlimit none = {0, 0};
	pid_t pid;
	int status;

	fflush(stdout);
	rig_stop_reader(); /* a fork would copy the sanitizers' locks as the thread has
			      them */
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid > 0)
		rig_start_reader();
	if (pid == 0) {
		(void)setrlimit(RLIMIT_CORE, &none);
		/* Check and the sanitizers have taken some. */
		for (int signo = 1; signo < 32; signo++)
			(void)signal(signo, SIG_DFL);
		if (sm_tui_open(&tui, SM_COLOR_AUTO, &why))
			_exit(99);
		sm_tui_printf(&tui, 0, 0, SM_TUI_BOLD, "child");
		sm_tui_show(&tui);
		end();
		_exit(98);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		rig_drain();
		usleep(1000);
	}
	rig_drain();
	return status;
}

static void by_close(void)
{
	sm_tui_close(&tui);
	_exit(0);
}

static void by_term(void)
{
	(void)raise(SIGTERM);
}

static void by_hup(void)
{
	(void)kill(getpid(), SIGHUP);
}

static void by_abort(void)
{
	abort();
}

static void by_segv(void)
{
	(void)raise(SIGSEGV);
}

/* A child of the tool that dies leaves the screen alone. */
static void by_grandchild(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		(void)raise(SIGTERM);
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
		_exit(97);
	_exit(sm_tui_put(&tui, 0, 0, 5, SM_TUI_BOLD, "again", 5) == 5 ? 0 : 96);
}

static void same_modes(const struct termios *before)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(rig.slave, &now), 0);
	ck_assert_uint_eq(now.c_lflag, before->c_lflag);
	ck_assert_uint_eq(now.c_iflag, before->c_iflag);
	ck_assert_uint_eq(now.c_oflag, before->c_oflag);
	ck_assert_uint_eq(now.c_cflag, before->c_cflag);
	ck_assert_mem_eq(now.c_cc, before->c_cc, sizeof(now.c_cc));
}

static void no_open_screen(void)
{
	rig_open(80, 24);
}

static void only_rig(void)
{
	rig_drain();
	rig_close();
}

START_TEST(terminal_restored)
{
	static const struct {
		void (*end)(void);
		int signo;
	} ways[] = {{by_close, 0}, {by_term, SIGTERM}, {by_hup, SIGHUP},
		{by_abort, SIGABRT}, {by_segv, SIGSEGV}};
	struct termios before;

	ck_assert_int_eq(tcgetattr(rig.slave, &before), 0);
	ck_assert(before.c_lflag & ECHO);
	for (size_t i = 0; i < SM_ARRAY_SIZE(ways); i++) {
		const char *leave, *shown;
		int status;

		rig_forget();
		status = child(ways[i].end);
		if (ways[i].signo)
			ck_assert(
				WIFSIGNALED(status) && WTERMSIG(status) == ways[i].signo);
		else
			ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		same_modes(&before);
		shown = strstr(rig.out, "child");
		ck_assert_ptr_nonnull(shown);
		leave = strstr(shown, "\x1b[?1049l");
		ck_assert_ptr_nonnull(leave);
		ck_assert_ptr_nonnull(strstr(shown, "\x1b[?25h"));
		ck_assert_ptr_null(strstr(leave + 1, "\x1b[?1049l"));
	}
}
END_TEST

START_TEST(child_leaves_the_terminal)
{
	int status = child(by_grandchild);

	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_ptr_nonnull(strstr(rig.out, "child"));
	ck_assert_ptr_null(strstr(strstr(rig.out, "child"), "\x1b[?1049l"));
}
END_TEST

START_TEST(signals_given_back)
{
	struct sigaction before[4], now;
	static const int signos[] = {SIGUSR1, SIGTSTP, SIGCONT, SIGWINCH};

	for (size_t i = 0; i < SM_ARRAY_SIZE(signos); i++)
		ck_assert_int_eq(sigaction(signos[i], NULL, &before[i]), 0);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	ck_assert_int_eq(sigaction(SIGUSR1, NULL, &now), 0);
	ck_assert(now.sa_handler != before[0].sa_handler);
	ck_assert_int_eq(sigaction(SIGWINCH, NULL, &now), 0);
	ck_assert(now.sa_handler == before[3].sa_handler);
	sm_tui_close(&tui);
	sm_tui_close(&tui);
	for (size_t i = 0; i < SM_ARRAY_SIZE(signos); i++) {
		ck_assert_int_eq(sigaction(signos[i], NULL, &now), 0);
		ck_assert(now.sa_handler == before[i].sa_handler);
	}
}
END_TEST

START_TEST(ignored_signals_stay_ignored)
{
	struct sigaction now;

	ck_assert(signal(SIGHUP, SIG_IGN) != SIG_ERR);
	ck_assert_int_eq(sm_tui_open(&tui, SM_COLOR_AUTO, &why), 0);
	ck_assert_int_eq(sigaction(SIGHUP, NULL, &now), 0);
	ck_assert(now.sa_handler == SIG_IGN);
	sm_tui_close(&tui);
	ck_assert(signal(SIGHUP, SIG_DFL) != SIG_ERR);
}
END_TEST

static TCase *tc_way_out(void)
{
	TCase *tc = tcase_create("way out");

	tcase_add_checked_fixture(tc, no_open_screen, only_rig);
	tcase_add_test(tc, terminal_restored);
	tcase_add_test(tc, child_leaves_the_terminal);
	tcase_add_test(tc, signals_given_back);
	tcase_add_test(tc, ignored_signals_stay_ignored);
	return tc;
}

UNIT_MAIN("tui restore", tc_way_out)
