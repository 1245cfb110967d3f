// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/sink.h"
#include "unit.h"

#define ROW_BYTES 16u

/* Row n of the sequence: its number says where it belongs. */
static void row_text(char *to, unsigned int n)
{
	snprintf(to, ROW_BYTES + 1, "row %010u.\n", n);
}

static bool put_rows(struct sm_sink *s, unsigned int from, unsigned int n)
{
	char row[ROW_BYTES + 1];
	bool ok = true;

	for (unsigned int i = from; i < from + n; i++) {
		row_text(row, i);
		ok &= sm_sink_put(s, row, ROW_BYTES, 1);
	}
	return ok;
}

/* A pipe or a terminal may pass a row on in parts. */
static void read_all(int fd, char *to, size_t n)
{
	for (size_t len = 0; len < n;) {
		ssize_t r = read(fd, to + len, n - len);

		ck_assert_int_gt(r, 0);
		len += (size_t)r;
	}
}

/* Reads exactly the rows [from, from + n). */
static void expect_rows(int fd, unsigned int from, unsigned int n)
{
	char want[ROW_BYTES + 1], got[ROW_BYTES + 1] = "";

	for (unsigned int i = from; i < from + n; i++) {
		read_all(fd, got, ROW_BYTES);
		row_text(want, i);
		ck_assert_str_eq(got, want);
	}
}

static size_t waiting_in(int fd)
{
	int n = -1;

	ck_assert_int_eq(ioctl(fd, FIONREAD, &n), 0);
	ck_assert_int_ge(n, 0);
	return (size_t)n;
}

