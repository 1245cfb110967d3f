// SPDX-License-Identifier: GPL-2.0-or-later
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/writers.h"
#include "unit.h"

#define SINKS 2

static struct sm_loop loop;
static struct sm_writers out;
static struct sm_sink sink[SINKS];
static int reader[SINKS], writer[SINKS];

static struct timespec still; /* where the time stands still, or 0 */

/* Stands for the function of the C library. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(
			RTLD_NEXT, "clock_gettime");
	if (id != CLOCK_MONOTONIC || !still.tv_sec)
		return next(id, ts);
	*ts = still;
	return 0;
}

/* A reader that has to wait for a CPU is not too slow. */
static void stop_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	still = ts;
}

static void open_pipe(unsigned int i)
{
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	reader[i] = p[0];
	writer[i] = p[1];
	ck_assert_int_eq(sm_sink_init(&sink[i], p[1], SM_SINK_DEFAULT_MAX), 0);
}

static void setup(void)
{
	static const int signals[] = {SIGUSR1, SIGCHLD, SIGWINCH, 0};

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(sm_loop_init(&loop), 0);
	ck_assert_int_eq(sm_loop_signals(&loop, signals), 0);
	sm_writers_init(&out, &loop);
	for (unsigned int i = 0; i < SINKS; i++) {
		open_pipe(i);
		ck_assert_int_eq(sm_writers_add(&out, &sink[i]), 0);
	}
}

static void teardown(void)
{
	for (unsigned int i = 0; i < SINKS; i++) {
		sm_sink_close(&sink[i]);
		close(reader[i]);
		close(writer[i]);
	}
	sm_loop_fini(&loop);
	signal(SIGPIPE, SIG_DFL);
	still.tv_sec = 0;
}

