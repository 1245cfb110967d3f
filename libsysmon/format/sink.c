// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "format/sink.h"

#define CHUNK_BYTES 65536u
#define RETRY_NS    (100 * SM_NSEC_PER_MSEC)

struct sm_chunk {
	struct sm_chunk *next;
	size_t start, end; /* the waiting bytes are data[start, end) */
	char data[CHUNK_BYTES];
};

/* Returns true if the reopened descriptor leads to the original reader. */
static bool can_reopen(int fd, mode_t mode)
{
	int pty;

	if (S_ISFIFO(mode))
		return true;
	/* Reopening the master side of a terminal creates a new terminal. */
	return isatty(fd) && ioctl(fd, TIOCGPTN, &pty) < 0;
}

static int reopen_nonblock(int fd)
{
	char path[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int choose_mode(struct sm_sink *s)
{
	struct stat st;
	int flags = fcntl(s->fd, F_GETFL);
	int own;

	if (flags < 0 || fstat(s->fd, &st) < 0)
		return -errno;
	if ((flags & O_PATH) || (flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (S_ISSOCK(st.st_mode))
		return SM_SINK_SOCKET;
	if (!S_ISFIFO(st.st_mode) && !isatty(s->fd))
		return SM_SINK_FILE;
	if (flags & O_NONBLOCK)
		return SM_SINK_NONBLOCK;
	if (!can_reopen(s->fd, st.st_mode))
		return SM_SINK_POLL;
	own = reopen_nonblock(s->fd);
	if (own < 0)
		return SM_SINK_POLL;
	s->fd = own;
	s->own_fd = true;
	return SM_SINK_NONBLOCK;
}

static struct sm_chunk *chunk_take(struct sm_sink *s)
{
	struct sm_chunk *c = s->spare;

	s->spare = NULL;
	if (!c)
		c = malloc(sizeof(*c));
	if (!c)
		return NULL;
	c->next = NULL;
	c->start = c->end = 0;
	return c;
}

static void chunk_give(struct sm_sink *s, struct sm_chunk *c)
{
	if (s->spare)
		free(c);
	else
		s->spare = c;
}

static void chain_free(struct sm_chunk *c)
{
	while (c) {
		struct sm_chunk *next = c->next;

		free(c);
		c = next;
	}
}

int sm_sink_init(struct sm_sink *s, int fd, size_t max_bytes)
{
	int mode;

	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->max_bytes = max_bytes;
	mode = choose_mode(s);
	if (mode < 0)
		return mode;
	s->mode = mode;
	s->head = s->tail = chunk_take(s);
	if (s->head)
		return 0;
	sm_sink_close(s);
	return -ENOMEM;
}

void sm_sink_close(struct sm_sink *s)
{
	if (s->own_fd)
		close(s->fd);
	chain_free(s->head);
	free(s->spare);
	s->head = s->tail = s->spare = NULL;
	s->queued_bytes = 0;
	s->own_fd = false;
	s->fd = -1;
	if (!s->err)
		s->err = -EBADF;
}

/* Allocates memory for n more bytes before the first is copied: a row is queued as a
 * whole or not at all. */
static bool reserve(struct sm_sink *s, size_t n)
{
	struct sm_chunk *last = s->tail;

	if (!last) /* closed */
		return false;
	for (size_t room = CHUNK_BYTES - last->end; room < n; room += CHUNK_BYTES) {
		last->next = chunk_take(s);
		if (!last->next) {
			chain_free(s->tail->next);
			s->tail->next = NULL;
			return false;
		}
		last = last->next;
	}
	return true;
}

static void chunk_fill(struct sm_sink *s, const char *p, size_t n)
{
	struct sm_chunk *c = s->tail;

	while (n) {
		size_t part = CHUNK_BYTES - c->end;

		if (part == 0 && !c->next)
			break; /* cannot happen after reserve() */
		if (part == 0) {
			c = c->next;
			continue;
		}
		part = part < n ? part : n;
		memcpy(c->data + c->end, p, part);
		c->end += part;
		s->queued_bytes += part;
		p += part;
		n -= part;
	}
	s->tail = c;
}

static bool append(struct sm_sink *s, const char *p, size_t n)
{
	if (!reserve(s, n))
		return false;
	chunk_fill(s, p, n);
	return true;
}

static bool fits(const struct sm_sink *s, size_t n)
{
	return n <= s->max_bytes && s->queued_bytes <= s->max_bytes - n;
}

static bool put(struct sm_sink *s, const char *p, size_t n)
{
	bool full = n > CHUNK_BYTES - (s->tail ? s->tail->end : 0) || !fits(s, n);

	/* An error of this flush is sticky and refuses the row below. */
	if (full && !s->err && !s->blocked && s->queued_bytes && sm_sink_flush(s) < 0)
		return false;
	return !s->err && fits(s, n) && append(s, p, n);
}

/* A loss for lack of memory counts as at least one row, even if it is a header. */
static void refuse(struct sm_sink *s, unsigned int rows, bool no_memory)
{
	if (s->abandoned)
		return;
	rows = no_memory && !rows ? 1 : rows;
	s->dropped += rows;
	s->no_memory += no_memory ? rows : 0;
}

bool sm_sink_put(struct sm_sink *s, const char *p, size_t n, unsigned int rows)
{
	if (SM_LIKELY(put(s, p, n)))
		return true;
	refuse(s, rows, !s->err && fits(s, n));
	return false;
}

bool sm_sink_put_buf(struct sm_sink *s, const struct sm_buf *b, unsigned int rows)
{
	if (SM_LIKELY(!sm_buf_error(b)))
		return sm_sink_put(s, b->p, b->len, rows);
	refuse(s, rows, true);
	return false;
}

/* Makes one attempt.  Returns the bytes written, 0 if it would block, or -errno. */
static ssize_t write_some(struct sm_sink *s, const char *p, size_t n)
{
	struct pollfd pfd = {.fd = s->fd, .events = POLLOUT};
	ssize_t r;

	if (s->mode == SM_SINK_POLL) {
		if (poll(&pfd, 1, 0) <= 0)
			return 0;
		n = n < PIPE_BUF ? n : PIPE_BUF;
	}
	do {
		if (s->mode == SM_SINK_SOCKET)
			r = send(s->fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		else
			r = write(s->fd, p, n);
	} while (r < 0 && errno == EINTR);
	if (r >= 0)
		return r;
	return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
}

/* The head chunk is empty: continues with the next, or reuses it if it is the last. */
static void head_done(struct sm_sink *s)
{
	struct sm_chunk *c = s->head;

	if (c == s->tail) {
		c->start = c->end = 0;
		return;
	}
	s->head = c->next;
	chunk_give(s, c);
}

/* Returns true if rows can wait for room; a disk that is full from the start is an
 * error. */
static bool wait_for_room(struct sm_sink *s, int err)
{
	if ((err != -ENOSPC && err != -EDQUOT) || !s->written_bytes)
		return false;
	s->full = err;
	s->retry_ns = sm_clock_mono_ns() + RETRY_NS;
	s->blocked = true;
	return true;
}

int sm_sink_flush(struct sm_sink *s)
{
	if (s->err)
		return s->err;
	if (SM_UNLIKELY(s->full) && sm_clock_mono_ns() < s->retry_ns)
		return 1;
	s->blocked = false;
	while (s->queued_bytes) {
		struct sm_chunk *c = s->head;
		ssize_t n = write_some(s, c->data + c->start, c->end - c->start);

		if (n < 0 && wait_for_room(s, (int)n))
			return 1;
		if (n < 0) {
			s->err = (int)n;
			return s->err;
		}
		s->full = 0;
		if (n == 0) {
			s->blocked = true;
			return 1;
		}
		c->start += (size_t)n;
		s->queued_bytes -= (size_t)n;
		s->written_bytes += (uint64_t)n;
		if (c->start == c->end)
			head_done(s);
	}
	return 0;
}

uint64_t sm_sink_waiting_lines(const struct sm_sink *s)
{
	uint64_t lines = 0;

	for (const struct sm_chunk *c = s->head; c; c = c->next) {
		for (size_t i = c->start; i < c->end; i++)
			lines += c->data[i] == '\n';
	}
	return lines;
}

void sm_sink_abandon(struct sm_sink *s, int err)
{
	s->dropped += sm_sink_waiting_lines(s);
	chain_free(s->head->next);
	s->head->next = NULL;
	s->tail = s->head;
	s->head->start = s->head->end = s->queued_bytes = 0;
	s->err = err;
	s->abandoned = true;
}
