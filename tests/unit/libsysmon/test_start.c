// SPDX-License-Identifier: GPL-2.0-or-later
/* The message of each step of the start, and its exit code.  test_priv_drop has the drop.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/start.h"
#include "unit.h"

static int peer, kept;

/* stderr is a datagram socket: each message is one read. */
static void setup(void)
{
	int sv[2];

	kept = dup(STDERR_FILENO);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sv), 0);
	ck_assert_int_eq(dup2(sv[0], STDERR_FILENO), STDERR_FILENO);
	close(sv[0]);
	peer = sv[1];
	sm_err_init("demo");
}

static void teardown(void)
{
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(peer);
}

static const char *message(void)
{
	static char got[512];
	ssize_t n = recv(peer, got, sizeof(got) - 1, 0);

	if (n < 0)
		return "";
	got[n] = '\0';
	return got;
}

START_TEST(root)
{
	struct sm_root r;

	ck_assert_int_eq(sm_start_root(&r, NULL, true), 0);
	ck_assert(r.live && r.proc.fd >= 0);
	sm_root_close(&r);
	ck_assert_int_eq(sm_start_root(&r, "/no/such/root", true), SM_EXIT_RUNTIME);
	ck_assert_str_eq(message(), "demo: /no/such/root: No such file or directory\n");
	sm_root_close(&r);
	ck_assert_str_eq(message(), "");
}
END_TEST

START_TEST(standard_output)
{
	ck_assert_int_eq(sm_start_stdout(0), 0);
	ck_assert_int_eq(sm_start_stdout(1u << 0 | 1u << 2), 0);
	ck_assert_str_eq(message(), "");
	ck_assert_int_eq(sm_start_stdout(1u << 1), SM_EXIT_RUNTIME);
	ck_assert_str_eq(message(), "demo: standard output is closed\n");
}
END_TEST

START_TEST(realtime_that_is_refused)
{
	ck_assert_int_eq(sm_start_realtime(100000), 0); /* above every priority */
	ck_assert_str_eq(message(), "demo: real-time scheduling: Invalid argument; "
				    "continuing with normal scheduling\n");
}
END_TEST

static void full_disk(struct sm_sink *s, struct sm_writers *o, struct sm_loop *l)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_sink_init(s, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert_int_eq(sm_loop_init(l), 0);
	sm_writers_init(o, l);
	ck_assert_int_eq(sm_writers_add(o, s), 0);
	ck_assert(sm_sink_put(s, "x\n", 2, 1));
}

START_TEST(an_output_that_fails)
{
	struct sm_sink s;
	struct sm_writers o;
	struct sm_loop l;

	full_disk(&s, &o, &l);
	ck_assert_int_eq(sm_start_output_code(&o), 0);
	ck_assert(!sm_start_finish(&o));
	ck_assert_str_eq(message(), "");
	ck_assert_int_eq(sm_start_output_code(&o), SM_EXIT_RUNTIME);
	ck_assert_str_eq(message(), "demo: write error: No space left on device\n");
	sm_sink_close(&s);
	sm_loop_fini(&l);
}
END_TEST

/* No reader, and an interrupt: the unwritten rows are reported once. */
START_TEST(an_impatient_user)
{
	static char row[101];
	struct sm_sink s;
	struct sm_writers o;
	struct sm_loop l;
	int p[2];

	memset(row, 'x', 99);
	row[99] = '\n';
	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[1], SM_SINK_DEFAULT_MAX), 0);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGUSR1, 0}), 0);
	sm_writers_init(&o, &l);
	ck_assert_int_eq(sm_writers_add(&o, &s), 0);
	ck_assert_int_eq(fcntl(p[1], F_SETPIPE_SZ, 4096), 4096);
	for (int i = 0; i < 100; i++) /* a page holds 40 and a part of one */
		ck_assert(sm_sink_put(&s, row, 100, 1));
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert(sm_start_finish(&o));
	ck_assert_str_eq(message(), "demo: 60 rows were not written: interrupted\n");
	ck_assert_int_eq(sm_start_output_code(&o), SM_EXIT_RUNTIME);
	ck_assert_str_eq(message(), "");
	sm_sink_close(&s);
	sm_loop_fini(&l);
	close(p[0]);
	close(p[1]);
}
END_TEST

static TCase *tc_tool(void)
{
	TCase *tc = tcase_create("tool");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, root);
	tcase_add_test(tc, standard_output);
	tcase_add_test(tc, realtime_that_is_refused);
	tcase_add_test(tc, an_output_that_fails);
	tcase_add_test(tc, an_impatient_user);
	return tc;
}

UNIT_MAIN("tool", tc_tool)
