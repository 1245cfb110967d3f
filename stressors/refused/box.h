/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * box: a child process that makes the calls of an instance which may end it.
 *
 * The child works as the instance: it has the same slot, so that it uses stress_goes_on(), stress_add(),
 * stress_fail() and the like; its other results are in memory of box_memory().  It has no capability, as
 * the instance of such a stressor has none, cannot get any (no_new_privs), dumps no core, has no descriptor
 * but 0 to 2 and those that it opens, and cannot make a file larger than BOX_FILE_BYTES.  It blocks all
 * signals but TEAM_SIGNAL, which the instance sends when no call has ended for 5 ms: a call that waits then
 * returns EINTR.  A child that does not react, at the end of the run or with a limit, is killed.
 *
 * If the child is killed by a SIGKILL of another process, the instance dies of SIGKILL, too: the supervisor
 * knows whether that was for lack of memory.
 */
#ifndef STRESSORS_REFUSED_BOX_H
#define STRESSORS_REFUSED_BOX_H

#include "run/stress.h"

#define BOX_FILE_BYTES (UINT64_C(1) << 20)

struct box {
	/* In the child.  0, or what stress_fail() and the like return. */
	int (*work)(struct stress *s, void *data);
	void *data;
	const _Atomic uint64_t *calls; /* a count that each call changes, in memory of box_memory() */
	bool limit;                    /* a call that does not return ends the child */
};

/* Memory that the instance and its children share, zero.  NULL: stress_lacks() was called. */
void *box_memory(struct stress *s, size_t bytes) SM_MUST;

/* Runs one child until it ends.  0: its work is done, or the run is over.  The number of the signal that has
 * ended it; SIGKILL: it was killed, because a call did not return.  -1: it failed, or could not be made, and
 * the reason is set. */
int box_run(struct stress *s, const struct box *b) SM_MUST;

#endif
