/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writers: the sinks of a tool in its loop.
 *
 * After each burst of rows the tool flushes; rows that a reader does not take are queued, and the
 * loop wakes when it reads again.  A closed pipe is noticed at once, also between two rows.  At the
 * end all rows are written, however slow the reader, until it takes no byte for a second or a
 * further signal interrupts.
 */
#ifndef SM_WRITERS_H
#define SM_WRITERS_H

#include "cli/loop.h"
#include "out/sink.h"

#define SM_WRITERS_MAX 4
#define SM_WRITERS_PATIENCE_NS SM_NSEC_PER_SEC

struct sm_writers {
	struct sm_loop *loop;
	struct sm_sink *sink[SM_WRITERS_MAX];
	int handle[SM_WRITERS_MAX];
	unsigned int n;
	bool no_reader;  /* EPIPE */
	int err;           /* the first other write error, -errno */
	uint64_t retry_ns; /* a disk is full: sm_writers_flush() is due then; SM_LOOP_FOREVER: none */
	int gave_up;       /* by sm_writers_finish(): -EINTR, -ETIMEDOUT, -ENOSPC */
	uint64_t lost;     /* rows that were not written then */
};

void sm_writers_init(struct sm_writers *o, struct sm_loop *loop);
int sm_writers_add(struct sm_writers *o, struct sm_sink *sink) SM_MUST;
/* Writes what can be written now.  False: no_reader or err is set, the run is over. */
bool sm_writers_flush(struct sm_writers *o);
/* Is everything written? */
bool sm_writers_empty(const struct sm_writers *o);
/* Number of queued rows. */
uint64_t sm_writers_waiting(const struct sm_writers *o);
/* Writes all; no other source of the loop is served meanwhile.  A signal of the loop (not SIGCHLD,
 * SIGWINCH) or a reader that takes nothing ends that: gave_up is set, and outputs with waiting rows
 * are abandoned. */
int sm_writers_finish(struct sm_writers *o) SM_MUST;

#endif
