/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui_rig: a pseudo-terminal as standard input and output for the duration of a test.  The screen
 * is read back from ncurses; the bytes that ncurses sent are in rig.out.
 */
#ifndef TUI_RIG_H
#define TUI_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "tui/tui.h"
#include "unit.h"

struct tui_rig {
	int master, slave, saved_in, saved_out;
	char out[262144]; /* bytes written to the terminal since rig_forget() */
	size_t out_n;
	char line[8192];
	pthread_t reader;
	pthread_mutex_t lock; /* of out */
	pthread_cond_t more;  /* out has grown */
	int stop[2];          /* a pipe: its end stops the reader */
};

static struct tui_rig rig;

#define RIG_MARK '\x16' /* no screen has it */

/* For the reader only.  Macros of Check are not for threads: they read the environment, which a test may
 * change at that time. */
static inline void rig_read(void)
{
	ssize_t n;

	while ((n = read(rig.master, rig.out + rig.out_n, sizeof(rig.out) - 1 - rig.out_n)) > 0) {
		rig.out_n += (size_t)n;
		if (rig.out_n == sizeof(rig.out) - 1)
			abort();
	}
	rig.out[rig.out_n] = '\0';
}

/* A pty holds only a few KiB, and a full one blocks the test: this thread reads while the test writes. */
static inline void *rig_read_all(void *unused)
{
	struct pollfd p[] = {{.fd = rig.master, .events = POLLIN}, {.fd = rig.stop[0]}};

	while (poll(p, 2, -1) > 0 && !p[1].revents) {
		pthread_mutex_lock(&rig.lock);
		rig_read();
		pthread_cond_signal(&rig.more);
		pthread_mutex_unlock(&rig.lock);
	}
	return unused;
}

