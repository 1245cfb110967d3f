/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keeper: a process that does one thing when this one has ended, in whatever way (SIGKILL too), with the
 * rights that this one had at the start.  cli layer: it ends by _exit(2).
 *
 * It is for what must be undone and what the drop of privileges, and the filter of sandbox.h, no longer
 * allow: removing a trace instance.  It has a session of its own, ignores signals, and has two
 * descriptors: its end of a socket, which it waits at, and one of the caller's choice.
 */
#ifndef SM_KEEPER_H
#define SM_KEEPER_H

#include "base/base.h"

struct sm_keeper {
	int fd; /* -1: there is none */
};

#define SM_KEEPER_INIT { .fd = -1 }

/* fn(ctx) is called with the memory of now, and with keep_fd open.  -errno of fork(2) and others. */
int sm_keeper_start(struct sm_keeper *k, int keep_fd, void (*fn)(const void *ctx), const void *ctx)
	SM_MUST;
/* Has it done now, and waits for that. */
void sm_keeper_end(struct sm_keeper *k);

#endif
