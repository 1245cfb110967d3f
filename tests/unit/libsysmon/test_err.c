// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "cli/err.h"
#include "unit.h"

/* stderr is a datagram socket here: each write(2) is a message of its own. */
static int peer;
static char got[65536];

static void catch_stderr(void)
{
	int sv[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sv), 0);
	ck_assert_int_eq(dup2(sv[0], STDERR_FILENO), STDERR_FILENO);
	close(sv[0]);
	peer = sv[1];
}

static const char *message(void)
{
	ssize_t n = recv(peer, got, sizeof(got) - 1, 0);

	if (n < 0)
		return NULL;
	got[n] = '\0';
	ck_assert_uint_eq(strlen(got), (size_t)n);
	return got;
}

START_TEST(one_write)
{
	catch_stderr();
	sm_err("early");
	ck_assert_str_eq(message(), "sysmon: early\n");
	sm_err_init("demo");
	sm_err("cannot open '%s': %s (%d)", "x", "no", 7);
	ck_assert_str_eq(message(), "demo: cannot open 'x': no (7)\n");
	ck_assert_ptr_null(message());
	sm_err("a\nb");
	ck_assert_str_eq(message(), "demo: a\nb\n");
	ck_assert_ptr_null(message());
	sm_err("%s", "");
	ck_assert_str_eq(message(), "demo: \n");
}
END_TEST

START_TEST(text_of_several_lines)
{
	struct sm_buf b = {0};

	catch_stderr();
	sm_err_init("demo");
	sm_buf_str(&b, "two\nlines %s\n");
	sm_err_text(&b);
	ck_assert_str_eq(message(), "demo: two\nlines %s\n");
	ck_assert_ptr_null(b.p);
	sm_err_text(&b);
	ck_assert_ptr_null(message());
}
END_TEST

START_TEST(long_message)
{
	static char big[50000];
	const char *m;

	memset(big, 'x', sizeof(big) - 1);
	catch_stderr();
	sm_err_init("demo");
	sm_err("%s", big);
	m = message();
	ck_assert_ptr_nonnull(m);
	ck_assert_uint_gt(strlen(m), 8000);
	ck_assert_uint_le(strlen(m), 8192);
	ck_assert_str_eq(m + strlen(m) - 3, "xx\n");
	ck_assert_int_eq(strncmp(m, "demo: xxx", 9), 0);
	ck_assert_ptr_null(message());
	sm_err_init(big);
	sm_err("lost");
	m = message();
	ck_assert_ptr_nonnull(m);
	ck_assert_int_eq(m[strlen(m) - 1], '\n');
}
END_TEST

START_TEST(what_failed_is_made_harmless)
{
	catch_stderr();
	sm_err_init("demo");
	sm_err_at("/no/such", -ENOENT);
	ck_assert_str_eq(message(), "demo: /no/such: No such file or directory\n");
	sm_err_at("a\x1b[31mb\nc", -ENOSPC);
	ck_assert_str_eq(message(), "demo: a\\x1b[31mb\\x0ac: No space left on device\n");
	sm_err_at("", -EIO);
	ck_assert_str_eq(message(), "demo: : Input/output error\n");
	sm_err_at("/proc", -EMFILE);
	ck_assert_str_eq(message(), "demo: /proc: Too many open files; raise the limit "
				    "of the process (ulimit -n)\n");
	sm_err_at("/proc", -ENFILE);
	ck_assert_str_eq(message(), "demo: /proc: Too many open files in system; raise "
				    "the limit of the system "
				    "(sysctl fs.file-max)\n");
}
END_TEST

START_TEST(errno_is_kept)
{
	close(STDERR_FILENO);
	errno = ENOTTY;
	sm_err("standard error is closed");
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

START_TEST(exit_codes)
{
	static const struct {
		int err;
		enum sm_exit code;
	} want[] = {
		{EPERM, SM_EXIT_PERMISSION},
		{EACCES, SM_EXIT_PERMISSION},
		{ENOSYS, SM_EXIT_FEATURE},
		{ENODEV, SM_EXIT_FEATURE},
		{ENOENT, SM_EXIT_FEATURE},
		{ENOPROTOOPT, SM_EXIT_FEATURE},
		{EPROTONOSUPPORT, SM_EXIT_FEATURE},
		{ECONNREFUSED, SM_EXIT_FEATURE},
		{EIO, SM_EXIT_RUNTIME},
		{ENOMEM, SM_EXIT_RUNTIME},
		{0, SM_EXIT_RUNTIME},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(want); i++) {
		ck_assert_int_eq(sm_err_exit(want[i].err), want[i].code);
		ck_assert_int_eq(sm_err_exit(-want[i].err), want[i].code);
	}
	/* Documented numbers. */
	ck_assert_int_eq(SM_EXIT_USAGE, 2);
	ck_assert_int_eq(SM_EXIT_FEATURE, 3);
	ck_assert_int_eq(SM_EXIT_PERMISSION, 4);
	ck_assert_int_eq(SM_EXIT_LOST, 5);
}
END_TEST

static TCase *tc_err(void)
{
	TCase *t = tcase_create("err");

	tcase_add_test(t, one_write);
	tcase_add_test(t, text_of_several_lines);
	tcase_add_test(t, long_message);
	tcase_add_test(t, what_failed_is_made_harmless);
	tcase_add_test(t, errno_is_kept);
	tcase_add_test(t, exit_codes);
	return t;
}

UNIT_MAIN("err", tc_err)
