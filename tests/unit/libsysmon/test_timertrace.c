// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>

#include "cli/keeper.h"
#include "kernel/timertrace.h"
#include "timer_loads_rig.h"

static struct sm_timertrace trace;

static void open_buffers(size_t bytes)
{
	int err = sm_timertrace_open(&trace, &root, bytes);

	ck_assert_msg(
		err == 0 || err == -EPERM || err == -EACCES || err == -ENOENT, "%d", err);
	permitted = err == 0;
}

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	open_buffers(SM_TIMERTRACE_BUFFER_BYTES);
}

static void teardown(void)
{
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	sm_root_close(&root);
}

static struct timer_figures timer_read(void)
{
	const struct sm_timermodel *m = &trace.feed.model;

	sm_timertrace_read(&trace);
	ck_assert_uint_eq(trace.corrupt, 0);
	return (struct timer_figures){m->key, m->counts, m->n};
}

static struct sm_timer_losses timer_lost(void)
{
	return sm_timertrace_lost(&trace);
}

START_TEST(nothing_is_lost)
{
	if (!permitted)
		return;
	(void)run("sleeps", sleeps); /* until none is */
	ck_assert_uint_eq(timer_lost().owners, 0);
}
END_TEST

START_TEST(timers_one_by_one)
{
	if (!permitted)
		return;
	trace.feed.model.by_timer = true;
	timers_are_apart();
}
END_TEST

START_TEST(losses_are_counted)
{
	if (!permitted)
		return;
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	open_buffers(65536);
	losses_add_up();
}
END_TEST

START_TEST(half_full_is_readable)
{
	struct pollfd fd[1024];

	if (!permitted || trace.n > SM_ARRAY_SIZE(fd))
		return;
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	open_buffers(65536);
	for (unsigned int i = 0; i < trace.n; i++)
		fd[i] = (struct pollfd){
			.fd = sm_timertrace_fd(&trace, i), .events = POLLIN};
	(void)run_once("arms", arms);
	ck_assert_int_ge(poll(fd, trace.n, 1000), 1);
}
END_TEST

static bool instance_exists(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "instances/eventstat.%d", (int)pid);
	return fstatat(trace.tracefs_fd, path, &st, 0) == 0;
}

/* What users of the global instance would notice. */
static void global_state(char *text, size_t cap)
{
	static const char *const file[] = {"set_event", "trace_clock", "tracing_on",
		"buffer_size_kb", "events/timer/enable"};
	size_t n = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(file); i++) {
		ssize_t got = sm_file_slurp(
			sm_at_fd(trace.tracefs_fd), file[i], text + n, cap - n);

		n += got > 0 ? (size_t)got : 0;
	}
	ck_assert_uint_gt(n, 0);
}

START_TEST(only_its_own_instance)
{
	char during[4096], after[4096];
	int dir;

	if (!permitted)
		return;
	ck_assert(instance_exists(getpid()));
	global_state(during, sizeof(during));
	dir = dup(trace.tracefs_fd);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	trace.tracefs_fd = dir;
	ck_assert(!instance_exists(getpid()));
	global_state(after, sizeof(after));
	ck_assert_str_eq(during, after);
}
END_TEST

START_TEST(those_of_the_dead_are_removed)
{
	pid_t pid;

	if (!permitted)
		return;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct sm_timertrace left;

		_exit(sm_timertrace_open(&left, &root, 65536) != 0);
	}
	waitpid(pid, NULL, 0);
	ck_assert(instance_exists(pid));
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	open_buffers(65536);
	ck_assert(!instance_exists(pid));
	ck_assert(instance_exists(getpid()));
}
END_TEST

START_TEST(those_of_the_dead_are_cleaned_without_another)
{
	pid_t pid;

	if (!permitted)
		return;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct sm_timertrace left;

		_exit(sm_timertrace_open(&left, &root, 65536) != 0);
	}
	waitpid(pid, NULL, 0);
	sm_timertrace_clean(&root);
	ck_assert(!instance_exists(pid));
	ck_assert(instance_exists(getpid()));
}
END_TEST

START_TEST(others_of_the_living_stay)
{
	int p[2];
	pid_t pid;
	char c;

	if (!permitted)
		return;
	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0); /* the child has none of it */
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct sm_timertrace second;

		if (sm_timertrace_open(&second, &root, 65536) == 0)
			(void)!write(p[1], "x", 1);
		pause();
	}
	ck_assert_int_eq(read(p[0], &c, 1), 1);
	open_buffers(65536);
	ck_assert(instance_exists(pid));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	open_buffers(65536);
	ck_assert(!instance_exists(pid));
}
END_TEST

static void remove_it(const void *ctx)
{
	sm_timertrace_remove(ctx);
}

/* With a keeper nothing is left even of one that was killed. */
START_TEST(removed_after_sigkill)
{
	int p[2], tries = 1000;
	pid_t pid;
	char c;

	if (!permitted)
		return;
	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct sm_keeper k;

		if (sm_timertrace_open(&trace, &root, 65536) == 0 &&
			sm_keeper_start(&k, trace.tracefs_fd, remove_it, &trace) == 0)
			(void)!write(p[1], "x", 1);
		pause();
	}
	ck_assert_int_eq(read(p[0], &c, 1), 1);
	trace.tracefs_fd = sm_tracefs_open(&root);
	ck_assert(instance_exists(pid));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	while (instance_exists(pid) && --tries)
		nap(10000000);
	ck_assert_int_gt(tries, 0);
}
END_TEST

START_TEST(closed_twice)
{
	unsigned int before;

	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	before = unit_open_fds();
	open_buffers(65536);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

START_TEST(lost_of_stats)
{
	static const char text[] = "entries: 12\noverrun: 7\ncommit overrun: 2\n"
				   "bytes: 99\noldest event ts:  5.1\nnow ts:  6.2\n"
				   "dropped events: 1\nread events: 3\n";

	ck_assert_uint_eq(sm_timertrace_parse_stats(text, sizeof(text) - 1), 10);
	ck_assert_uint_eq(sm_timertrace_parse_stats("overrun: -1\noverrun:", 20), 0);
	ck_assert_uint_eq(sm_timertrace_parse_stats("", 0), 0);
}
END_TEST

START_TEST(recorded_machines_have_none)
{
	struct sm_root fixture;

	ck_assert_int_eq(sm_root_open(&fixture, "tests/fixtures/small"), 0);
	ck_assert_int_eq(sm_timertrace_open(&trace, &fixture, 65536), -EROFS);
	ck_assert_int_eq(sm_timertrace_close(&trace), 0);
	sm_root_close(&fixture);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	timer_tests(tc);
	tcase_add_test(tc, nothing_is_lost);
	tcase_add_test(tc, timers_one_by_one);
	tcase_add_test(tc, losses_are_counted);
	tcase_add_test(tc, half_full_is_readable);
	tcase_add_test(tc, only_its_own_instance);
	tcase_add_test(tc, those_of_the_dead_are_removed);
	tcase_add_test(tc, those_of_the_dead_are_cleaned_without_another);
	tcase_add_test(tc, others_of_the_living_stay);
	tcase_add_test(tc, removed_after_sigkill);
	tcase_add_test(tc, closed_twice);
	return tc;
}

static TCase *tc_text(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_test(tc, lost_of_stats);
	tcase_add_test(tc, recorded_machines_have_none);
	return tc;
}

UNIT_MAIN("timertrace", tc_live, tc_text)