static int temp_file(void)
{
	int fd = memfd_create("sink", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

START_TEST(regular_file)
{
	struct sm_sink s;
	int fd = temp_file();

	ck_assert_int_eq(sm_sink_init(&s, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert_int_eq(s.mode, SM_SINK_FILE);
	ck_assert_int_eq(s.fd, fd);
	ck_assert(put_rows(&s, 0, 3));
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0); /* not before the flush */
	ck_assert_uint_eq(sm_sink_waiting_lines(&s), 3);
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	ck_assert_uint_eq(s.written_bytes, 3 * ROW_BYTES);
	ck_assert_uint_eq(s.queued_bytes, 0);
	ck_assert_uint_eq(sm_sink_waiting_lines(&s), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 3 * ROW_BYTES);
	lseek(fd, 0, SEEK_SET);
	expect_rows(fd, 0, 3);
	sm_sink_close(&s);
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0); /* the caller's fd stays open */
	close(fd);
}
END_TEST

/* A tool that never flushes does not fill the memory while the fd takes everything. */
START_TEST(full_chunk_is_written)
{
	struct sm_sink s;
	int fd = temp_file();

	ck_assert_int_eq(sm_sink_init(&s, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert(put_rows(&s, 0, 100000));
	ck_assert_uint_le(s.queued_bytes, 65536);
	ck_assert_uint_eq(s.written_bytes + s.queued_bytes, 100000 * ROW_BYTES);
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	lseek(fd, 0, SEEK_SET);
	expect_rows(fd, 0, 100000);
	sm_sink_close(&s);
	close(fd);
}
END_TEST

START_TEST(bound_tries_the_fd)
{
	struct sm_sink s;
	int fd = temp_file();
	char big[101];

	memset(big, 'x', sizeof(big));
	ck_assert_int_eq(sm_sink_init(&s, fd, 100), 0);
	ck_assert(sm_sink_put(&s, big, 60, 1));
	ck_assert(sm_sink_put(&s, big, 60, 1));
	ck_assert(sm_sink_put(&s, big, 100, 1)); /* exactly the bound */
	ck_assert(!sm_sink_put(&s, big, 101, 3));
	ck_assert_uint_eq(s.dropped, 3);
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	ck_assert_uint_eq(s.written_bytes, 220);
	sm_sink_close(&s);
	close(fd);
}
END_TEST

START_TEST(row_longer_than_chunks)
{
	size_t n = 3 * 65536 + 17;
	char *row = malloc(n), *back = malloc(n);
	struct sm_sink s;
	int fd = temp_file();

	for (size_t i = 0; i < n; i++)
		row[i] = (char)('a' + i % 23);
	ck_assert_int_eq(sm_sink_init(&s, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert(put_rows(&s, 0, 5));
	ck_assert(sm_sink_put(&s, row, n, 1));
	ck_assert(sm_sink_put(&s, row, 0, 1));
	ck_assert(put_rows(&s, 5, 5));
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	ck_assert_uint_eq(s.written_bytes, n + 10 * ROW_BYTES);
	lseek(fd, 0, SEEK_SET);
	expect_rows(fd, 0, 5);
	ck_assert_int_eq(read(fd, back, n), n);
	ck_assert_mem_eq(back, row, n);
	expect_rows(fd, 5, 5);
	sm_sink_close(&s);
	close(fd);
	free(row);
	free(back);
}
END_TEST

/* The reader stops: queue, bound, counted refusals; then it reads on: every row that was
 * taken, once and in order. */
static void stopped_reader(struct sm_sink *s, int reader, size_t max)
{
	unsigned int taken = 0, more = 4096 / ROW_BYTES, flushes = 0;

	ck_assert_uint_eq(s->max_bytes, max);
	while (put_rows(s, taken, 1)) {
		taken++;
		ck_assert_uint_le(s->queued_bytes, max);
	}
	ck_assert_uint_gt(s->written_bytes, 0);
	ck_assert_uint_gt(s->queued_bytes, max - ROW_BYTES);
	ck_assert_uint_eq(s->dropped, 1);
	ck_assert(!put_rows(s, taken, 6));
	ck_assert_uint_eq(s->dropped, 7);
	ck_assert_int_eq(sm_sink_flush(s), 1);
	ck_assert(s->blocked);
	ck_assert_int_eq(s->err, 0);

	/* A row cut in half by the full pipe counts as waiting. */
	ck_assert_uint_eq(sm_sink_waiting_lines(s), taken - s->written_bytes / ROW_BYTES);

	/* Room for a part of what waits: not a reason to wait for the rest. */
	expect_rows(reader, 0, more);
	ck_assert_int_eq(sm_sink_flush(s), 1);

	for (; s->queued_bytes && flushes < 10000; flushes++) {
		unsigned int whole = (unsigned int)(s->written_bytes / ROW_BYTES) - more;

		expect_rows(reader, more, whole);
		more += whole;
		ck_assert_int_ge(sm_sink_flush(s), 0);
	}
	ck_assert(put_rows(s, taken, 1));
	ck_assert_int_eq(sm_sink_flush(s), 0);
	expect_rows(reader, more, taken + 1 - more);
	ck_assert_uint_eq(s->written_bytes, (uint64_t)(taken + 1) * ROW_BYTES);
	ck_assert_uint_eq(s->dropped, 7);
}

START_TEST(pipe_full)
{
	struct sm_sink s;
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[1], 200000), 0);
	ck_assert_int_eq(s.mode, SM_SINK_NONBLOCK);
	ck_assert_int_ne(s.fd, p[1]);
	ck_assert(fcntl(s.fd, F_GETFL) & O_NONBLOCK);
	ck_assert(fcntl(s.fd, F_GETFD) & FD_CLOEXEC);
	ck_assert(!(fcntl(p[1], F_GETFL) & O_NONBLOCK));
	stopped_reader(&s, p[0], 200000);
	ck_assert(!(fcntl(p[1], F_GETFL) & O_NONBLOCK));
	ck_assert_uint_eq(waiting_in(p[0]), 0);
	sm_sink_close(&s);
	close(p[1]);
	ck_assert_int_eq(read(p[0], &s, 1), 0); /* nobody else holds the writing end */
	close(p[0]);
}
END_TEST

START_TEST(pipe_with_nonblock_already)
{
	struct sm_sink s;
	int p[2];

	ck_assert_int_eq(pipe2(p, O_NONBLOCK), 0);
	ck_assert_int_eq(fcntl(p[0], F_SETFL, 0), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[1], 100000), 0);
	ck_assert_int_eq(s.mode, SM_SINK_NONBLOCK);
	ck_assert_int_eq(s.fd, p[1]);
	stopped_reader(&s, p[0], 100000);
	sm_sink_close(&s);
	close(p[0]);
	close(p[1]);
}
END_TEST

/* As where /proc is not mounted or the pipe is another user's. */
START_TEST(pipe_not_reopened)
{
	struct sm_sink s;
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[1], 100000), 0);
	close(s.fd);
	s.own_fd = false;
	s.fd = p[1];
	s.mode = SM_SINK_POLL;
	stopped_reader(&s, p[0], 100000);
	ck_assert(!(fcntl(p[1], F_GETFL) & O_NONBLOCK));
	sm_sink_close(&s);
	close(p[0]);
	close(p[1]);
}
END_TEST

START_TEST(stream_socket)
{
	struct sm_sink s;
	int sv[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sv), 0);
	ck_assert_int_eq(sm_sink_init(&s, sv[1], 300000), 0);
	ck_assert_int_eq(s.mode, SM_SINK_SOCKET);
	stopped_reader(&s, sv[0], 300000);
	ck_assert(!(fcntl(sv[1], F_GETFL) & O_NONBLOCK));
	close(sv[0]);
	ck_assert(put_rows(&s, 0, 1));
	ck_assert_int_eq(
		sm_sink_flush(&s), -EPIPE); /* MSG_NOSIGNAL: SIGPIPE is default here */
	sm_sink_close(&s);
	close(sv[1]);
}
END_TEST

