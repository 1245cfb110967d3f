/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writers: the sinks of a tool in its loop.
 *
 * After each burst of rows the tool flushes.  Rows that a reader does not accept are queued, and the
 * loop wakes up when the reader reads again.  A closed pipe is noticed immediately, including between
 * two rows.  At the end all rows are written, however slow the reader, until it accepts no byte for one
 * second or another signal interrupts.  With `patient`, the reader may pause for any time.
 */
#ifndef SM_WRITERS_H
#define SM_WRITERS_H

#include "cli/loop.h"
#include "format/sink.h"

#define SM_WRITERS_MAX 4
#define SM_WRITERS_PATIENCE_NS SM_NSEC_PER_SEC

struct sm_writers {
	struct sm_loop *loop;
	struct sm_sink *sink[SM_WRITERS_MAX];
	int handle[SM_WRITERS_MAX];
	unsigned int n;
	bool patient;    /* set by the tool: wait for a reader that pauses, but not for room on a disk */
	bool no_reader;  /* EPIPE */
	int err;           /* the first other write error, -errno */
	uint64_t retry_ns; /* a disk is full: time of the next sm_writers_flush(), or SM_LOOP_FOREVER */
	int gave_up;       /* set by sm_writers_finish(): -EINTR, -ETIMEDOUT, -ENOSPC */
	uint64_t lost;     /* rows not written because of that */
};

void sm_writers_init(struct sm_writers *o, struct sm_loop *loop);
int sm_writers_add(struct sm_writers *o, struct sm_sink *sink) SM_MUST;
/* Writes as much as possible without blocking.  Returns false if no_reader or err is set: the run is
 * over. */
bool sm_writers_flush(struct sm_writers *o);
/* Returns true if all rows are written. */
bool sm_writers_empty(const struct sm_writers *o);
/* Returns the number of queued rows. */
uint64_t sm_writers_waiting(const struct sm_writers *o);
/* Writes all rows; no other source of the loop is served until it returns.  A signal of the loop
 * (except SIGCHLD and SIGWINCH) or a reader that accepts nothing ends this: gave_up is set, and outputs
 * with waiting rows are abandoned. */
int sm_writers_finish(struct sm_writers *o) SM_MUST;

#endif