static void close_reader(unsigned int i)
{
	close(reader[i]);
	reader[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* More than a pipe takes: 200000 bytes, 100 to a row. */
#define ROWS	  2000u
#define ROW_BYTES 100u

static void put_rows(unsigned int i, unsigned int n)
{
	char row[ROW_BYTES + 1];

	for (unsigned int k = 0; k < n; k++) {
		snprintf(row, sizeof(row), "%0*u\n", (int)ROW_BYTES - 1, k);
		ck_assert(sm_sink_put(&sink[i], row, ROW_BYTES, 1));
	}
}

/* A child that reads all after a while, and says by its exit code whether all came. */
static pid_t slow_reader(unsigned int i, unsigned int wait_ms, size_t bytes)
{
	pid_t pid = fork();
	char buf[4096];
	size_t all = 0;
	ssize_t n;

	ck_assert_int_ge(pid, 0);
	if (pid)
		return pid;
	for (unsigned int k = 0; k < SINKS; k++) {
		close(writer[k]);
		close(sink[k].fd);
	}
	usleep(wait_ms * 1000);
	while (all < bytes && (n = read(reader[i], buf, sizeof(buf))) > 0)
		all += (size_t)n;
	_exit(all == bytes ? 0 : 1);
}

static void expect_all_read(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * SM_NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

START_TEST(flush_writes_to_all)
{
	char got[8] = "";

	ck_assert(sm_sink_put(&sink[0], "one\n", 4, 1));
	ck_assert(sm_sink_put(&sink[1], "two\n", 4, 1));
	ck_assert(!sm_writers_empty(&out));
	ck_assert(sm_writers_flush(&out));
	ck_assert(sm_writers_empty(&out));
	ck_assert_int_eq(read(reader[0], got, sizeof(got)), 4);
	ck_assert_mem_eq(got, "one\n", 4);
	ck_assert_int_eq(read(reader[1], got, sizeof(got)), 4);
	ck_assert_mem_eq(got, "two\n", 4);
	ck_assert_uint_eq(sm_writers_waiting(&out), 0);
	ck_assert_int_eq(sm_loop_wait(&loop, 0), 0); /* nothing to wake for */
}
END_TEST

/* The loop wakes when the reader has made room, not before and not after. */
START_TEST(what_waits_is_polled_for)
{
	char buf[65536];
	size_t all = 0;

	put_rows(0, ROWS);
	ck_assert(sm_writers_flush(&out));
	ck_assert_uint_eq(sm_writers_waiting(&out),
		(sink[0].queued_bytes + ROW_BYTES - 1) / ROW_BYTES);
	ck_assert_uint_gt(sm_writers_waiting(&out), 500);
	ck_assert(!sm_writers_empty(&out));
	ck_assert_int_eq(sm_loop_wait(&loop, 0), 0);
	while (all < ROWS * ROW_BYTES) {
		ssize_t n = read(reader[0], buf, sizeof(buf));

		ck_assert_int_gt(n, 0);
		all += (size_t)n;
		if (sm_writers_waiting(&out))
			ck_assert_int_eq(
				sm_loop_wait(&loop, sm_clock_mono_ns() + SM_NSEC_PER_SEC),
				1);
		ck_assert(sm_writers_flush(&out));
	}
	ck_assert_uint_eq(sm_writers_waiting(&out), 0);
	ck_assert_int_eq(sm_loop_wait(&loop, 0), 0);
}
END_TEST

/* ... also between two rows. */
START_TEST(no_reader)
{
	close_reader(1);
	ck_assert(!out.no_reader);
	ck_assert_int_eq(sm_loop_wait(&loop, SM_LOOP_FOREVER), 1);
	ck_assert(out.no_reader);
	ck_assert(!sm_writers_flush(&out));
	ck_assert_int_eq(sm_writers_finish(&out), -EPIPE);
	ck_assert_int_eq(out.err, 0);
}
END_TEST

START_TEST(reader_gone_seen_by_the_write)
{
	close_reader(0);
	ck_assert(sm_sink_put(&sink[0], "x\n", 2, 1));
	ck_assert(!sm_writers_flush(&out));
	ck_assert(out.no_reader);
	ck_assert_int_eq(out.err, 0);
}
END_TEST

START_TEST(first_error_stays)
{
	struct sm_sink full;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_sink_init(&full, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert_int_eq(sm_writers_add(&out, &full), 0);
	ck_assert(sm_sink_put(&full, "x\n", 2, 1));
	ck_assert(!sm_writers_flush(&out));
	ck_assert_int_eq(out.err, -ENOSPC);
	ck_assert(!out.no_reader);
	ck_assert_int_eq(sm_writers_finish(&out), -ENOSPC);
	sm_sink_close(&full);
	close(fd);
}
END_TEST

START_TEST(bounded)
{
	for (unsigned int i = SINKS; i < SM_WRITERS_MAX; i++)
		ck_assert_int_eq(sm_writers_add(&out, &sink[0]), 0);
	ck_assert_int_eq(sm_writers_add(&out, &sink[0]), -ENOSPC);
	ck_assert_uint_eq(out.n, SM_WRITERS_MAX);
}
END_TEST

START_TEST(finish_waits_for_a_slow_reader)
{
	uint64_t start = sm_clock_ns(CLOCK_BOOTTIME);
	pid_t pid;

	put_rows(0, ROWS);
	pid = slow_reader(0, 100, ROWS * ROW_BYTES);
	stop_time();
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_uint_ge(sm_clock_ns(CLOCK_BOOTTIME) - start, 50 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(sm_writers_waiting(&out), 0);
	expect_all_read(pid);
}
END_TEST

/* A last line without an end is output, too. */
START_TEST(finish_writes_what_is_no_line)
{
	static char big[200000];
	pid_t pid;

	memset(big, 'x', sizeof(big));
	ck_assert(sm_sink_put(&sink[0], big, sizeof(big), 1));
	pid = slow_reader(0, 50, sizeof(big));
	stop_time();
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_uint_eq(sink[0].queued_bytes, 0);
	expect_all_read(pid);
}
END_TEST

START_TEST(finish_is_ended_by_a_signal)
{
	put_rows(0, ROWS);
	ck_assert(sm_writers_flush(&out));
	raise(SIGUSR1);
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_int_eq(out.gave_up, -EINTR);
	ck_assert_uint_gt(out.lost, 500);
	ck_assert_uint_eq(sink[0].dropped, out.lost);
	ck_assert_uint_eq(loop.pending, UINT64_C(1) << (SIGUSR1 - 1));
}
END_TEST

/* A reader that has stopped loses its rows; the other output gets the later ones. */
START_TEST(finish_does_not_wait_for_ever)
{
	uint64_t start = sm_clock_mono_ns();
	char got[8] = "";

	put_rows(0, ROWS);
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_uint_ge(sm_clock_mono_ns() - start, SM_WRITERS_PATIENCE_NS);
	ck_assert_int_eq(out.gave_up, -ETIMEDOUT);
	ck_assert_uint_eq(out.lost, ROWS - sink[0].written_bytes / ROW_BYTES);
	ck_assert(!sm_sink_put(&sink[0], "x\n", 2, 1));
	ck_assert(sm_sink_put(&sink[1], "two\n", 4, 1));
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_int_eq(read(reader[1], got, sizeof(got)), 4);
	ck_assert_int_eq(out.err, 0);
}
END_TEST

/* With `patient`, a pause of the reader that is longer than the limit loses nothing. */
START_TEST(finish_is_patient)
{
	pid_t pid;

	out.patient = true;
	put_rows(0, ROWS);
	pid = slow_reader(
		0, SM_WRITERS_PATIENCE_NS / SM_NSEC_PER_MSEC + 300, ROWS * ROW_BYTES);
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_int_eq(out.gave_up, 0);
	ck_assert_uint_eq(out.lost, 0);
	expect_all_read(pid);
}
END_TEST

/* A signal ends the wait, and so does the end of the reader. */
START_TEST(patience_ends)
{
	out.patient = true;
	put_rows(0, ROWS);
	raise(SIGUSR1);
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_int_eq(out.gave_up, -EINTR);
	put_rows(1, ROWS);
	close_reader(1);
	ck_assert_int_eq(sm_writers_finish(&out), -EPIPE);
}
END_TEST

/* The signal that ended the run was taken before; a child's end and a window's new size
 * are no reason to lose rows. */
START_TEST(finish_is_not_ended_by_others)
{
	pid_t pid;

	raise(SIGUSR1);
	ck_assert_int_eq(sm_loop_wait(&loop, 0), 1);
	put_rows(0, ROWS);
	ck_assert(sm_writers_flush(&out));
	raise(SIGWINCH);
	raise(SIGCHLD);
	pid = slow_reader(0, 50, ROWS * ROW_BYTES);
	stop_time();
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	expect_all_read(pid);
	/* The tool still hears of all. */
	ck_assert_uint_eq(loop.pending, UINT64_C(1) << (SIGUSR1 - 1) |
						UINT64_C(1) << (SIGWINCH - 1) |
						UINT64_C(1) << (SIGCHLD - 1));
}
END_TEST

static void count_call(void *ctx, short revents)
{
	(void)revents;
	++*(int *)ctx;
}

/* A source that is ready all the time must not keep the CPU busy until the reader comes.
 */
START_TEST(finish_sleeps)
{
	int p[2], calls = 0, handle, off;
	uint64_t used = cpu_ns();
	pid_t pid;

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	handle = sm_loop_add(&loop, p[0], POLLIN, count_call, &calls);
	ck_assert_int_ge(handle, 0);
	off = sm_loop_add(&loop, p[0], POLLIN, NULL, NULL);
	ck_assert_int_ge(off, 0);
	sm_loop_events(&loop, off, -1);
	put_rows(0, ROWS);
	pid = slow_reader(0, 200, ROWS * ROW_BYTES);
	stop_time();
	ck_assert_int_eq(sm_writers_finish(&out), 0);
	ck_assert_uint_lt(cpu_ns() - used, 100 * SM_NSEC_PER_MSEC);
	ck_assert_int_eq(calls, 0);
	expect_all_read(pid);
	/* and is served again after it; what was off is off */
	ck_assert_int_ge(loop.pfd[handle].fd, 0);
	ck_assert_int_lt(loop.pfd[off].fd, 0);
	ck_assert_int_ge(sm_loop_wait(&loop, 0), 1);
	ck_assert_int_eq(calls, 1);
	close(p[0]);
	close(p[1]);
}
END_TEST

static TCase *tc_flush(void)
{
	TCase *tc = tcase_create("flush");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, flush_writes_to_all);
	tcase_add_test(tc, what_waits_is_polled_for);
	tcase_add_test(tc, no_reader);
	tcase_add_test(tc, reader_gone_seen_by_the_write);
	tcase_add_test(tc, first_error_stays);
	tcase_add_test(tc, bounded);
	return tc;
}

static TCase *tc_finish(void)
{
	TCase *tc = tcase_create("finish");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, finish_waits_for_a_slow_reader);
	tcase_add_test(tc, finish_writes_what_is_no_line);
	tcase_add_test(tc, finish_is_ended_by_a_signal);
	tcase_add_test(tc, finish_does_not_wait_for_ever);
	tcase_add_test(tc, finish_is_patient);
	tcase_add_test(tc, patience_ends);
	tcase_add_test(tc, finish_is_not_ended_by_others);
	tcase_add_test(tc, finish_sleeps);
	return tc;
}

UNIT_MAIN("writers", tc_flush, tc_finish)
