/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team: several processes or threads that work as one instance.
 *
 * Each member has a struct stress of its own, with a slot of its own in shared memory, so that its function
 * uses run/stress.h as run does: stress_goes_on(), stress_add(), stress_fail() and the like.  Its `instance`
 * counts the members of all instances, for stress_pin(); its ops_max is its part of the limit of the
 * instance; it has no histogram, and a metric is set in the struct stress of the instance.
 *
 * The members begin when all have been started.  The instance itself only waits.  Every 5 ms it adds the ops
 * of the members to its own, so that --interval and run/stall see the progress of all.  The first failure
 * becomes the result of the instance and ends the team: processes are killed, threads are stopped.  If a
 * process was killed by SIGKILL, the instance dies of SIGKILL too: the supervisor knows whether the kernel
 * did that for lack of memory.  CPU time needs no call: rusage has that of threads and of children that were
 * reaped.
 *
 * Signals: a process of the team blocks all signals, a thread those that the instance blocks, but for
 * TEAM_SIGNAL: at the end of the run each member gets it every 5 ms, and so a call that waits returns EINTR
 * (signal(7)).  A member waits in such calls, or with a time limit, and then asks stress_goes_on().
 *
 * Members are reaped by their pid.  Children that a member or the instance makes by fork(2) itself, such as
 * those that it kills, are its own: it reaps them by their pid before it returns.
 */
#ifndef STRESSORS_RUN_TEAM_H
#define STRESSORS_RUN_TEAM_H

#include <signal.h>

#include "stress.h"

/* A signal that is ignored where it has no handler. */
#define TEAM_SIGNAL SIGURG

enum team_kind { TEAM_PROCESSES, TEAM_THREADS };

struct team_plan {
	enum team_kind kind;
	unsigned int n;           /* members */
	/* number: 0 to n - 1.  0, or what stress_fail() and the like return. */
	int (*function)(struct stress *s, unsigned int number, void *data);
	void *data;
};

/* Memory that the processes of a team share, zero.  NULL: stress_lacks() was called. */
void *team_memory(struct stress *s, size_t bytes) SM_MUST;

/* Starts the members and returns when all have ended: 0, or what run is to return. */
int team_run(struct stress *s, const struct team_plan *p) SM_MUST;

#endif
