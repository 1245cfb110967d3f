/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeup: what ended the sleeps of idle CPUs between two instants (--wakeups; kernel/wakecause.h).
 *
 * A row is one cause on all CPUs: a timer with its callback and the task that armed it, an interrupt of a
 * device, an interrupt that another CPU sent and the task that sent it.  It begins with a struct event, so
 * that what selects, groups and orders rows of timers does so here; all counts of that event are
 * wake-ups, and its kind is the cause.  Each sleep is in exactly one row, eventstat's own ones too: the
 * sum of all rows is the number of exits from idle, of which at most one of each CPU comes later.
 */
#ifndef EVENTSTAT_WAKEUP_H
#define EVENTSTAT_WAKEUP_H

#include "event.h"
#include "kernel/wakes.h"

#define WAKEUP_SEVERAL SM_WAKE_CAUSES /* the cause of a group of several */

struct wakeup {
	struct event who;      /* first; tid 0: no task, but an interrupt, sent it */
	uint32_t cause;        /* enum sm_wake_cause */
	uint64_t id;           /* of the cause: wakes.h */
	uint64_t slept_ns;     /* sums, until the exit from idle */
	uint64_t total_slept_ns;
	const char *device;    /* the interrupt's devices, any bytes; "": none, not known */
	uint64_t group;        /* while rows are grouped */
};

struct wake_cpu {
	struct sm_wake_sum sum; /* of all causes, in this interval */
	uint64_t unknown;       /* of them */
	uint64_t exits;         /* counted apart from the causes */
};

struct wake_sample {
	uint64_t t_ns, wall_ns, dt_ns; /* as in struct sample */
	bool partial;
	struct wakeup *rows;
	size_t n;
	const struct wake_cpu *cpu;
	unsigned int cpus;       /* highest possible number + 1 */
	struct wake_cpu all;
	struct sm_wake_sum by_cause[SM_WAKE_CAUSES];
	uint64_t sleeps[SM_WAKE_BUCKETS]; /* of the run, by their length (wakes.h) */
	uint64_t no_room;        /* in a row of their cause, without their task */
};

/* "hrtimer", "irq" ...; "" of several. */
const char *wakeup_cause_name(uint32_t cause);
/* Did another CPU send it? */
bool wakeup_has_sender(uint32_t cause);
bool wakeup_is_timer(uint32_t cause);
/* Is there a task, known or not? */
bool wakeup_has_task(const struct wakeup *w);

#endif
