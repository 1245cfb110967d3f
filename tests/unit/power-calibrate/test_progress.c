// SPDX-License-Identifier: GPL-2.0-or-later
/* The text written to standard error: a pipe, or a pseudo-terminal. */
#include <errno.h>
#include <pty.h>
#include <unistd.h>

#include "power-calibrate/progress.h"
#include "unit.h"

#define ERASE "\r\033[K"
#define SEC   SM_NSEC_PER_SEC

static const struct plan_test tests[] = {{0}, {.ppm = 500000, .cpus = 2},
	{.ppm = 125000, .cpus = 1, .block = 1}, {.ppm = 1000000, .cpus = 16, .block = 1}};
static const struct plan plan = {
	.test = (struct plan_test *)(uintptr_t)tests, .n = 4, .total_ns = 40 * SEC};
static struct progress p;
static int in, out, saved_err, saved_out;
static char text[512];

static void redirect(int err, int other)
{
	saved_err = dup(STDERR_FILENO);
	ck_assert_int_ge(dup2(err, STDERR_FILENO), 0);
	if (other < 0)
		return;
	saved_out = dup(STDOUT_FILENO);
	ck_assert_int_ge(dup2(other, STDOUT_FILENO), 0);
}

static void to_pipe(void)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	in = fds[0];
	out = fds[1];
	redirect(out, -1);
}

static bool to_terminal(bool both)
{
	if (openpty(&in, &out, NULL, NULL, NULL) < 0)
		return false;
	redirect(out, both ? out : -1);
	return true;
}

static void setup(void)
{
	p = (struct progress){0};
	saved_out = saved_err = -1;
}

static void restore(void)
{
	if (saved_err >= 0)
		dup2(saved_err, STDERR_FILENO);
	if (saved_out >= 0)
		dup2(saved_out, STDOUT_FILENO);
	saved_err = saved_out = -1;
}

/* Returns the output since the redirection, up to a #, because a terminal may pass it on
 * in parts. */
static const char *written(void)
{
	size_t n = 0;

	ck_assert_int_eq(write(STDERR_FILENO, "#", 1), 1);
	restore();
	while (n == 0 || text[n - 1] != '#') {
		ssize_t part = read(in, text + n, sizeof(text) - n);

		ck_assert_int_ge(part, 1);
		n += (size_t)part;
	}
	text[n - 1] = '\0';
	return text;
}

START_TEST(times)
{
	static const struct {
		uint64_t ns;
		const char *want;
	} t[] = {{0, "0 s"}, {SEC / 2 - 1, "0 s"}, {SEC / 2, "1 s"}, {59 * SEC, "59 s"},
		{60 * SEC, "1 min 0 s"}, {260 * SEC, "4 min 20 s"},
		{3600 * SEC, "1 h 0 min 0 s"}, {(90061) * SEC, "25 h 1 min 1 s"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		struct sm_buf b = {0};

		progress_time(&b, t[i].ns);
		sm_buf_chr(&b, '\0');
		ck_assert_str_eq(b.p, t[i].want);
		sm_buf_fini(&b);
	}
}
END_TEST

START_TEST(a_pipe_gets_nothing)
{
	to_pipe();
	progress_init(&p, false, false, false);
	progress_show(&p, &plan, 1, 30 * SEC);
	progress_test(&p, &plan, 1, 30 * SEC);
	progress_erase(&p);
	ck_assert_str_eq(written(), "");
}
END_TEST

START_TEST(a_pipe_gets_whole_lines_if_asked)
{
	to_pipe();
	progress_init(&p, true, true, true);
	progress_show(&p, &plan, 0, 39 * SEC);
	progress_test(&p, &plan, 1, 30 * SEC);
	progress_test(&p, &plan, 2, 10 * SEC);
	progress_test(&p, &plan, 4, 0);
	progress_erase(&p);
	ck_assert_str_eq(written(),
		"power-calibrate: 25.0%: test 2 of 4, 50% x 2, 30 s left\n"
		"power-calibrate: 75.0%: test 3 of 4, 12.5% x 1, 10 s left\n"
		"power-calibrate: 100.0%: test 4 of 4, 100% x 16, 0 s left\n");
}
END_TEST

START_TEST(a_terminal_has_one_line)
{
	if (!to_terminal(false))
		return;
	progress_init(&p, false, false, true);
	progress_erase(&p);
	progress_show(&p, &plan, 0, 30 * SEC);
	progress_test(&p, &plan, 1, 30 * SEC);
	progress_show(&p, &plan, 1, 20 * SEC);
	progress_erase(&p);
	progress_erase(&p);
	ck_assert_str_eq(written(), ERASE "25.0%: test 1 of 4, 0% x 0, 30 s left" ERASE
					  "50.0%: test 2 of 4, 50% x 2, 20 s left" ERASE);
}
END_TEST

START_TEST(a_terminal_that_is_quiet)
{
	if (!to_terminal(false))
		return;
	progress_init(&p, false, true, false);
	progress_show(&p, &plan, 0, 30 * SEC);
	progress_erase(&p);
	ck_assert_str_eq(written(), "");
}
END_TEST

/* Records of readings are progress enough on the same terminal. */
START_TEST(a_terminal_with_records)
{
	if (!to_terminal(true))
		return;
	progress_init(&p, true, false, true);
	progress_show(&p, &plan, 0, 30 * SEC);
	progress_erase(&p);
	ck_assert_str_eq(written(), "");
}
END_TEST

static TCase *tc_progress(void)
{
	TCase *tc = tcase_create("progress");

	tcase_add_checked_fixture(tc, setup, restore);
	tcase_add_test(tc, times);
	tcase_add_test(tc, a_pipe_gets_nothing);
	tcase_add_test(tc, a_pipe_gets_whole_lines_if_asked);
	tcase_add_test(tc, a_terminal_has_one_line);
	tcase_add_test(tc, a_terminal_that_is_quiet);
	tcase_add_test(tc, a_terminal_with_records);
	return tc;
}

UNIT_MAIN("progress", tc_progress)
