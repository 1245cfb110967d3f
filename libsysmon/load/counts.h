/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts: the numbers of cycles and instructions that a worker has executed, and the method of each
 * number.
 *
 *	perf      counted by the PMU for this worker (perfgroup.h), scaled if it was multiplexed
 *	tsc       reference cycles: frequency of the time stamp counter times the worker's CPU time
 *	computed  instructions: operations times the known length of one (ops.h)
 *	none      unknown
 *
 * Cycles are counted by perf only: the clock of a CPU is faster or slower than the time stamp counter.
 *
 * Whether perf counts is determined once, when the counts are opened.  For a worker whose PMU counts
 * nothing between two samples, another method is used between these samples; the method is therefore
 * returned with each value.
 */
#ifndef SM_COUNTS_H
#define SM_COUNTS_H

#include "events/perfgroup.h"
#include "events/tsc.h"
#include "load/workers.h"

enum sm_counts_method {
	SM_COUNTS_NONE,
	SM_COUNTS_PERF,
	SM_COUNTS_TSC,
	SM_COUNTS_COMPUTED,
};

enum { SM_COUNTS_CYCLES, SM_COUNTS_INSTRUCTIONS, SM_COUNTS_REF_CYCLES, SM_COUNTS_N };

struct sm_counts {
	struct sm_perfgroup *group; /* one per worker; NULL: perf does not count here */
	unsigned int n;
	int perf_error;             /* reason why perf does not count: -errno */
	bool user_only;             /* perf counts user mode only */
	double tsc_hz;              /* 0: not yet known, or unknown */
	struct sm_tsc_mark begin;   /* raw_ns 0: there is no counter to measure */
};

struct sm_counts_sample {
	struct sm_workers_reading reading;
	struct sm_perfgroup_values perf;
	bool has_perf;              /* perf could be read */
};

struct sm_counts_figure {
	double value;
	enum sm_counts_method method;
};

/* Opens the counts, after sm_workers_open() and before privileges are dropped.  root: for machines with
 * different kinds of CPUs.  events: SM_COUNTS_N events in that order, or NULL for the hardware events.
 * -ENOMEM; it is not an error if perf does not count. */
int sm_counts_open(struct sm_counts *c, const struct sm_workers *w, const struct sm_root *root,
	const struct sm_perfgroup_event *events) SM_MUST;
void sm_counts_close(struct sm_counts *c);
/* Takes a sample of worker i. */
void sm_counts_sample(struct sm_counts *c, const struct sm_workers *w, unsigned int i,
	struct sm_counts_sample *s);
/* Computes the counts between two samples of a worker that executed op the whole time. */
void sm_counts_between(const struct sm_counts *c, const struct sm_counts_sample *before,
	const struct sm_counts_sample *now, const struct sm_ops *op,
	struct sm_counts_figure out[SM_COUNTS_N]);
/* "perf", "tsc", "computed", "unavailable" */
const char *sm_counts_method_name(enum sm_counts_method m);

#endif
