/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opener: a process with the rights of the start, which opens again what the drop of privileges and
 * the filter of cli/sandbox no longer allow: the files of the targets' new programs after exec, and
 * the perf events of their threads, which are costly and therefore opened only when they are first
 * looked at.
 *
 * It is forked before the drop, has a session of its own, ignores signals, cannot be dumped or traced
 * by the user, and has no descriptors but the targets' directories, the root's, and its end of a
 * socket, which it waits at; it ends when this process ends, in whatever way.  Its own filter allows little
 * more than opening (SM_SANDBOX_OPEN_TARGETS of cli/sandbox.h).  A request is two
 * numbers: what, and of which target.  It cannot name a file or a process, so the tool, once it has
 * dropped its rights, gains nothing but views of the targets that it was started with.  Descriptors
 * come back by SCM_RIGHTS (unix(7)).
 */
#ifndef PAGEMON_OPENER_H
#define PAGEMON_OPENER_H

#include "base/base.h"
#include "target/perfset.h"
#include "target/target.h"

struct opener {
	int fd; /* -1: there is none */
	/* perf events that were asked for and whose descriptors have not been received, and, if another
	 * request came meanwhile, have been received */
	bool asked, early;
	struct perfset early_set;
	int early_err;
};

#define OPENER_INIT { .fd = -1 }

/* For these targets, which are open; sets their ->opener.  The structs stay where they are until
 * opener_end(). -errno of fork(2) and others. */
int opener_start(struct opener *o, const struct sm_root *root, struct target *const *targets, size_t n)
	SM_MUST;
void opener_end(struct opener *o);

/* Closes and opens the files of the target's present program; t->fd and t->err are new.  -EPIPE: the
 * opener has ended. */
int opener_files(struct opener *o, struct target *t) SM_MUST;
/*
 * The perf events of the target's threads.  Opening takes 0.5 ms per thread and more:
 * opener_perf_ask() begins it, opener_perf_ready() says whether it is done, and opener_perf() receives
 * them, and waits for that. The opener keeps the events open, too, so that closing them here, and the
 * end of the tool, cost nothing. -EBUSY: asked for another target's, and not received.
 */
int opener_perf_ask(struct opener *o, const struct target *t) SM_MUST;
bool opener_perf_ready(const struct opener *o);
int opener_perf(struct opener *o, struct perfset *out) SM_MUST;

#endif