START_TEST(disk_full)
{
	struct sm_sink s;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_sink_init(&s, fd, 1000), 0);
	ck_assert(put_rows(&s, 0, 2));
	ck_assert_int_eq(sm_sink_flush(&s), -ENOSPC);
	ck_assert_int_eq(s.err, -ENOSPC);
	ck_assert(!put_rows(&s, 2, 1));
	ck_assert_uint_eq(s.dropped, 1);
	ck_assert_int_eq(sm_sink_flush(&s), -ENOSPC);
	ck_assert_uint_eq(sm_sink_waiting_lines(&s), 2);
	ck_assert_uint_eq(s.written_bytes, 0);
	sm_sink_close(&s);
	ck_assert_int_eq(s.err, -ENOSPC);
	close(fd);
}
END_TEST

/* The error is met by the put that finds the chunk full: that row is refused. */
START_TEST(disk_full_met_by_put)
{
	struct sm_sink s;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sm_sink_init(&s, fd, SM_SINK_DEFAULT_MAX), 0);
	ck_assert(put_rows(&s, 0, 65536 / ROW_BYTES));
	ck_assert_int_eq(s.err, 0);
	ck_assert(!put_rows(&s, 0, 1));
	ck_assert_int_eq(s.err, -ENOSPC);
	ck_assert_uint_eq(s.dropped, 1);
	sm_sink_close(&s);
	close(fd);
}
END_TEST

START_TEST(no_reader)
{
	struct sm_sink s;
	int p[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[1], 1000), 0);
	ck_assert(put_rows(&s, 0, 1));
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	close(p[0]);
	ck_assert(put_rows(&s, 1, 1));
	ck_assert_int_eq(sm_sink_flush(&s), -EPIPE);
	ck_assert(!put_rows(&s, 2, 1));
	sm_sink_close(&s);
	/* Gone before we came: it cannot be reopened. */
	ck_assert_int_eq(sm_sink_init(&s, p[1], 1000), 0);
	ck_assert(put_rows(&s, 0, 1));
	ck_assert_int_eq(sm_sink_flush(&s), -EPIPE);
	sm_sink_close(&s);
	close(p[1]);
}
END_TEST

START_TEST(not_writable)
{
	struct sm_sink s;
	int p[2];
	int path = open("/", O_PATH | O_CLOEXEC);

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sm_sink_init(&s, p[0], 1000), -EBADF);
	ck_assert_int_eq(sm_sink_init(&s, path, 1000), -EBADF);
	close(path);
	ck_assert_int_eq(sm_sink_init(&s, path, 1000), -EBADF);
	ck_assert_int_eq(sm_sink_init(&s, -1, 1000), -EBADF);
	close(p[0]);
	close(p[1]);
}
END_TEST

