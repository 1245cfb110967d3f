/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink: a bounded queue of whole rows in front of an output descriptor.
 *
 * The tool never blocks on its reader.  Bytes that the descriptor does not accept immediately are
 * queued in 64 KiB chunks up to a bound; beyond it, whole rows are refused and counted.  There is one
 * write(2) per chunk and flush.  Pipes, terminals and FIFOs are reopened with O_NONBLOCK through
 * /proc/self/fd, because the original open file description is shared with other processes; sockets use
 * MSG_DONTWAIT; as a last resort, at most PIPE_BUF bytes are written after poll(2).  Errors are sticky,
 * except if a disk fills up after the first write: the rows then wait until it has room again.
 */
#ifndef SM_SINK_H
#define SM_SINK_H

#include "base/base.h"
#include "base/buf.h"

struct sm_chunk;

/* The method of writing to the descriptor without blocking. */
enum sm_sink_mode {
	SM_SINK_FILE,     /* regular files, block devices, /dev/null: never block */
	SM_SINK_NONBLOCK, /* an open file description with O_NONBLOCK */
	SM_SINK_SOCKET,   /* MSG_DONTWAIT */
	SM_SINK_POLL,     /* last resort: poll(2), then at most PIPE_BUF bytes */
};

struct sm_sink {
	int fd;              /* descriptor to poll for POLLOUT */
	bool own_fd;
	bool blocked;        /* the last flush did not write all: wait for POLLOUT */
	bool abandoned;      /* sm_sink_abandon() was called */
	int full;            /* -ENOSPC or -EDQUOT; the next attempt is at retry_ns */
	uint64_t retry_ns;   /* CLOCK_MONOTONIC */
	int mode;            /* enum sm_sink_mode */
	struct sm_chunk *head, *tail, *spare;
	size_t queued_bytes, max_bytes;
	uint64_t dropped;    /* rows refused since the start */
	uint64_t no_memory;  /* rows refused for lack of memory, included in dropped */
	uint64_t written_bytes;
	int err;             /* first write error, -errno; -EPIPE: no reader */
};

#define SM_SINK_DEFAULT_MAX (64u << 20)

int sm_sink_init(struct sm_sink *s, int fd, size_t max_bytes) SM_MUST;
/* Queues whole rows.  Returns false if they are refused (bound or error), which counts `rows` rows as
 * dropped.  Flushes if a chunk is full or the bound is reached, unless blocked. */
bool sm_sink_put(struct sm_sink *s, const char *p, size_t n, unsigned int rows);
/* sm_sink_put() of a buffer.  A buffer with an error (no memory) is refused and counts as at least one
 * row. */
bool sm_sink_put_buf(struct sm_sink *s, const struct sm_buf *b, unsigned int rows);
/* Writes as much as the descriptor accepts now.  Returns 0 if all is written, 1 if bytes remain queued,
 * or a sticky -errno. */
int sm_sink_flush(struct sm_sink *s) SM_MUST;
/* Returns the number of queued lines, including one that is written in part. */
uint64_t sm_sink_waiting_lines(const struct sm_sink *s);
/* Ends the sink with this error: queued lines count as dropped, later rows do not. */
void sm_sink_abandon(struct sm_sink *s, int err);
void sm_sink_close(struct sm_sink *s); /* closes only descriptors that the sink opened itself */

#endif
