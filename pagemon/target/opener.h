/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opener: a process with the privileges of the start, which opens files that the tool can no longer open
 * after the drop of privileges: the files of the targets' new programs after exec, and the perf events of
 * their threads, which are expensive and therefore opened only when they are first shown.
 *
 * It is forked before the drop.  It has a session of its own, ignores signals, and cannot be dumped or
 * traced by the user.  Its only descriptors are the targets' directories, the root's, and one end of a
 * socket.  It ends when this process ends for any reason.  Its seccomp filter allows little more than
 * opening files (SM_SANDBOX_OPEN_TARGETS in cli/sandbox.h).
 *
 * A request consists of numbers: the kind, and the number of the target.  A request cannot name a file, so
 * after the drop the tool can only get files of the targets that it was started with, and of the descendants
 * of COMMAND.  These are named by their PID: for each request, the opener itself finds that the process
 * descends from COMMAND (tree_open() of target/tree.h).
 * Descriptors are returned with SCM_RIGHTS (unix(7)).
 */
#ifndef PAGEMON_OPENER_H
#define PAGEMON_OPENER_H

#include "base/base.h"
#include "target/perfset.h"
#include "target/target.h"

struct opener {
	int fd;       /* socket to the opener; -1: not started */
	/* asked: perf events were requested and not taken.  early: their descriptors are in early_set,
	 * because another request followed. */
	bool asked, early;
	struct perfset early_set;
	int early_err;
};

#define OPENER_INIT { .fd = -1 }

/* Starts the opener for these targets, which are open, and sets their ->opener.  command: 0, or the PID of
 * COMMAND.  The structs must not move
 * until opener_end().  -errno of fork(2) and others. */
int opener_start(struct opener *o, const struct sm_root *root, struct target *const *targets, size_t n,
	pid_t command) SM_MUST;
void opener_end(struct opener *o);

/* Value of t->number for a descendant of COMMAND. */
#define OPENER_DESCENDANT UINT32_MAX
/* Opens files of the target's current program (FILES_BIT() of target/files.h); sets t->fd and t->err.
 * -EPIPE: the opener has ended. */
int opener_files(struct opener *o, struct target *t, unsigned int set) SM_MUST;
/*
 * Open the perf events of the target's threads, which takes 0.5 ms per thread or more: opener_perf_ask()
 * requests it, opener_perf_ready() returns whether it is done, and opener_perf() waits for the events and
 * receives them.  The opener also keeps the events open, so that closing them here and the end of the tool
 * cost nothing.  -EBUSY: events of another target were requested and not received.
 */
int opener_perf_ask(struct opener *o, const struct target *t) SM_MUST;
bool opener_perf_ready(const struct opener *o);
int opener_perf(struct opener *o, struct perfset *out) SM_MUST;

#endif
