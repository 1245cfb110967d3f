/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * box: a child process that makes those calls of an instance which may kill their caller.
 *
 * The child works as the instance: it uses the instance's slot, and therefore stress_goes_on(), stress_add(),
 * stress_fail() and so on; its other results are in memory of box_memory().  Like the instance of such a
 * stressor, it lacks all capabilities, and it cannot gain any (no_new_privs).  It dumps no core, has only the
 * descriptors 0 to 2 and those that it opens, and cannot make a file larger than BOX_FILE_BYTES.  It blocks
 * all signals except TEAM_SIGNAL, which the instance sends when no call has ended for 5 ms, so that a call
 * that waits returns EINTR.  A child that does not react, at the end of the run or with a limit, is killed.
 *
 * If another process kills the child with SIGKILL, the instance kills itself with SIGKILL: the supervisor can
 * find out whether the kernel did that for lack of memory.
 */
#ifndef STRESSORS_REFUSED_BOX_H
#define STRESSORS_REFUSED_BOX_H

#include "run/stress.h"

#define BOX_FILE_BYTES (UINT64_C(1) << 20)

struct box {
	/* Called in the child.  Returns 0, or the value of stress_fail() or a similar function. */
	int (*work)(struct stress *s, void *data);
	void *data;
	const _Atomic uint64_t *calls; /* a count that each call changes, in memory of box_memory() */
	bool limit;                    /* a call that does not return ends the child */
};

/* Returns zeroed memory that the instance and its children share.  NULL: stress_lacks() was called. */
void *box_memory(struct stress *s, size_t bytes) SM_MUST;

/* Runs one child until it ends.  Returns 0 if its work is done or the run is over; the number of the signal
 * that has killed it, which is SIGKILL if a call did not return; -1 if it failed or could not be started,
 * with the reason set. */
int box_run(struct stress *s, const struct box *b) SM_MUST;

#endif
