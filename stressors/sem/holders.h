/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holders: processes that wait for a semaphore and post it, with a check that no more of them have it than
 * its value permits.
 *
 * Each process counts itself in shared memory while it has the semaphore.  By turns it waits for it, tries it
 * first, and waits for it with a time limit.  In the end nobody has it, and it has its first value again.
 */
#ifndef STRESSORS_SEM_HOLDERS_H
#define STRESSORS_SEM_HOLDERS_H

#include "../run/team.h"

#define HOLDERS_MAX 64u /* processes */

enum holders_how { HOLDERS_WAIT, HOLDERS_TRY, HOLDERS_TIMED };

/* A kind of semaphore; all return -errno if they fail. */
struct holders_way {
	const char *name;          /* "sem_wait" */
	/* 0: the process has it.  -EAGAIN, -EINTR, -ETIMEDOUT: it has not. */
	int (*take)(void *sem, enum holders_how how);
	int (*post)(void *sem);
	int (*value)(void *sem);
};

struct holders_shared;

struct holders {
	const struct holders_way *way;
	void *sem;                 /* what the functions of the way get */
	unsigned int processes, value;
	struct holders_shared *shared;
};

/* Those of the stressors, and the option of the number of processes, in place 0. */
extern const struct stressor_metric holders_metrics[];
extern const struct stressor_opt holders_opts[];

/* Makes the shared memory and sets the first value, which the semaphore is to have.  0, or the value of
 * stress_lacks(). */
int holders_begin(struct stress *s, struct holders *h, const struct holders_way *way, void *sem) SM_MUST;
/* Returns the value that the stressor's run is to return. */
int holders_run(struct stress *s, struct holders *h) SM_MUST;
double holders_cpus(const struct stress *s);

#endif
