/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler: the rows of each interval: counters that have grown, their callback's name and their task.
 */
#ifndef EVENTSTAT_SAMPLER_H
#define EVENTSTAT_SAMPLER_H

#include "counters.h"
#include "kernel/ksyms.h"
#include "kernel/timertick.h"
#include "opts.h"
#include "tasks.h"

struct sampler {
	const struct sm_root *root;
	const struct opts *opts;
	struct source source;
	uint64_t timer_seed;       /* of the hash that is a timer's id: addresses are not shown */
	struct counters counters;
	struct tasks tasks;
	struct sm_ksyms ksyms;
	struct sm_timertick tick; /* functions that are known without their names */
	struct sample now;
	uint32_t told;             /* bits of enum sm_timer_callback: what the source knows */
	size_t cap;                /* of now.events */
	bool no_rows;              /* only count: there are other rows */
	pid_t self;                /* the tool's process in the initial pid namespace; -1: not known */
};

/* Before the drop.  -errno of source_open(), which s->source can explain if it has no method, or
 * -ENOMEM; then only sampler_close() may follow. */
int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names) SM_MUST;
/* One sample, in s->now; the first has no rows.  -errno: of reading the counters. */
int sampler_take(struct sampler *s) SM_MUST;
/* Whose row e is: a task, NULL if there is none; of_kernel: it is the kernel's own, whoever armed it. */
void sampler_set_owner(const struct sampler *s, struct event *e, struct sm_timer_owner owner,
	const struct task *t, bool of_kernel);
/* Is it the callback of the tick, whose owner is whoever ran when a CPU started it? */
bool sampler_is_tick(const struct sampler *s, uint64_t func);
void sampler_close(struct sampler *s);

#endif
