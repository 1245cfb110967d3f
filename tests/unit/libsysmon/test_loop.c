// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/clock.h"
#include "cli/loop.h"
#include "unit.h"

struct seen {
	int calls;
	short revents;
};

static void note(void *ctx, short revents)
{
	struct seen *s = ctx;

	s->calls++;
	s->revents = revents;
}

static uint64_t in_ms(unsigned int ms)
{
	return sm_clock_mono_ns() + ms * SM_NSEC_PER_MSEC;
}

static void make_pipe(int fds[2])
{
	ck_assert_int_eq(pipe(fds), 0);
}

START_TEST(deadline_is_waited_for)
{
	struct sm_loop l;
	uint64_t start = sm_clock_mono_ns(), took;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_wait(&l, in_ms(30)), 0);
	took = sm_clock_mono_ns() - start;
	ck_assert_uint_ge(took, 30 * SM_NSEC_PER_MSEC);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(deadline_in_the_past_does_not_wait)
{
	struct sm_loop l;
	struct seen s = {0, 0};
	int p[2];

	make_pipe(p);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, note, &s), 0);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	ck_assert_int_eq(sm_loop_wait(&l, sm_clock_mono_ns() - 1), 0);
	ck_assert_int_eq(s.calls, 0);
	/* but what is ready is served */
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 1);
	ck_assert_int_eq(s.calls, 1);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(fd_calls_its_function)
{
	struct sm_loop l;
	struct seen a = {0, 0}, b = {0, 0};
	int p[2], q[2];

	make_pipe(p);
	make_pipe(q);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, note, &a), 0);
	ck_assert_int_eq(sm_loop_add(&l, q[0], POLLIN, note, &b), 1);
	ck_assert_int_eq(write(q[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_int_eq(a.calls, 0);
	ck_assert_int_eq(b.calls, 1);
	ck_assert_int_eq(b.revents, POLLIN);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 2);
	ck_assert_int_eq(a.calls, 1);
	ck_assert_int_eq(b.calls, 2);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(source_without_function_ends_the_wait)
{
	struct sm_loop l;
	int p[2];

	make_pipe(p);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, NULL, NULL), 0);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(closed_reader_is_reported_with_events_0)
{
	struct sm_loop l;
	struct seen s = {0, 0};
	int p[2];

	make_pipe(p);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[1], 0, note, &s), 0);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0); /* writable, but not requested */
	close(p[0]);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_int_eq(s.calls, 1);
	ck_assert_int_ne(s.revents & POLLERR, 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(source_is_turned_off_and_on)
{
	struct sm_loop l;
	struct seen s = {0, 0};
	int p[2], h;

	make_pipe(p);
	ck_assert_int_ge(dup2(p[0], 0), 0); /* fd 0 has no negative */
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	h = sm_loop_add(&l, 0, POLLIN, note, &s);
	ck_assert_int_eq(h, 0);
	sm_loop_events(&l, h, -1);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	sm_loop_events(&l, h, -1); /* again: stays off */
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	sm_loop_events(&l, h, 0); /* on, but only for errors */
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	sm_loop_events(&l, h, POLLIN);
	sm_loop_events(&l, h, POLLIN);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 1);
	ck_assert_int_eq(s.calls, 1);
	sm_loop_fini(&l);
}
END_TEST

static void turn_off_second(void *ctx, short revents)
{
	(void)revents;
	sm_loop_events(ctx, 1, -1);
}

START_TEST(source_turned_off_by_another_is_not_called)
{
	struct sm_loop l;
	struct seen s = {0, 0};
	int p[2];

	make_pipe(p);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, turn_off_second, &l), 0);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, note, &s), 1);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 2);
	ck_assert_int_eq(s.calls, 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(table_is_bounded)
{
	struct sm_loop l;
	int p[2];

	make_pipe(p);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_add(&l, -1, POLLIN, NULL, NULL), -EBADF);
	for (int i = 0; i < SM_LOOP_MAX; i++)
		ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, NULL, NULL), i);
	ck_assert_int_eq(sm_loop_add(&l, p[0], POLLIN, NULL, NULL), -ENOSPC);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGUSR1, 0}), -ENOSPC);
	ck_assert_int_eq(l.sigfd, -1);
	sm_loop_fini(&l);
}
END_TEST

static uint64_t bit(int signo)
{
	return UINT64_C(1) << (signo - 1);
}

START_TEST(signal_ends_the_wait)
{
	struct sm_loop l;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGINT, SIGUSR1, 0}), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGUSR2, 0}), -EBUSY);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	ck_assert_uint_eq(l.pending, 0);
	ck_assert_int_eq(raise(SIGUSR1), 0);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, bit(SIGUSR1));
	ck_assert_int_eq(raise(SIGINT), 0);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, bit(SIGUSR1) | bit(SIGINT));
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(two_signals_at_once_are_both_reported)
{
	struct sm_loop l;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGUSR1, SIGUSR2, 0}), 0);
	raise(SIGUSR1);
	raise(SIGUSR2);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, bit(SIGUSR1) | bit(SIGUSR2));
	sm_loop_fini(&l);
}
END_TEST

