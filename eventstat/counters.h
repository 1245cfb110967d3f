/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters: the growth of the kernel's counters of timers (source.h) or of wakeups (timers/wakecause.h)
 * since the last reading.
 *
 * The counters of a task that has exited are deleted after some samples without growth.  If many are in use,
 * inactive counters with a task that ran first (key.woke) are deleted likewise.  Their growth
 * between the last reading and the deletion is not lost.
 */
#ifndef EVENTSTAT_COUNTERS_H
#define EVENTSTAT_COUNTERS_H

#include "base/map.h"
#include "rows/event.h"
#include "source.h"
#include "timers/wakecause.h"

/* func of a counter of wakeups for which the kernel had no room. */
#define COUNTERS_NO_ROOM UINT64_MAX

struct counter_key {
	struct sm_timer_owner owner; /* ids 0: the idle task, or no task */
	uint64_t func;  /* callback or function of a work; wakeups: ID of the cause (timers/wakes.h) */
	uint32_t kind;  /* enum sm_timer_kind, or enum sm_wake_cause */
	uint16_t work;  /* 1: func is the function of a delayed work */
	uint16_t woke;  /* wakeups: enum sm_wake_woke */
	uint64_t part;  /* address of the timer if timers are counted one by one; wakeups: CPU */
	char woke_comm[SM_TASK_COMM_LEN]; /* as in struct sm_wake_key */
};

struct counter {
	struct counter_key key;
	struct counts last;        /* values of the last reading; wakeups: all three are equal */
	struct counts now, total;  /* growth in the last interval, and since the start */
	uint64_t last_slept_ns, slept_ns, total_slept_ns; /* wakeups: idle time before them */
	char comm[SM_TASK_COMM_LEN]; /* the owner's when it last armed or first sent one; "": unknown */
	bool kthread;              /* the kernel recorded the owner as a kernel thread */
	char process[SM_TASK_COMM_LEN]; /* comm of the main thread at that time; "": unknown */
	uint64_t named_ns;         /* CLOCK_MONOTONIC since when the owner has this comm; 0: unknown */
	uint64_t seen_ns, cpu_ns;  /* time when the owner first armed one, its CPU time then; 0: unknown */
	uint32_t idle;             /* number of successive readings without growth */
	uint32_t number;           /* number of the last reading that contained it */
	struct counter *next;      /* list counters.deleted */
};

struct counters {
	struct source *source;     /* timers; otherwise NULL */
	struct sm_wakecause *wake; /* wakeups; otherwise NULL */
	uint32_t used, max;        /* number of the kernel's counters in the last reading; its limit */
	struct sm_map map;         /* hash of the key -> struct counter */
	struct counter **grown;    /* the n counters that grew in the last reading */
	size_t n, cap;
	struct counter *deleted;   /* list of counters that are only in grown[] */
	uint32_t number;           /* number of the last reading */
};

/* Either source or wake is NULL.  Returns 0 or -ENOMEM. */
int counters_init(struct counters *c, struct source *source, struct sm_wakecause *wake) SM_MUST;
void counters_fini(struct counters *c);
/* Reads all counters.  Returns 0 or -errno. */
int counters_read(struct counters *c) SM_MUST;
/* Discards all growth so far, because the run begins. */
void counters_begin(struct counters *c);
/* Deletes inactive counters; called after a reading.  root: where to find /proc. */
void counters_purge(struct counters *c, const struct sm_root *root);

/* Callbacks that end the sleep of a task. */
#define COUNTERS_HR_SLEEPER    "hrtimer_wakeup"
#define COUNTERS_WHEEL_SLEEPER "process_timeout"

#define COUNTERS_DEADLINE      "dl_task_timer"

/* True if a counter of timers belongs to the kernel: dl_task_timer, or a wheel timer without a known owner
 * that ends no sleep of a task.  func: name of its callback; "": unknown. */
bool counters_is_of_kernel(const struct counter *k, const char *func);
/* Returns a counter with the comm of this key's owner: the key's own, or that of another timer.  NULL: the
 * comm is unknown. */
const struct counter *counters_named(const struct counters *c, const struct counter_key *key);

#endif
