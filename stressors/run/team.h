/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team: several processes or threads that work as one instance.
 *
 * Each member has its own struct stress, with its own slot in shared memory, so that its function uses
 * run/stress.h as run does: stress_goes_on(), stress_add(), stress_fail() and so on.  Its `instance` counts
 * the members of all instances, for stress_pin(); its ops_max is its part of the limit of the instance.  A
 * member does not use a histogram, and metrics are set in the struct stress of the instance.
 *
 * The members begin when all have been started.  The instance itself only waits.  Every 5 ms it adds the ops
 * of the members to its own, so that --interval and run/stall notice the progress of all.  The first failure
 * becomes the result of the instance and ends the team: processes are killed by TEAM_END, or by SIGKILL if
 * they are still there after 0.1 s; threads are stopped.  If a process was killed by SIGKILL from elsewhere,
 * the instance kills itself with SIGKILL, because the supervisor can find out whether the kernel did that for
 * lack of memory.  CPU time needs no call: rusage includes threads and reaped children.
 *
 * Signals: a process of the team blocks all signals except TEAM_SIGNAL and TEAM_END, a thread those that the
 * instance blocks, except TEAM_SIGNAL.  At the end of the run each member receives TEAM_SIGNAL every 5 ms, so
 * that a call that waits returns EINTR (signal(7)).  A member waits only in such calls, or with a time limit,
 * and then calls stress_goes_on().
 *
 * Members are reaped by their pid.  A member, or the instance, that creates other children with fork(2) must
 * reap them by their pid before it returns.
 */
#ifndef STRESSORS_RUN_TEAM_H
#define STRESSORS_RUN_TEAM_H

#include <signal.h>

#include "stress.h"

/* A signal that is ignored without a handler. */
#define TEAM_SIGNAL SIGURG
/* A signal that kills a process, and that stressors do not use. */
#define TEAM_END SIGRTMAX

enum team_kind { TEAM_PROCESSES, TEAM_THREADS };

struct team_plan {
	enum team_kind kind;
	unsigned int n;           /* members */
	/* number: 0 to n - 1.  Returns 0, or the value of stress_fail() or a similar function. */
	int (*function)(struct stress *s, unsigned int number, void *data);
	void *data;
};

/* Returns zeroed memory that the processes of a team share.  NULL: stress_lacks() was called. */
void *team_memory(struct stress *s, size_t bytes) SM_MUST;

/* Starts the members and returns when all have ended: 0, or the value that run must return. */
int team_run(struct stress *s, const struct team_plan *p) SM_MUST;

#endif
