/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeups: makes the rows of wakeups of each interval.  Tasks, names of functions and owners of timers come
 * from the sampler.
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
	struct sm_bpf_log log;      /* reason of the kernel why wakeups_open() failed; may be "" */
	struct sample now;
	size_t cap;                 /* allocated size of now.events */
	struct sm_map rows;         /* hash of cause, function and task -> place in now.events + 1 */
	struct wake_cpu *cpu;
	uint64_t *exits;            /* exits from idle of each CPU at the last sample */
	bool first;                 /* this is the first sample of the run */
	bool want_totals;           /* rows need totals of the run (-c) */
	uint64_t sleeps[SM_WAKE_BUCKETS]; /* idle periods before the run began */
};

/* Called before privileges are dropped, with an open sampler, which then makes rows only for a screen.
 * Returns 0, -ENOMEM, or -errno of sm_wakecause_open(); on error, only wakeups_close() may be called. */
int wakeups_open(struct wakeups *w, struct sampler *s, const struct opts *o) SM_MUST;
/* Reads the counters, before the sampler's next sample: that sample then has the owners' names of all timers
 * that were counted here, even of owners that have exited.  Returns 0 or -errno. */
int wakeups_read(struct wakeups *w) SM_MUST;
/* Makes the rows in w->now after the sampler's sample; the first sample is empty.  Returns 0 or -ENOMEM. */
int wakeups_take(struct wakeups *w) SM_MUST;
void wakeups_close(struct wakeups *w);

#endif
