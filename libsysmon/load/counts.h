/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts: how many cycles and instructions a worker has executed, and how that is known.
 *
 *	perf      counted by the PMU for this worker (perfgroup.h), scaled if it was multiplexed
 *	tsc       reference cycles: frequency of the time stamp counter times the worker's CPU time
 *	computed  instructions: operations times the known length of one (ops.h)
 *	none      not known
 *
 * Whether perf counts is found out once, at the opening.  A worker whose PMU gives nothing between two
 * samples falls back for these; so a figure's method stands beside it.
 */
#ifndef SM_COUNTS_H
#define SM_COUNTS_H

#include "kernel/perfgroup.h"
#include "kernel/tsc.h"
#include "load/workers.h"

enum sm_counts_method {
	SM_COUNTS_NONE,
	SM_COUNTS_PERF,
	SM_COUNTS_TSC,
	SM_COUNTS_COMPUTED,
};

enum { SM_COUNTS_CYCLES, SM_COUNTS_INSTRUCTIONS, SM_COUNTS_REF_CYCLES, SM_COUNTS_N };

struct sm_counts {
	struct sm_perfgroup *group; /* of each worker; NULL: perf does not count here */
	unsigned int n;
	int perf_error;             /* why not: -errno */
	bool user_only;             /* perf counts without the kernel's part */
	double tsc_hz;              /* 0: not known yet, or never */
	struct sm_tsc_mark begin;   /* raw_ns 0: no counter to measure */
};

struct sm_counts_sample {
	struct sm_workers_reading reading;
	struct sm_perfgroup_values perf;
	bool has_perf;              /* it could be read */
};

struct sm_counts_figure {
	double value;
	enum sm_counts_method method;
};

/* After sm_workers_open(), before rights are dropped.  root: for machines with unlike CPUs.  events:
 * SM_COUNTS_N of them, in that order, or NULL for those of the hardware.  -ENOMEM; that perf does not
 * count is no error. */
int sm_counts_open(struct sm_counts *c, const struct sm_workers *w, const struct sm_root *root,
	const struct sm_perfgroup_event *events) SM_MUST;
void sm_counts_close(struct sm_counts *c);
/* Of worker i, now. */
void sm_counts_sample(struct sm_counts *c, const struct sm_workers *w, unsigned int i,
	struct sm_counts_sample *s);
/* What happened between two samples of a worker that worked on op all the time. */
void sm_counts_between(const struct sm_counts *c, const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, const struct sm_ops *op,
	struct sm_counts_figure out[SM_COUNTS_N]);
/* "perf", "tsc", "computed", "unavailable" */
const char *sm_counts_method_name(enum sm_counts_method m);

#endif
