/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler: makes the rows of each interval from counters that have grown, names of callbacks and tasks.
 */
#ifndef EVENTSTAT_SAMPLER_H
#define EVENTSTAT_SAMPLER_H

#include "counters.h"
#include "opts.h"
#include "proc/ksyms.h"
#include "tasks.h"
#include "timers/timertick.h"

struct sampler {
	const struct sm_root *root;
	const struct opts *opts;
	struct source source;
	uint64_t timer_seed;       /* seed of timer IDs: hashes, because addresses are not shown */
	struct counters counters;
	struct tasks tasks;
	struct sm_ksyms ksyms;
	struct sm_timertick tick; /* functions that are found without their names */
	struct sample now;
	uint32_t told;             /* bits of enum sm_timer_callback that the source has received */
	size_t cap;                /* of now.events */
	bool no_rows;              /* make no rows of timers: only wakeups are shown */
	pid_t self;                /* PID of eventstat in the initial PID namespace; -1: unknown */
};

/* Called before privileges are dropped.  Returns 0, -ENOMEM, or -errno of source_open(), for which s->source
 * has the reasons if it has no method.  On error, only sampler_close() may be called. */
int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names) SM_MUST;
/* Takes a sample into s->now; the first one is empty.  Returns 0, or -errno of reading the counters. */
int sampler_take(struct sampler *s) SM_MUST;
/* Sets the owner of a row.  t: its task, or NULL; of_kernel: the timer belongs to the kernel, whoever armed
 * it. */
void sampler_set_owner(const struct sampler *s, struct event *e, struct sm_timer_owner owner,
	const struct task *t, bool of_kernel);
/* True for the callback of the tick, whose owner is the task that was current when a CPU armed it. */
bool sampler_is_tick(const struct sampler *s, uint64_t func);
void sampler_close(struct sampler *s);

#endif
