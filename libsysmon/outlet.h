/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outlet: the sinks of a tool in its loop.
 *
 * After each burst of rows the tool flushes; what the readers do not take waits, and the loop
 * wakes when they do.  A pipe without a reader is seen at once, also between two rows.  At the
 * end everything is written, however slow the reader, unless a further signal says otherwise.
 */
#ifndef SM_OUTLET_H
#define SM_OUTLET_H

#include "loop.h"
#include "sink.h"

#define SM_OUTLET_MAX 4

struct sm_outlet {
	struct sm_loop *loop;
	struct sm_sink *sink[SM_OUTLET_MAX];
	int handle[SM_OUTLET_MAX];
	unsigned int n;
	bool reader_gone;  /* EPIPE: nobody wants the rest */
	int err;           /* the first other write error, -errno */
};

void sm_outlet_init(struct sm_outlet *o, struct sm_loop *loop);
int sm_outlet_add(struct sm_outlet *o, struct sm_sink *sink) SM_MUST;
/* Writes what can be written now.  False: reader_gone or err is set, the run is over. */
bool sm_outlet_flush(struct sm_outlet *o);
/* Is everything written? */
bool sm_outlet_empty(const struct sm_outlet *o);
/* Rows that still wait: counts them in the queue. */
uint64_t sm_outlet_waiting(const struct sm_outlet *o);
/* Writes all; nothing else of the loop is served meanwhile.  -EINTR: a signal of the loop came
 * first (not SIGCHLD, SIGWINCH); see sm_outlet_waiting(). */
int sm_outlet_finish(struct sm_outlet *o) SM_MUST;

#endif
