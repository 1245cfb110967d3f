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

struct sm_sink {
	int fd;              /* what to poll for POLLOUT */
	bool own_fd;
	int mode;
	struct sm_chunk *head, *tail, *spare;
	size_t queued_bytes, max_bytes;
	uint64_t dropped;    /* rows refused since the start */
	uint64_t written_bytes;
	int err;             /* first write error, -errno; -EPIPE when the reader has gone */
};

#define SM_SINK_DEFAULT_MAX (64u << 20)

int sm_sink_init(struct sm_sink *s, int fd, size_t max_bytes) SM_MUST;
/* One or more whole rows; false: refused (bound or error) and counted as `rows`. */
bool sm_sink_put(struct sm_sink *s, const char *p, size_t n, unsigned int rows);
/* Writes what the fd takes now: 0 all written, 1 some waits, -errno sticky. */
int sm_sink_flush(struct sm_sink *s) SM_MUST;
/* Writes all, waiting at most timeout_ms between two successes (-1: no limit). */
int sm_sink_finish(struct sm_sink *s, int timeout_ms) SM_MUST;
void sm_sink_close(struct sm_sink *s); /* closes what it opened, never the fd it was given */

#endif
