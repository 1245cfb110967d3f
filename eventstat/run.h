/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running eventstat, opened with privileges and used without.
 */
#ifndef EVENTSTAT_RUN_H
#define EVENTSTAT_RUN_H

#include "cli/app.h"
#include "metrics.h"
#include "out/widecsv.h"
#include "rows.h"
#include "sampler.h"
#include "totals.h"
#include "view.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct sm_strpool *names;
	struct sampler sampler;
	struct rows rows;
	struct metrics metrics;
	struct totals totals;      /* with --summary */
	struct view view;
	struct sm_widecsv *report; /* NULL: without -r */
	bool complete;  /* the count was reached: no partial sample at the end */
};

/* end.c: totals, the last record; files. */
void run_summary(void *ctx);
void run_files(void *ctx);

/* pipeline.c: one sample through filters, sums and order to its views. */
void run_sample(struct run *r, bool last);

#endif
