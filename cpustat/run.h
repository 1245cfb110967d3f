/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running cpustat, opened with privileges and used without them.
 */
#ifndef CPUSTAT_RUN_H
#define CPUSTAT_RUN_H

#include "cli/app.h"
#include "distribution.h"
#include "metrics.h"
#include "rows/rows.h"
#include "sampler/sampler.h"
#include "screen/screen.h"
#include "sysline.h"
#include "view.h"
#include "report.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct opts shown;       /* opts as changed by the keys of the screen */
	struct opts total_opts;  /* opts for the grand total: without limit and threshold */
	struct sm_ids users;
	struct sm_strpool *names;
	struct sampler sampler;
	struct rows rows, total_rows;
	struct totals merged;        /* sums of the sub-samples of an interval (-m) */
	struct totals total;         /* sums of the run (-g) */
	struct distribution dist;
	struct sm_widecsv *report;
	struct metrics metrics;
	struct sysline system;
	struct view view;
	struct screen *screen;
	struct merge {              /* the sub-samples of an interval */
		struct sample sum;
		struct sm_procstat before; /* at the start of the interval */
		uint64_t n;
	} merge;
	struct sm_buf text;
	uint64_t intervals;         /* completed intervals, whose sums are: */
	uint64_t span_ns, created, exited;
	bool counted;               /* created and exited are known */
	uint64_t still, still_ns;   /* number of samples at which the clock had not advanced; time of the
	                               first */
	uint64_t sampled_ns;        /* CLOCK_MONOTONIC of the last sample, even with a recorded tree */
	bool complete;              /* the count was reached: no partial sample at the end */
};

/* open.c: opens sums and sampler.  Returns 0 or an exit code. */
int run_open(void *ctx) SM_MUST;
/* Opens the screen, prints headers and takes the first sample, after the drop of privileges. */
int run_begin(void *ctx) SM_MUST;

/* Returns the time between two samples, in ns.  An interval has opts.subsamples of them. */
uint64_t run_step_ns(const struct run *r);

/* pipeline.c: takes one sample through merge, filters, sums and rows to its views. */
/* last: the run ends with this sample, within an interval.  Errors are stored in app. */
void run_sample(struct run *r, bool last);
/* Arranges and draws the screen again when its keys changed opts. */
void run_rearrange(void *ctx);

/* end.c: the results at the end. */
void run_summary(void *ctx);
void run_files(void *ctx);
int run_verdict(void *ctx);

#endif
