/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opener: a process with the privileges of the start, which opens files that the tool can no longer open
 * after the drop of privileges: the files of the targets' new programs after exec, and the perf events of
 * their threads, which are expensive and therefore opened only when they are first shown.  It keeps these
 * events and returns their counts.
 *
 * It is forked before the drop.  It has a session of its own, ignores signals, and cannot be dumped or
 * traced by the user.  Its only descriptors are the targets' directories, the root's, and one end of a
 * socket.  It ends when this process ends for any reason.  Its seccomp filter allows little more than
 * opening files (SM_SANDBOX_OPEN_TARGETS in cli/sandbox.h).
 *
 * A request is a set of files or the perf events of a target, which is given by its number, and a serial
 * number.  A request cannot name a file, so after the drop the tool can only get files of the targets that it
 * was started with, and of the descendants of COMMAND.  These are named by their PID: for each request, the
 * opener itself finds that the process descends from COMMAND (sm_proctree_open()).  Replies contain
 * descriptors (base/fdpass.h).
 *
 * Under the Yama security module, a process of an ordinary user may read memory only of its descendants.  The
 * tool is an ancestor of COMMAND, the opener is not, so the tool itself opens mem if the opener may not.
 *
 * Opening can take arbitrarily long, because the kernel waits for an exec of the target, so no function here
 * waits for a reply.
 */
#ifndef PAGEMON_OPENER_H
#define PAGEMON_OPENER_H

#include "base/base.h"
#include "target/perfset.h"
#include "target/target.h"

struct opener {
	int fd;              /* socket to the opener, readable when opener_receive() has something to do; -1:
			      * not started, or ended */
	struct target **targets; /* by number; NULL: forgotten */
	size_t n, cap;
	pid_t command;       /* PID of COMMAND, or 0 */
	uint64_t serial;     /* number of the last request */
	uint64_t events_asked; /* serial number of the pending request for counts of events; 0: not pending */
	bool answered;       /* `events` were received and not taken */
	struct perf_counts events;
};

#define OPENER_INIT { .fd = -1 }

/* Starts the opener for these targets, which are open, and sets their ->opener.  command: 0, or the PID of
 * COMMAND.  The structs must not move until opener_end().  -errno of fork(2) and others. */
int opener_start(struct opener *o, const struct sm_root *root, struct target *const *targets, size_t n,
	pid_t command) SM_MUST;
void opener_end(struct opener *o);

/* Adds a descendant of COMMAND, which the opener does not know yet, and sets its ->opener and ->number.
 * -ENOMEM. */
int opener_add(struct opener *o, struct target *t) SM_MUST;
/* Removes a target, so that replies for it are discarded. */
void opener_forget(struct opener *o, const struct target *t);
/* Requests files of the target's current program (FILES_BIT() of target/files.h) and sets t->asked until the
 * reply has been received, or the opener has ended.  A new request replaces an earlier one of the target.
 * -EPIPE: the opener has ended; -EAGAIN: it does not read requests. */
int opener_ask(struct opener *o, struct target *t, unsigned int set) SM_MUST;
/* Receives all replies that are there: sets t->fd and t->err of the targets.  -EPIPE: the opener has ended,
 * and o->fd was closed. */
int opener_receive(struct opener *o) SM_MUST;
/* Requests the counts of the target's perf events.  The first request opens them, which takes 0.5 ms per
 * thread or more; with renew, they are opened again and count from 0.  -EBUSY: the last request was not
 * answered. */
int opener_ask_events(struct opener *o, const struct target *t, bool renew) SM_MUST;
/* Returns the counts in *out, once for each request.  -EAGAIN: they have not been received. */
int opener_events(struct opener *o, struct perf_counts *out) SM_MUST;

#endif
