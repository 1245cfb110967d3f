/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit: the main() of every Check suite.  UNIT_MAIN("hash", tc1, tc2) runs the TCase
 * builders in fork mode and prints TAP to stdout (other CK_ variables work as usual).
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
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

static inline int unit_run(const char *name, TCase *(*const *cases)(void), size_t n)
{
	Suite *s = suite_create(name);
	SRunner *r;
	int failed;

	for (size_t i = 0; i < n; i++)
		suite_add_tcase(s, cases[i]());
	r = srunner_create(s);
	srunner_set_tap(r, "-");
	srunner_run_all(r, CK_SILENT);
	failed = srunner_ntests_failed(r);
	if (srunner_ntests_run(r) == 0)
		failed = 1;
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(name, ...)                                                             \
	int main(void)                                                                   \
	{                                                                                \
		static TCase *(*const cases[])(void) = { __VA_ARGS__ };                  \
		return unit_run(name, cases, sizeof(cases) / sizeof(cases[0]));          \
	}

#endif