START_TEST(closed_sink_refuses)
{
	struct sm_sink s;
	int fd = temp_file();

	ck_assert_int_eq(sm_sink_init(&s, fd, 1000), 0);
	sm_sink_close(&s);
	ck_assert(!put_rows(&s, 0, 1));
	ck_assert_uint_eq(s.dropped, 1);
	ck_assert_int_eq(sm_sink_flush(&s), -EBADF);
	sm_sink_close(&s);
	close(fd);
}
END_TEST

START_TEST(abandoned)
{
	struct sm_sink s;
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(fcntl(p[1], F_SETPIPE_SZ, 4096), 4096);
	ck_assert_int_eq(sm_sink_init(&s, p[1], 1 << 20), 0);
	ck_assert(put_rows(&s, 0, 20000));
	ck_assert_int_eq(sm_sink_flush(&s), 1);
	ck_assert_uint_eq(sm_sink_waiting_lines(&s), 20000 - 4096 / ROW_BYTES);
	sm_sink_abandon(&s, -ETIMEDOUT);
	ck_assert_uint_eq(s.dropped, 20000 - 4096 / ROW_BYTES);
	ck_assert_uint_eq(s.queued_bytes, 0);
	expect_rows(p[0], 0, 4096 / ROW_BYTES);
	ck_assert(!put_rows(&s, 0, 1));
	ck_assert_int_eq(sm_sink_flush(&s), -ETIMEDOUT);
	ck_assert_uint_eq(s.dropped, 20000 - 4096 / ROW_BYTES);
	sm_sink_close(&s);
	close(p[0]);
	close(p[1]);
}
END_TEST

/* Both sides of a terminal: the program's side is opened again, the other one never, that
 * would be a new terminal. */
START_TEST(terminal)
{
	struct sm_sink s;
	char back[64];
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;

	if (master < 0)
		return; /* a sandbox without /dev/pts */
	ck_assert_int_eq(grantpt(master), 0);
	ck_assert_int_eq(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(slave, 0);

	ck_assert_int_eq(sm_sink_init(&s, slave, 1000), 0);
	ck_assert_int_eq(s.mode, SM_SINK_NONBLOCK);
	ck_assert(!(fcntl(slave, F_GETFL) & O_NONBLOCK));
	ck_assert(put_rows(&s, 7, 1));
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	read_all(master, back, ROW_BYTES + 1); /* ONLCR */
	ck_assert_mem_eq(back, "row 0000000007.\r\n", ROW_BYTES + 1);
	sm_sink_close(&s);

	ck_assert_int_eq(sm_sink_init(&s, master, 1000), 0);
	ck_assert_int_eq(s.mode, SM_SINK_POLL);
	ck_assert_int_eq(s.fd, master);
	ck_assert(put_rows(&s, 8, 1));
	ck_assert_int_eq(sm_sink_flush(&s), 0);
	expect_rows(slave, 8, 1);
	sm_sink_close(&s);
	close(slave);
	close(master);
}
END_TEST

static TCase *tc_plain(void)
{
	TCase *t = tcase_create("plain");

	tcase_add_test(t, regular_file);
	tcase_add_test(t, full_chunk_is_written);
	tcase_add_test(t, bound_tries_the_fd);
	tcase_add_test(t, row_longer_than_chunks);
	tcase_add_test(t, closed_sink_refuses);
	return t;
}

static TCase *tc_reader(void)
{
	TCase *t = tcase_create("reader");

	tcase_add_test(t, pipe_full);
	tcase_add_test(t, pipe_with_nonblock_already);
	tcase_add_test(t, pipe_not_reopened);
	tcase_add_test(t, stream_socket);
	tcase_add_test(t, abandoned);
	tcase_add_test(t, terminal);
	return t;
}

static TCase *tc_errors(void)
{
	TCase *t = tcase_create("errors");

	tcase_add_test(t, disk_full);
	tcase_add_test(t, disk_full_met_by_put);
	tcase_add_test(t, no_reader);
	tcase_add_test(t, not_writable);
	return t;
}

UNIT_MAIN("sink", tc_plain, tc_reader, tc_errors)