/* Which ones: they stay until the tool clears them; SIGRTMAX is the last bit. */
START_TEST(pending_tells_which)
{
	struct sm_loop l;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGHUP, SIGUSR2, 64, 0}), 0);
	ck_assert_uint_eq(l.pending, 0);
	raise(SIGUSR2);
	raise(SIGHUP);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, bit(SIGHUP) | bit(SIGUSR2));
	ck_assert_int_eq(kill(getpid(), 64), 0);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, bit(SIGHUP) | bit(SIGUSR2) | UINT64_C(1) << 63);
	l.pending = 0;
	raise(SIGHUP);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(l.pending, 1);
	sm_loop_fini(&l);
}
END_TEST

/* What kill(2) sends is not typed; what is, 40-tty.sh and 57-cs-command.sh type. */
START_TEST(taking_signals)
{
	uint64_t typed = 7;
	struct sm_loop l;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGINT, SIGUSR1, 0}), 0);
	ck_assert_uint_eq(sm_loop_take(&l, &typed), 0);
	ck_assert_uint_eq(typed, 0);
	raise(SIGINT);
	raise(SIGUSR1);
	ck_assert_int_eq(sm_loop_wait(&l, SM_LOOP_FOREVER), 1);
	ck_assert_uint_eq(sm_loop_take(&l, &typed), bit(SIGINT) | bit(SIGUSR1));
	ck_assert_uint_eq(typed, 0);
	ck_assert_uint_eq(sm_loop_take(&l, NULL), 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(released_signals_act)
{
	struct sm_loop l;
	sigset_t now;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGTERM, 0}), 0);
	sm_loop_release(&l);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	ck_assert_int_eq(sigismember(&now, SIGTERM), 0);
	sm_loop_catch(&l);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	ck_assert_int_eq(sigismember(&now, SIGTERM), 1);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(ignored_signal_stays_ignored)
{
	struct sm_loop l;
	sigset_t now;

	ck_assert_ptr_ne(signal(SIGHUP, SIG_IGN), SIG_ERR);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGHUP, SIGTERM, 0}), 0);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	ck_assert_int_eq(sigismember(&now, SIGHUP), 0);
	ck_assert_int_eq(sigismember(&now, SIGTERM), 1);
	raise(SIGHUP);
	ck_assert_int_eq(sm_loop_wait(&l, 0), 0);
	ck_assert_uint_eq(l.pending, 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(bad_signal_number_is_refused)
{
	struct sm_loop l;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){100000, 0}), -EINVAL);
	sm_loop_fini(&l);
}
END_TEST

static void on_alarm(int signo)
{
	(void)signo;
}

START_TEST(eintr_counts_as_nothing)
{
	struct sm_loop l;
	struct sigaction sa = {.sa_handler = on_alarm};

	ck_assert_int_eq(sigaction(SIGALRM, &sa, NULL), 0);
	ck_assert_int_eq(sm_loop_init(&l), 0);
	ualarm(20000, 0);
	ck_assert_int_eq(sm_loop_wait(&l, in_ms(3000)), 0);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(child_gets_the_old_mask)
{
	struct sm_loop l;
	int status;
	pid_t pid;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGTERM, 0}), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		sm_loop_release(&l);
		raise(SIGTERM);
		_exit(7);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	sm_loop_fini(&l);
}
END_TEST

START_TEST(fini_drops_what_is_pending)
{
	struct sm_loop l;
	sigset_t now;

	ck_assert_int_eq(sm_loop_init(&l), 0);
	ck_assert_int_eq(sm_loop_signals(&l, (const int[]){SIGTERM, SIGUSR1, 0}), 0);
	raise(SIGTERM);
	raise(SIGUSR1);
	sm_loop_fini(&l); /* would end the test if SIGTERM struck */
	ck_assert_int_eq(l.sigfd, -1);
	ck_assert_int_eq(sigprocmask(SIG_BLOCK, NULL, &now), 0);
	ck_assert_int_eq(sigismember(&now, SIGTERM), 0);
}
END_TEST

static TCase *tc_wait(void)
{
	TCase *tc = tcase_create("wait");

	tcase_add_test(tc, deadline_is_waited_for);
	tcase_add_test(tc, deadline_in_the_past_does_not_wait);
	tcase_add_test(tc, fd_calls_its_function);
	tcase_add_test(tc, source_without_function_ends_the_wait);
	tcase_add_test(tc, closed_reader_is_reported_with_events_0);
	tcase_add_test(tc, source_is_turned_off_and_on);
	tcase_add_test(tc, source_turned_off_by_another_is_not_called);
	tcase_add_test(tc, table_is_bounded);
	return tc;
}

static TCase *tc_signals(void)
{
	TCase *tc = tcase_create("signals");

	tcase_add_test(tc, signal_ends_the_wait);
	tcase_add_test(tc, two_signals_at_once_are_both_reported);
	tcase_add_test(tc, pending_tells_which);
	tcase_add_test(tc, taking_signals);
	tcase_add_test(tc, released_signals_act);
	tcase_add_test(tc, ignored_signal_stays_ignored);
	tcase_add_test(tc, bad_signal_number_is_refused);
	tcase_add_test(tc, eintr_counts_as_nothing);
	tcase_add_test(tc, child_gets_the_old_mask);
	tcase_add_test(tc, fini_drops_what_is_pending);
	return tc;
}

UNIT_MAIN("loop", tc_wait, tc_signals)
