/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters: what the kernel's counters of timers (source.h) or of wake-ups (kernel/wakecause.h) have
 * grown by since the last reading.
 *
 * The counters of a task that has exited are deleted once they have not grown for some samples.  What
 * they have counted since the last reading is not lost.
 */
#ifndef EVENTSTAT_COUNTERS_H
#define EVENTSTAT_COUNTERS_H

#include "base/map.h"
#include "event.h"
#include "kernel/wakecause.h"
#include "source.h"

/* The func of a counter of wake-ups that found no room in the kernel. */
#define COUNTERS_NO_ROOM UINT64_MAX

struct counter_key {
	struct sm_timer_owner owner; /* ids 0: the idle task, or no task */
	uint64_t func;  /* callback; of a wake-up the id of its cause (kernel/wakes.h) */
	uint64_t kind;  /* enum sm_timer_kind, or enum sm_wake_cause */
	uint64_t part;  /* the timer's address where timers are counted one by one; the CPU of wake-ups */
};

struct counter {
	struct counter_key key;
	struct counts last;        /* as the kernel has them; of wake-ups all three are the same */
	struct counts now, total;  /* in the last interval, since the start */
	uint64_t last_slept_ns, slept_ns, total_slept_ns; /* of wake-ups */
	char comm[SM_TASK_COMM_LEN]; /* of the owner, when it last armed one or first sent; "": not known */
	bool kthread;              /* the owner is a kernel thread, as far as the kernel noted it */
	char process[SM_TASK_COMM_LEN]; /* of its process' main thread then; "": not known */
	uint64_t named_ns;         /* CLOCK_MONOTONIC since when it has this comm; 0: not known */
	uint64_t seen_ns, cpu_ns;  /* when it first armed one, and its CPU time then; 0: not known */
	uint32_t idle;             /* readings in which it did not grow */
	uint32_t number;           /* of the last reading that had it */
	struct counter *next;      /* of counters.deleted */
};

struct counters_ops;

struct counters {
	const struct counters_ops *ops; /* of timers, or of wake-ups */
	struct source *source;          /* of timers */
	struct sm_wakecause *wake;      /* of wake-ups */
	struct sm_map map;         /* hash of the key -> struct counter */
	struct counter **grown;    /* n of them, in the last reading */
	size_t n, cap;
	struct counter *deleted;   /* list of those that are only in grown[] */
	uint32_t number;           /* of the last reading */
};

/* Of timers, or of wake-ups. */
int counters_init(struct counters *c, struct source *source) SM_MUST;
int counters_init_wakeups(struct counters *c, struct sm_wakecause *wake) SM_MUST;
void counters_fini(struct counters *c);
/* Reads all counters.  -errno. */
int counters_read(struct counters *c) SM_MUST;
/* Forgets what was counted until now: the run begins. */
void counters_begin(struct counters *c);
/* After a reading: deletes counters of tasks that exited; root has their /proc. */
void counters_purge(struct counters *c, const struct sm_root *root);

/* The callbacks that end the sleep of a task. */
#define COUNTERS_HR_SLEEPER    "hrtimer_wakeup"
#define COUNTERS_WHEEL_SLEEPER "process_timeout"

#define COUNTERS_DEADLINE      "dl_task_timer"

/* Is it the kernel's own?  So is one of the wheel without a known owner in which no task sleeps.  func: name
 * of its callback; "": not known. */
bool counters_is_of_kernel(const struct counter *k, const char *func);
/* The counter with this key; NULL: none. */
const struct counter *counters_find(const struct counters *c, const struct counter_key *key);
/* The counter that has the name of the owner of such a timer, as it armed the first, or another one; NULL:
 * its name is not known. */
const struct counter *counters_named(const struct counters *c, const struct counter_key *key);

#endif
