/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holders: processes that wait for a semaphore and post it, with a check that it is never held by more
 * processes than its value permits.
 *
 * Each process counts itself in shared memory while it holds the semaphore.  By turns it waits for it, tries
 * it first, and waits for it with a time limit.  At the end, the semaphore is not held, and has its first
 * value again.
 */
#ifndef STRESSORS_SEM_HOLDERS_H
#define STRESSORS_SEM_HOLDERS_H

#include "../run/team.h"

#define HOLDERS_MAX 64u /* processes */

enum holders_how { HOLDERS_WAIT, HOLDERS_TRY, HOLDERS_TIMED };

/* A kind of semaphore; all return -errno if they fail. */
struct holders_way {
	const char *name;          /* "sem_wait" */
	/* 0: the process holds it.  -EAGAIN, -EINTR, -ETIMEDOUT: it does not. */
	int (*take)(void *sem, enum holders_how how);
	int (*post)(void *sem);
	int (*value)(void *sem);
};

struct holders_shared;

struct holders {
	const struct holders_way *way;
	void *sem;                 /* argument of the functions of the way */
	unsigned int processes, value;
	struct holders_shared *shared;
};

/* The metrics of the stressors, and their options, of which the first is the number of processes. */
extern const struct stressor_metric holders_metrics[];
extern const struct stressor_opt holders_opts[];

/* Allocates the shared memory and sets h->value, the first value that the semaphore must have.  Returns 0, or
 * the value of stress_lacks(). */
int holders_begin(struct stress *s, struct holders *h, const struct holders_way *way, void *sem) SM_MUST;
/* Returns the value that the stressor's run must return. */
int holders_run(struct stress *s, struct holders *h) SM_MUST;
double holders_cpus(const struct stress *s);

#endif
