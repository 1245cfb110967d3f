/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running cpustat, opened with privileges and used without.
 */
#ifndef CPUSTAT_RUN_H
#define CPUSTAT_RUN_H

#include "cli/app.h"
#include "distribution.h"
#include "metrics.h"
#include "rows.h"
#include "sampler/sampler.h"
#include "screen/screen.h"
#include "sysline.h"
#include "view.h"
#include "report.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct opts shown;       /* the same, as the keys of the screen have changed it */
	struct opts total_opts;  /* of the grand total: no limit, no threshold */
	struct sm_ids users;
	struct sm_strpool *names;
	struct sampler sampler;
	struct rows rows, total_rows;
	struct totals merged;        /* sub-samples of an interval (-m) */
	struct totals total;         /* of the run (-g) */
	struct distribution dist;
	struct sm_widecsv *report;
	struct metrics metrics;
	struct sysline system;
	struct view view;
	struct screen *screen;
	struct merge {              /* of the sub-samples of an interval */
		struct sample sum;
		struct sm_procstat before; /* at the start of the interval */
		uint64_t n;
	} merge;
	struct sm_buf text;
	uint64_t intervals;         /* completed; and their sums: */
	uint64_t span_ns, created, exited;
	bool counted;               /* created and exited are known */
	uint64_t still, still_ns;   /* samples at which the clock had not moved; the first of them */
	uint64_t sampled_ns;        /* CLOCK_MONOTONIC of the last sample, also of a recorded tree */
	bool asked;                 /* a key requested this sample: it is drawn even if paused */
	bool complete;              /* the count was reached: no partial sample at the end */
};

/* open.c: sums and sampler.  0 or an exit code. */
int run_open(void *ctx) SM_MUST;
/* After the drop: the screen, the headings, the first sample. */
int run_begin(void *ctx) SM_MUST;

/* Between two samples: an interval has opts.subsamples of them. */
uint64_t run_step_ns(const struct run *r);

/* pipeline.c: one sample through merge, filters, sums and rows to its views. */
/* last: the run ends with it, within an interval.  Errors are in app. */
void run_sample(struct run *r, bool last);
/* Arranges and draws the screen again after its keys have changed opts. */
void run_rearrange(struct run *r);

/* end.c: the results at the end. */
void run_summary(void *ctx);
void run_files(void *ctx);
int run_verdict(void *ctx);

#endif
