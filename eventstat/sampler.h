/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler: the rows of each interval: counters that have grown, their callback's name and their task.
 */
#ifndef EVENTSTAT_SAMPLER_H
#define EVENTSTAT_SAMPLER_H

#include "counters.h"
#include "kernel/ksyms.h"
#include "opts.h"
#include "tasks.h"

struct sampler {
	const struct sm_root *root;
	struct sm_timercount timers;
	struct sm_bpf_log log;     /* why sampler_open() failed; "": the kernel gave no reason */
	struct counters counters;
	struct tasks tasks;
	struct sm_ksyms ksyms;
	struct sample now;
	size_t cap;                /* of now.events */
	bool no_rows;              /* only count: there are other rows */
	pid_t self;                /* the tool's process in the initial pid namespace; -1: not known */
};

/* Before the drop.  -errno of sm_timercount_open(), or -ENOMEM; then only sampler_close() may follow. */
int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names) SM_MUST;
/* One sample, in s->now; the first has no rows.  -errno: of reading the counters. */
int sampler_take(struct sampler *s) SM_MUST;
/* Whose row e is: a task, NULL if there is none; comm: a name that is known without it. */
void sampler_set_owner(const struct sampler *s, struct event *e, uint64_t owner, const struct task *t,
	struct sm_str comm);
void sampler_close(struct sampler *s);

#endif
