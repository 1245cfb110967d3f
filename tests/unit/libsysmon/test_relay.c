// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/relay.h"
#include "unit.h"

static int master, saved[2];
static struct sm_relay relay;
static sigset_t resized;

static void resize(unsigned short columns, unsigned short rows)
{
	const struct winsize size = {.ws_col = columns, .ws_row = rows};

	ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
}

/* The terminal is standard output and standard error. */
static void setup(void)
{
	int slave;

	sigemptyset(&resized);
	sigaddset(&resized, SIGWINCH);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, &resized, NULL), 0);
	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
	resize(81, 25);
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		saved[i] = dup(STDOUT_FILENO + i);
		ck_assert_int_ge(dup2(slave, STDOUT_FILENO + i), 0);
	}
	close(slave);
	relay = (struct sm_relay)SM_RELAY_INIT;
	ck_assert_int_eq(sm_relay_open(&relay), 0);
}

static void teardown(void)
{
	sm_relay_close_pty(&relay);
	for (int i = 0; i < 2; i++) {
		(void)dup2(saved[i], STDOUT_FILENO + i);
		close(saved[i]);
	}
	close(master);
}

static bool has_size(unsigned int columns, unsigned int rows)
{
	struct winsize size;

	ck_assert_int_eq(ioctl(relay.pty, TIOCGWINSZ, &size), 0);
	return size.ws_col == columns && size.ws_row == rows;
}

static void expect_signal(void)
{
	const struct timespec limit = {.tv_sec = 60};

	ck_assert_int_eq(sigtimedwait(&resized, NULL, &limit), SIGWINCH);
}

/* Reads from the terminal until this text was read. */
static void expect_output(const char *text)
{
	char out[64] = "";
	struct pollfd p = {.fd = master, .events = POLLIN};

	for (size_t n = 0; n < strlen(text);) {
		ssize_t got;

		ck_assert_int_eq(poll(&p, 1, 60000), 1);
		got = read(master, out + n, sizeof(out) - 1 - n);
		ck_assert_int_gt(got, 0);
		n += (size_t)got;
	}
	ck_assert_str_eq(out, text);
}

/* The first signal is the terminal's.  A program that receives it before the
 * pseudoterminal has the new size receives another one. */
START_TEST(follows_the_size_of_the_terminal)
{
	ck_assert(has_size(81, 25));
	resize(101, 41);
	ck_assert_int_eq(kill(0, SIGWINCH), 0);
	do
		expect_signal();
	while (!has_size(101, 41));
	sm_relay_close_pty(&relay);
	sm_relay_show(&relay);
}
END_TEST

START_TEST(shows_the_output_at_the_end)
{
	struct pollfd p = {.fd = master, .events = POLLIN};
	char null[16];
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		sm_relay_take(&relay);
		_exit(write(STDOUT_FILENO, "one\n", 4) != 4 ||
			write(STDERR_FILENO, "two\n", 4) != 4 ||
			(isatty(STDIN_FILENO) &&
				read(STDIN_FILENO, null, sizeof(null)) != 0));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(poll(&p, 1, 0), 0);
	sm_relay_close_pty(&relay);
	sm_relay_show(&relay);
	expect_output("one\r\ntwo\r\n");
}
END_TEST

/* Output of a program that continues after the screen is passed on. */
START_TEST(passes_later_output_on)
{
	sm_relay_show(&relay);
	ck_assert_int_eq(write(relay.pty, "late\n", 5), 5);
	expect_output("late\r\n");
}
END_TEST

static TCase *tc_relay(void)
{
	TCase *tc = tcase_create("relay");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, follows_the_size_of_the_terminal);
	tcase_add_test(tc, shows_the_output_at_the_end);
	tcase_add_test(tc, passes_later_output_on);
	return tc;
}

UNIT_MAIN("relay", tc_relay)
