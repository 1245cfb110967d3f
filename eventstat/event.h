/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: the timers of all tasks between two instants, as the sampler returns them.
 *
 * A row is what one task did with one callback and kind of timer.  Its events are starts: how often
 * the task armed such a timer (as the original counts).  An expiry is counted where the timer ends by
 * itself, whoever runs then; it is idle if the CPU was.
 */
#ifndef EVENTSTAT_EVENT_H
#define EVENTSTAT_EVENT_H

#include "base/strpool.h"
#include "kernel/timers.h"

enum {
	EVENT_KTHREAD = 1, /* name in [ ] */
	EVENT_SELF = 2,    /* eventstat itself */
	EVENT_TICK = 4,    /* the tick, of whatever task */
	EVENT_HAS_UID = 8,
	EVENT_HAS_PRIO = 16,
	EVENT_GROUP = 32,  /* a sum of rows */
};

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
	pid_t tid, tgid;       /* 0: the idle task; -1: not known */
	uint8_t kind;          /* enum sm_timer_kind */
	uint8_t flags;
	int16_t nice;          /* with EVENT_HAS_PRIO */
	uint8_t rtprio;        /* 0: not real time */
	uid_t uid;             /* with EVENT_HAS_UID */
	uint32_t members;      /* of a group: rows; otherwise 1 */
	float cpu_pct;         /* of one CPU; NAN: not known */
	uint64_t func;         /* address of the callback; 0: of a group of several */
	const char *func_name; /* "": not known */
	uint32_t timer_id;     /* -i; 0: of a group, or not asked for */
	/* Bytes of other processes, borrowed from the sampler until its next sample. */
	struct sm_str comm;
	const struct sm_poolstr *cmd, *cgroup; /* NULL: none or not read */
};

struct sample {
	uint64_t t_ns;         /* CLOCK_MONOTONIC of the end */
	uint64_t wall_ns;      /* the same instant since the epoch */
	uint64_t dt_ns;        /* since the previous sample; 0: the first, without rows */
	bool partial;          /* shorter than the interval: the run ended */
	struct event *events;
	size_t n;
	struct sm_timer_losses lost; /* of the run */
};

/* What a row is of, the same in each sample; not 0.  Its comm tells groups apart, but a task may change
 * it. */
uint64_t event_key(const struct event *e, uint64_t seed);

#endif
