/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters: what the counters of timers (source.h) have grown by since the last reading.
 *
 * The counters of a task that has exited are deleted once they have not grown for some samples.  What
 * they have counted since the last reading is not lost.
 */
#ifndef EVENTSTAT_COUNTERS_H
#define EVENTSTAT_COUNTERS_H

#include "base/map.h"
#include "event.h"
#include "source.h"

struct counter {
	struct sm_timer_key key;
	struct counts last;        /* as the source has them */
	struct counts now, total;  /* in the last interval, since the start */
	char comm[SM_TASK_COMM_LEN]; /* when it first armed such a timer; "": it did not */
	uint64_t seen_ns, cpu_ns;  /* CLOCK_MONOTONIC of that, and its CPU time then; 0: not known */
	uint32_t idle;             /* readings in which it did not grow */
	uint32_t number;           /* of the last reading that had it */
	struct counter *next;      /* of counters.deleted */
};

struct counters {
	struct source *source;
	struct sm_map map;         /* hash of the key -> struct counter */
	struct counter **grown;    /* n of them, in the last reading */
	size_t n, cap;
	struct counter *deleted;   /* list of those that are only in grown[] */
	uint32_t number;
};

int counters_init(struct counters *c, struct source *source) SM_MUST;
void counters_fini(struct counters *c);
/* Reads all counters.  -errno. */
int counters_read(struct counters *c) SM_MUST;
/* Forgets what was counted until now: the run begins. */
void counters_begin(struct counters *c);
/* The callbacks that end the sleep of a task. */
#define COUNTERS_HR_SLEEPER    "hrtimer_wakeup"
#define COUNTERS_WHEEL_SLEEPER "process_timeout"

/* Without owner a timer is armed by its own callback alone: it is the kernel's.  So is one of the wheel in
 * which no task sleeps.  func: name of its callback; "": not known. */
bool counters_is_of_kernel(const struct counter *k, const char *func);
/* The counter of such timers; NULL: none. */
const struct counter *counters_find(const struct counters *c, const struct sm_timer_key *key);
/* The name that the owner of such a timer had as it armed the first, or another one; NULL: not known. */
const char *counters_comm(const struct counters *c, const struct sm_timer_key *key);
/* Is it time to ask whether the task of a counter has exited that did not grow in that many readings?
 * n of max counters are in use. */
bool counters_due(uint32_t idle, uint32_t n, uint32_t max);
/* Has the task?  Not asked of the idle task or an owner that is not known. */
bool counters_exited(const struct sm_root *root, uint64_t owner);
/* Does that prove it?  In a pid namespace of its own /proc lacks living tasks: only where room is short their
 * counters are deleted all the same, and begin anew. */
bool counters_can_tell(const struct sm_root *root, uint32_t n, uint32_t max);
/* After a reading: deletes counters of tasks that exited; root has their /proc. */
void counters_purge(struct counters *c, const struct sm_root *root);

#endif
