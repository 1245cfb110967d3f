/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: the main() of every Check suite.  UNIT_MAIN("map", tc1, tc2) runs the TCase
 * builders in fork mode and prints TAP to stdout (other CK_ variables work as usual).  Locale,
 * time zone and Check's time limit do not depend on the environment.
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A small file as text. */
static inline const char *unit_slurp(const char *path, char *text, size_t cap)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	n = read(fd, text, cap - 1);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	close(fd);
	return text;
}

enum { UNIT_DIR = 32 };

/* The directory of all tests of a program: its end removes what a failed test has left. */
static char unit_top[UNIT_DIR - sizeof("XXXXXX")];

/* In memory where that is possible: in /dev/shm, else in TMPDIR if its name fits, else in /tmp.  A test may
 * change its user, so that everyone may make directories in it. */
static inline bool unit_open_top(void)
{
	const char *const base[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
	const int size = sizeof(unit_top);

	for (size_t i = 0; i < sizeof(base) / sizeof(base[0]); i++)
		if (base[i] &&
			snprintf(unit_top, sizeof(unit_top), "%s/sm-test-XXXXXX", base[i]) < size &&
			mkdtemp(unit_top))
			return chmod(unit_top, 01777) == 0;
	return false;
}

/* Makes a directory for a test's files. */
static inline void unit_mkdtemp(char dir[UNIT_DIR])
{
	snprintf(dir, UNIT_DIR, "%s/XXXXXX", unit_top);
	ck_assert_msg(mkdtemp(dir) != NULL, "no directory for temporary files");
}

static inline int unit_remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* A directory with its contents; 0: it is removed. */
static inline int unit_remove(const char *dir)
{
	return nftw(dir, unit_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* True if this process has the capability; root in a container lacks some. */
static inline bool unit_has_cap(unsigned int cap)
{
	char text[4096];
	const char *line = strstr(
		unit_slurp("/proc/self/status", text, sizeof(text)), "CapEff:");

	return line && strtoull(line + strlen("CapEff:"), NULL, 16) >> cap & 1;
}

/* True in "make check-live": cases that need a quiet machine, or long, run too. */
static inline bool unit_live(void)
{
	return getenv("CHECK_LIVE") != NULL;
}

/* The number of open descriptors, and a constant. */
static inline unsigned int unit_open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* The running test is skipped if nothing fails after this: tap.awk reads the line before its "ok". */
static inline void __attribute__((format(printf, 1, 2)))
unit_skip(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	printf("# not tested: ");
	vprintf(format, ap);
	puts("");
	fflush(stdout);
	va_end(ap);
}

/* Resets SIGINT and SIGTERM in the process of a test, for its children.  Check's handlers, which they would
 * inherit, send the signal to the whole group. */
static inline void unit_default_signals(void)
{
	static bool is_test;

	if (is_test)
		return;
	is_test = true;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

static inline int unit_run(const char *name, TCase *(*const *cases)(void), size_t n)
{
	Suite *s = suite_create(name);
	SRunner *r;
	int failed;

	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("CK_DEFAULT_TIMEOUT", "300", 0); /* seconds; a busy machine is slow */
	if (!unit_open_top() || pthread_atfork(NULL, NULL, unit_default_signals))
		return EXIT_FAILURE;
	for (size_t i = 0; i < n; i++)
		suite_add_tcase(s, cases[i]());
	r = srunner_create(s);
	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	failed = srunner_ntests_failed(r);
	if (srunner_ntests_run(r) == 0)
		failed = 1;
	srunner_free(r);
	unit_remove(unit_top);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(name, ...)                                                             \
	int main(void)                                                                   \
	{                                                                                \
		static TCase *(*const cases[])(void) = { __VA_ARGS__ };                  \
		return unit_run(name, cases, sizeof(cases) / sizeof(cases[0]));          \
	}

#endif
