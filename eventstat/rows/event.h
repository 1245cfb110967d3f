/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: the rows of a sample: the timers of all tasks in an interval, or the causes that ended the idle
 * periods of CPUs (--wakeups; timers/wakecause.h).
 *
 * A row of timers counts the timers of one task with one callback and kind.  A start is an event of the
 * original: the task armed a timer.  An expiry belongs to the owner of the timer, whichever task is current
 * when it expires; the expiry is idle if the current task is the idle task.
 *
 * A row of wakeups counts one cause on all CPUs: a timer with its callback and the task that armed it, a
 * device interrupt, or an interrupt that another CPU sent and the task that sent it.  All its counts are
 * wakeups.  Each idle period is counted in exactly one row, including those that eventstat ends: the sum of
 * all rows is the number of exits from idle, except for at most one exit per CPU that is counted later.
 */
#ifndef EVENTSTAT_EVENT_H
#define EVENTSTAT_EVENT_H

#include "base/strpool.h"
#include "timers/timers.h"
#include "timers/wakes.h"

/* The type of a row. */
enum { EVENT_TIMER, EVENT_WAKEUP };

/* Flags. */
enum {
	EVENT_KTHREAD = 1, /* kernel thread, or interrupt */
	EVENT_SELF = 2,    /* eventstat itself */
	EVENT_TICK = 4,    /* the tick, whichever task armed it */
	EVENT_HAS_UID = 8,
	EVENT_HAS_PRIO = 16,
	EVENT_GROUP = 32,  /* a sum of rows */
	EVENT_INTERRUPT = 64, /* owned by an interrupt, not by a task */
	EVENT_LOOKED = 128,   /* it has the data of /proc (tasks_look()) */
	EVENT_WORK = 256,  /* func is the function of a delayed work */
};

/* Mark of the function of a delayed work in the table. */
#define EVENT_WORK_PREFIX "work:"

/* Kind of a group of wakeups by several causes. */
#define EVENT_SEVERAL SM_WAKE_CAUSES

struct counts {
	uint64_t starts, expiries, idle;
};

static inline void counts_add(struct counts *to, const struct counts *c)
{
	to->starts += c->starts;
	to->expiries += c->expiries;
	to->idle += c->idle;
}

struct event {
	struct counts now;     /* in this interval */
	struct counts total;   /* in the run */
	uint64_t slept_ns, total_slept_ns; /* wakeups: total length of the idle periods */
	/* 0: the idle task, or an interrupt; -1: no task, or unknown.  tid -1 with a tgid: threads of the
	 * process that have no counters of their own (timers/shares.h). */
	pid_t tid, tgid;
	uint64_t birth;        /* birth of the task (struct sm_timer_owner) */
	uint8_t type;          /* EVENT_TIMER, EVENT_WAKEUP */
	uint8_t kind;          /* enum sm_timer_kind; wakeups: enum sm_wake_cause, EVENT_SEVERAL */
	uint16_t flags;
	uint8_t rtprio;        /* 0: not real time */
	int16_t nice;          /* with EVENT_HAS_PRIO */
	uid_t uid;             /* with EVENT_HAS_UID */
	uint32_t members;      /* number of rows of a group; otherwise 1 */
	float cpu_pct;         /* percent of one CPU; NAN: unknown */
	uint32_t timer_id;     /* with -i; 0: a group, or without -i */
	uint32_t irq;          /* wakeups: number of a device interrupt, or vector; otherwise 0 */
	uint64_t func;         /* address of callback, function called or work; 0: unknown, or several */
	uint8_t woke;          /* wakeups: enum sm_wake_woke */
	char woke_comm[SM_TASK_COMM_LEN]; /* as in struct sm_wake_key */
	const char *func_name; /* "": unknown */
	const char *device;    /* devices of the interrupt, any bytes; may be NULL or "" */
	/* Bytes of other processes, borrowed from the sampler until its next sample. */
	struct sm_str comm;
	struct sm_str process; /* comm of the main thread; empty: unknown, or no process */
	const struct sm_poolstr *cmd, *cgroup; /* NULL: not read */
};

/* Sums over all rows of timers. */
struct sums {
	struct counts all, kernel, tick;
	uint64_t self;         /* starts of eventstat itself, excluded from the other sums */
};

struct wake_cpu {
	struct sm_wake_sum sum; /* all causes, in this interval */
	uint64_t unknown;       /* wakeups without a known cause, included in sum */
	uint64_t exits;         /* exits from idle, counted separately from the causes */
};

/* Sums over all wakeups. */
struct wake_sums {
	const struct wake_cpu *cpu;
	unsigned int cpus;      /* highest possible CPU number + 1 */
	struct wake_cpu all;
	struct sm_wake_sum by_cause[SM_WAKE_CAUSES];
	uint64_t sleeps[SM_WAKE_BUCKETS]; /* idle periods in the run, by length (wakes.h) */
	uint64_t no_room;       /* wakeups in this interval that are counted without their task */
};

struct sample {
	uint64_t t_ns;         /* end of the interval, CLOCK_MONOTONIC */
	uint64_t wall_ns;      /* end of the interval, since the epoch */
	uint64_t dt_ns;        /* length of the interval; 0: the first sample, without rows */
	bool partial;          /* the run ended within the interval */
	struct event *events;
	size_t n;
	struct sm_timer_losses lost; /* losses of timers in the run */
	unsigned int lost_cpus; /* CPUs that came online during the run and are not counted */
	/* timers */
	struct sums sums;
	/* wakeups */
	struct wake_sums woken;
};

/* Returns the key of a row, which is constant over all samples and never 0.  Comm is part of the key only for
 * groups, because a task can change it. */
uint64_t event_key(const struct event *e, uint64_t seed);
/* Returns a seed that depends on the task that ran first; without such a task, the given one. */
uint64_t event_woke_key(const struct event *e, uint64_t seed);

/* Returns "hrtimer", "irq" ...; "" for several causes. */
const char *event_cause_name(uint32_t cause);
bool event_is_by_timer(uint32_t cause);
/* True if another CPU caused the wakeup. */
bool event_has_sender(uint32_t cause);
/* True if a task, known or unknown, caused the row; not every wakeup has a task. */
bool event_has_task(const struct event *e);

#endif
