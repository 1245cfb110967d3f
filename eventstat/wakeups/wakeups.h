/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeups: the rows of wake-ups of each interval, as the sampler has those of timers.  Tasks, names of
 * functions and of timers' owners are the sampler's.
 */
#ifndef EVENTSTAT_WAKEUPS_H
#define EVENTSTAT_WAKEUPS_H

#include "irqs.h"
#include "opts.h"
#include "sampler.h"

struct wakeups {
	struct sampler *sampler;    /* NULL: not open */
	struct sm_wakecause cause;
	struct counters counters;
	struct irqs irqs;
	struct sm_bpf_log log;      /* why wakeups_open() failed; "": the kernel gave no reason */
	struct sample now;
	size_t cap;                 /* of now.events */
	struct sm_map rows;         /* hash of cause, function and task -> place in now.events + 1 */
	struct wake_cpu *cpu;
	uint64_t *exits;            /* of each CPU at the last sample */
	bool first;                 /* sample of the run */
	bool want_totals;           /* the rows' totals of the run (-c) */
	uint64_t sleeps[SM_WAKE_BUCKETS]; /* before the run began */
};

/* Before the drop, with an open sampler, which then has no rows unless there is a screen.  -errno of
 * sm_wakecause_open(), or -ENOMEM; then only wakeups_close() may follow. */
int wakeups_open(struct wakeups *w, struct sampler *s, const struct opts *o) SM_MUST;
/* Reads what has ended the sleeps.  Before the sampler's next sample: of a timer that is armed between
 * the two, the sample has the name of its owner, who may have exited.  -errno. */
int wakeups_read(struct wakeups *w) SM_MUST;
/* The wake-ups until then, in w->now, after the sample; the first has no rows.  -ENOMEM. */
int wakeups_take(struct wakeups *w) SM_MUST;
void wakeups_close(struct wakeups *w);

#endif
