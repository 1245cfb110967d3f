// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "cli/tty.h"
#include "unit.h"

static int open_tty(unsigned short columns, unsigned short rows)
{
	struct winsize ws = {.ws_col = columns, .ws_row = rows};
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;

	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(slave, 0);
	ck_assert_int_eq(ioctl(slave, TIOCSWINSZ, &ws), 0);
	return slave;
}

static int open_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

START_TEST(size)
{
	unsigned int columns = 1, rows = 2;

	ck_assert_int_eq(sm_tty_size(open_tty(132, 50), &columns, &rows), 0);
	ck_assert_uint_eq(columns, 132);
	ck_assert_uint_eq(rows, 50);
	ck_assert_int_eq(sm_tty_size(open_tty(0, 0), &columns, &rows), 0);
	ck_assert_uint_eq(columns, 80);
	ck_assert_uint_eq(rows, 24);
	ck_assert_int_eq(sm_tty_size(open_tty(65535, 0), &columns, &rows), 0);
	ck_assert_uint_eq(columns, 65535);
	ck_assert_uint_eq(rows, 24);
	columns = 7;
	ck_assert_int_eq(sm_tty_size(open_null(), &columns, &rows), -ENOTTY);
	ck_assert_int_eq(sm_tty_size(-1, &columns, &rows), -ENOTTY);
	ck_assert_uint_eq(columns, 7);
}
END_TEST

START_TEST(help_columns)
{
	ck_assert_uint_eq(sm_tty_help_columns(open_tty(100, 50)), 100);
	ck_assert_uint_eq(sm_tty_help_columns(open_tty(20, 50)), 40);
	ck_assert_uint_eq(sm_tty_help_columns(open_tty(300, 50)), 120);
	ck_assert_uint_eq(sm_tty_help_columns(open_null()), 80);
}
END_TEST

START_TEST(color)
{
	int tty = open_tty(80, 24), null = open_null();

	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	ck_assert(sm_tty_color(tty, SM_COLOR_AUTO));
	ck_assert(!sm_tty_color(null, SM_COLOR_AUTO));
	ck_assert(sm_tty_color(null, SM_COLOR_ALWAYS));
	ck_assert(!sm_tty_color(tty, SM_COLOR_NEVER));
	setenv("NO_COLOR", "", 1);
	ck_assert(sm_tty_color(tty, SM_COLOR_AUTO));
	setenv("NO_COLOR", "0", 1); /* any value: no-color.org */
	ck_assert(!sm_tty_color(tty, SM_COLOR_AUTO));
	ck_assert(sm_tty_color(tty, SM_COLOR_ALWAYS));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	ck_assert(!sm_tty_color(tty, SM_COLOR_AUTO));
	setenv("TERM", "", 1);
	ck_assert(!sm_tty_color(tty, SM_COLOR_AUTO));
	unsetenv("TERM");
	ck_assert(!sm_tty_color(tty, SM_COLOR_AUTO));
}
END_TEST

static bool utf8_with(const char *lc_all, const char *lc_ctype, const char *lang)
{
	const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *const values[] = {lc_all, lc_ctype, lang};

	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++) {
		if (values[i])
			setenv(names[i], values[i], 1);
		else
			unsetenv(names[i]);
	}
	return sm_tty_utf8();
}

START_TEST(utf8)
{
	ck_assert(!utf8_with(NULL, NULL, NULL));
	ck_assert(utf8_with(NULL, NULL, "en_US.UTF-8"));
	ck_assert(utf8_with(NULL, NULL, "C.utf8"));
	ck_assert(utf8_with(NULL, NULL, "de_DE.UTF-8@euro"));
	ck_assert(!utf8_with(NULL, NULL, "de_DE@UTF-8"));
	ck_assert(!utf8_with(NULL, NULL, "de_DE.ISO-8859-1"));
	ck_assert(!utf8_with(NULL, NULL, "de_DE.UTF-80"));
	ck_assert(!utf8_with(NULL, NULL, "de_DE.UTF-"));
	ck_assert(!utf8_with(NULL, NULL, "de_DE"));
	ck_assert(!utf8_with("C", "en_US.UTF-8", "en_US.UTF-8"));
	ck_assert(utf8_with("C.UTF-8", "POSIX", "POSIX"));
	ck_assert(!utf8_with(NULL, "POSIX", "en_US.UTF-8"));
	ck_assert(utf8_with("", "", "en_US.UTF-8")); /* empty is not set */
	ck_assert(!utf8_with("", "", ""));
}
END_TEST

static TCase *tc_tty(void)
{
	TCase *t = tcase_create("tty");

	tcase_add_test(t, size);
	tcase_add_test(t, help_columns);
	tcase_add_test(t, color);
	tcase_add_test(t, utf8);
	return t;
}

UNIT_MAIN("tty", tc_tty)
