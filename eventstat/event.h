/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: the rows of a sample: the timers of all tasks between two instants, or what ended the sleeps of
 * idle CPUs (--wakeups; kernel/wakecause.h).
 *
 * A row of timers is what one task did with one callback and kind of timer.  Its events are starts: how
 * often the task armed such a timer (as the original counts).  An expiry is counted where the timer ends
 * by itself, whoever runs then; it is idle if the CPU was.
 *
 * A row of wake-ups is one cause on all CPUs: a timer with its callback and the task that armed it, an
 * interrupt of a device, an interrupt that another CPU sent and the task that sent it.  All its counts are
 * wake-ups.  Each sleep is in exactly one row, eventstat's own ones too: the sum of all rows is the number
 * of exits from idle, of which at most one of each CPU comes later.
 */
#ifndef EVENTSTAT_EVENT_H
#define EVENTSTAT_EVENT_H

#include "base/strpool.h"
#include "kernel/timers.h"
#include "kernel/wakes.h"

/* The type of a row. */
enum { EVENT_TIMER, EVENT_WAKEUP };

/* Flags. */
enum {
	EVENT_KTHREAD = 1, /* name in [ ]; also of interrupts */
	EVENT_SELF = 2,    /* eventstat itself */
	EVENT_TICK = 4,    /* the tick, of whatever task */
	EVENT_HAS_UID = 8,
	EVENT_HAS_PRIO = 16,
	EVENT_GROUP = 32,  /* a sum of rows */
	EVENT_INTERRUPT = 64, /* of an interrupt, not of a task */
};

/* The kind of a group of wake-ups by several causes. */
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
	struct counts now;     /* of this interval */
	struct counts total;   /* of the run */
	uint64_t slept_ns, total_slept_ns; /* of wake-ups: sleeps together, until the exit from idle */
	/* 0: the idle task, or an interrupt; -1: none, or not known.  tid -1 beside a tgid: threads of the
	 * process that have no counters of their own (kernel/shares.h). */
	pid_t tid, tgid;
	uint64_t birth;        /* of the task: struct sm_timer_owner */
	uint8_t type;          /* EVENT_TIMER, EVENT_WAKEUP */
	uint8_t kind;          /* enum sm_timer_kind; of wake-ups enum sm_wake_cause, EVENT_SEVERAL */
	uint8_t flags;
	uint8_t rtprio;        /* 0: not real time */
	int16_t nice;          /* with EVENT_HAS_PRIO */
	uid_t uid;             /* with EVENT_HAS_UID */
	uint32_t members;      /* of a group: rows; otherwise 1 */
	float cpu_pct;         /* of one CPU; NAN: not known */
	uint32_t timer_id;     /* -i; 0: of a group, or not asked for */
	uint32_t irq;          /* of wake-ups: number of a device's interrupt, or vector; 0: none */
	uint64_t func;         /* callback, or function called; 0: none, or of a group of several */
	const char *func_name; /* "": not known */
	const char *device;    /* the interrupt's devices, any bytes; NULL, "": none, or not known */
	/* Bytes of other processes, borrowed from the sampler until its next sample. */
	struct sm_str comm;
	struct sm_str process; /* comm of the main thread; empty: not known, or no process */
	const struct sm_poolstr *cmd, *cgroup; /* NULL: none or not read */
};

/* Sums over all rows of timers. */
struct sums {
	struct counts all, kernel, tick;
	uint64_t self;         /* starts of the tool itself, which are in no other sum */
};

struct wake_cpu {
	struct sm_wake_sum sum; /* of all causes, in this interval */
	uint64_t unknown;       /* of them */
	uint64_t exits;         /* counted apart from the causes */
};

/* Sums over all wake-ups. */
struct wake_sums {
	const struct wake_cpu *cpu;
	unsigned int cpus;      /* highest possible number + 1 */
	struct wake_cpu all;
	struct sm_wake_sum by_cause[SM_WAKE_CAUSES];
	uint64_t sleeps[SM_WAKE_BUCKETS]; /* of the run, by their length (wakes.h) */
	uint64_t no_room;       /* of this interval: in a row of their cause, without their task */
};

struct sample {
	uint64_t t_ns;         /* CLOCK_MONOTONIC of the end */
	uint64_t wall_ns;      /* the same instant since the epoch */
	uint64_t dt_ns;        /* since the previous sample; 0: the first, without rows */
	bool partial;          /* shorter than the interval: the run ended */
	struct event *events;
	size_t n;
	struct sm_timer_losses lost; /* of timers, in the run */
	unsigned int lost_cpus; /* that came online during the run and are not counted */
	/* of timers */
	struct sums sums;
	/* of wake-ups */
	struct wake_sums woken;
};

/* Key of a row: the same in each sample, never 0.  Only groups are keyed by comm, because a task can change
 * its own. */
uint64_t event_key(const struct event *e, uint64_t seed);

/* "hrtimer", "irq" ...; "" of several. */
const char *event_cause_name(uint32_t cause);
bool event_is_by_timer(uint32_t cause);
/* Did another CPU send it? */
bool event_has_sender(uint32_t cause);
/* Does a task, known or not, cause the row?  Not every wake-up has one. */
bool event_has_task(const struct event *e);

#endif
