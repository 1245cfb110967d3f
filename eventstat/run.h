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
#include "screen/screen.h"
#include "totals.h"
#include "view.h"
#include "wakeups/wakeups.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct opts shown;      /* the same, as the keys of the screen have changed it */
	struct sm_ids users;
	struct screen *screen;  /* NULL: none */
	struct sm_strpool *names;
	struct sampler sampler;
	struct wakeups wakeups; /* --wakeups, -T where the kernel counts them */
	struct rows rows;
	struct metrics metrics;
	struct totals totals;      /* with --summary */
	struct view view;
	struct sm_widecsv *report; /* NULL: without -r */
	bool asked;     /* a key requested this sample: it is drawn even if paused */
	bool complete;  /* the count was reached: no partial sample at the end */
};

/* The last sample, whose rows the outputs show. */
static inline struct sample *run_now(struct run *r)
{
	return r->opts.wakeups ? &r->wakeups.now : &r->sampler.now;
}

/* end.c: totals, the last record; files. */
void run_summary(void *ctx);
void run_files(void *ctx);

/* pipeline.c: one sample through filters, sums and order to its views. */
void run_sample(struct run *r, bool last);
/* Arranges and draws the screen again after its keys have changed the options. */
void run_rearrange(struct run *r);

#endif
