/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running eventstat, which are opened with privileges and used without them.
 */
#ifndef EVENTSTAT_RUN_H
#define EVENTSTAT_RUN_H

#include "cli/app.h"
#include "format/widecsv.h"
#include "metrics.h"
#include "rows/rows.h"
#include "sampler.h"
#include "screen/screen.h"
#include "rows/totals.h"
#include "view.h"
#include "wakeups/wakeups.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct opts shown;      /* opts as changed by the keys of the screen */
	struct sm_ids users;
	struct screen *screen;  /* NULL without -T */
	struct sm_strpool *names;
	struct sampler sampler;
	struct wakeups wakeups; /* with --wakeups, and with -T if the kernel counts them */
	struct rows rows;
	struct metrics metrics;
	struct totals totals;      /* with --summary */
	struct view view;
	struct sm_widecsv *report; /* NULL: without -r */
	bool complete;  /* the count was reached: no partial sample at the end */
};

/* Returns the last sample, whose rows the outputs show. */
static inline struct sample *run_now(struct run *r)
{
	return r->opts.wakeups ? &r->wakeups.now : &r->sampler.now;
}

/* end.c: prints the totals and the last record; writes the report. */
void run_summary(void *ctx);
void run_files(void *ctx);

/* pipeline.c: takes a sample and passes it through filters, sums and order to its views. */
void run_sample(struct run *r, bool last);
/* Rearranges and redraws the screen with the options that its keys have changed. */
void run_rearrange(void *ctx);

#endif
