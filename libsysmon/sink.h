/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink: a bounded queue of whole rows in front of an output fd.
 *
 * The tool never blocks on its reader: what the fd does not take at once waits in a chain
 * of 64 KiB chunks up to a bound; then whole rows are refused and counted.  One write(2)
 * per chunk and flush.  Pipes, terminals and FIFOs get an open file description of our
 * own with O_NONBLOCK (reopened through /proc/self/fd, so the flag of the shared one is not
 * touched); sockets use MSG_DONTWAIT; where neither is possible, writes of at most PIPE_BUF
 * bytes after poll(2).  Regular files are written plainly.  Errors are sticky.
 */
#ifndef SM_SINK_H
#define SM_SINK_H

#include "base.h"

struct sm_chunk;

/* How the fd is written without waiting for the reader; sm_sink_init() finds out. */
enum sm_sink_mode {
	SM_SINK_FILE,     /* regular files, block devices, /dev/null: they never wait */
	SM_SINK_NONBLOCK, /* an open file description with O_NONBLOCK */
	SM_SINK_SOCKET,   /* MSG_DONTWAIT */
	SM_SINK_POLL,     /* last resort: poll(2), then at most PIPE_BUF bytes */
};

struct sm_sink {
	int fd;              /* what to poll for POLLOUT */
	bool own_fd;
	bool blocked;        /* the last flush left something: wait for POLLOUT */
	int mode;            /* enum sm_sink_mode */
	struct sm_chunk *head, *tail, *spare;
	size_t queued_bytes, max_bytes;
	uint64_t dropped;    /* rows refused since the start */
	uint64_t written_bytes;
	int err;             /* first write error, -errno; -EPIPE when the reader has gone */
};

#define SM_SINK_DEFAULT_MAX (64u << 20)

int sm_sink_init(struct sm_sink *s, int fd, size_t max_bytes) SM_MUST;
/* One or more whole rows; false: refused (bound or error) and counted as `rows`.  Tries the
 * fd by itself when a chunk is full or the bound is met, unless it is known to be blocked. */
bool sm_sink_put(struct sm_sink *s, const char *p, size_t n, unsigned int rows);
/* Writes what the fd takes now: 0 all written, 1 some waits, -errno sticky. */
int sm_sink_flush(struct sm_sink *s) SM_MUST;
/* Writes all, waiting at most timeout_ms between two successes (-1: no limit): 0,
 * -ETIMEDOUT (not sticky), or -errno sticky. */
int sm_sink_finish(struct sm_sink *s, int timeout_ms) SM_MUST;
/* Lines that still wait, one cut in half included: what is lost when a finish failed. */
uint64_t sm_sink_waiting_lines(const struct sm_sink *s);
void sm_sink_close(struct sm_sink *s); /* closes what it opened, never the fd it was given */

#endif