static inline void rig_start_reader(void)
{
	sigset_t all, before;

	ck_assert_int_eq(pipe(rig.stop), 0);
	ck_assert_int_eq(pthread_mutex_init(&rig.lock, NULL), 0);
	ck_assert_int_eq(pthread_cond_init(&rig.more, NULL), 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ck_assert_int_eq(pthread_create(&rig.reader, NULL, rig_read_all, NULL), 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static inline void rig_stop_reader(void)
{
	if (rig.stop[1] < 0)
		return;
	close(rig.stop[1]);
	pthread_join(rig.reader, NULL);
	close(rig.stop[0]);
	rig.stop[1] = -1;
}

/* Removes the mark; returns false if it has not been read yet. */
static inline bool rig_take_mark(void)
{
	char *at = memchr(rig.out, RIG_MARK, rig.out_n);

	if (!at)
		return false;
	memmove(at, at + 1, (size_t)(rig.out + rig.out_n - at));
	rig.out_n--;
	return true;
}

/* Waits until all output until now has been read.  A mark shows its end, because it can be read only a while
 * after it was written. */
static inline void rig_drain(void)
{
	struct timespec until;
	const char mark = RIG_MARK;

	if (write(rig.slave, &mark, 1) < 0 && errno == EIO)
		return; /* the terminal is gone */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 300;
	pthread_mutex_lock(&rig.lock);
	while (!rig_take_mark())
		ck_assert_int_eq(pthread_cond_timedwait(&rig.more, &rig.lock, &until), 0);
	pthread_mutex_unlock(&rig.lock);
}

/* Forgets all output until now.  Under the lock: a read of the reader's may be under way. */
static inline void rig_forget(void)
{
	rig_drain();
	pthread_mutex_lock(&rig.lock);
	rig.out_n = 0;
	pthread_mutex_unlock(&rig.lock);
}

/* The terminal disappears, as when its window is closed. */
static inline void rig_hang_up(void)
{
	rig_stop_reader();
	close(rig.master);
	rig.master = open("/dev/null", O_RDWR | O_CLOEXEC);
}

static inline void rig_environment(void)
{
	ck_assert_int_eq(setenv("TERM", "xterm-256color", 1), 0);
	ck_assert_int_eq(setenv("LC_ALL", "C.UTF-8", 1), 0);
	ck_assert_int_eq(unsetenv("NO_COLOR"), 0);
}

static inline void rig_open(int columns, int rows)
{
	struct winsize ws = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};

	rig_environment();
	rig.out_n = 0;
	ck_assert_int_eq(openpty(&rig.master, &rig.slave, NULL, NULL, &ws), 0);
	ck_assert_int_eq(fcntl(rig.master, F_SETFL, O_NONBLOCK), 0);
	fflush(stdout);
	rig.saved_in = dup(STDIN_FILENO);
	rig.saved_out = dup(STDOUT_FILENO);
	ck_assert_int_ge(dup2(rig.slave, STDIN_FILENO), 0);
	ck_assert_int_ge(dup2(rig.slave, STDOUT_FILENO), 0);
	rig_start_reader();
}

static inline void rig_close(void)
{
	fflush(stdout);
	if (rig.saved_in >= 0)
		(void)dup2(rig.saved_in, STDIN_FILENO);
	else
		close(STDIN_FILENO);
	(void)dup2(rig.saved_out, STDOUT_FILENO);
	close(rig.saved_in);
	close(rig.saved_out);
	rig_stop_reader();
	close(rig.slave);
	close(rig.master);
}

static inline void rig_resize(int columns, int rows)
{
	struct winsize ws = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};

	ck_assert_int_eq(ioctl(rig.master, TIOCSWINSZ, &ws), 0);
}

/* Types the bytes, and waits until all of them can be read: they pass through the kernel's
 * line discipline, which takes its time. */
static inline void rig_type(const char *keys)
{
	int waiting = 0;

	ck_assert_int_eq(write(rig.master, keys, strlen(keys)), (ssize_t)strlen(keys));
	for (int i = 0; i < 60000 && waiting < (int)strlen(keys); i++) {
		if (i)
			usleep(1000);
		ck_assert_int_eq(ioctl(rig.slave, FIONREAD, &waiting), 0);
	}
}

/* A row of the screen, without trailing blanks. */
static inline const char *rig_row(int row)
{
	char *p = rig.line;
	int columns = getmaxx(stdscr);
	cchar_t cc;

	*p = '\0';
	for (int column = 0; column < columns; column++) {
		wchar_t ch[CCHARW_MAX + 1] = {0};
		attr_t attr;
		short pair;
		int n;

		if (mvin_wch(row, column, &cc) != OK)
			break;
		(void)getcchar(&cc, ch, &attr, &pair, NULL);
		n = snprintf(p, sizeof(rig.line) - (size_t)(p - rig.line), "%ls", ch);
		ck_assert_int_ge(n, 0);
		p += n;
		if (wcwidth(ch[0]) == 2)
			column++;
	}
	while (p > rig.line && p[-1] == ' ')
		*--p = '\0';
	return rig.line;
}

/* The attributes of a cell. */
static inline attr_t rig_attr(int row, int column)
{
	wchar_t ch[CCHARW_MAX + 1];
	attr_t attr = 0;
	short pair;
	cchar_t cc;

	ck_assert_int_eq(mvin_wch(row, column, &cc), OK);
	(void)getcchar(&cc, ch, &attr, &pair, NULL);
	return attr;
}

/* The first row that has the text; -1: none. */
static inline int row_with(const char *text)
{
	for (int row = 0; row < getmaxy(stdscr); row++)
		if (strstr(rig_row(row), text))
			return row;
	return -1;
}

static inline int selected_row(void)
{
	for (int row = 0; row < getmaxy(stdscr) - 1; row++) {
		cchar_t cc;
		wchar_t ch[CCHARW_MAX + 1];
		attr_t attr;
		short pair;

		(void)mvin_wch(row, getmaxx(stdscr) - 1, &cc);
		(void)getcchar(&cc, ch, &attr, &pair, NULL);
		if (pair == SM_TUI_SELECTED)
			return row;
	}
	return -1;
}

static inline void check_row(int row, const char *want)
{
	ck_assert_str_eq(rig_row(row), want);
}

static inline void check_last(const char *want)
{
	check_row(getmaxy(stdscr) - 1, want);
}

#endif
