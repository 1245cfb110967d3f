/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running eventstat, opened with privileges and used without.
 */
#ifndef EVENTSTAT_RUN_H
#define EVENTSTAT_RUN_H

#include "cli/app.h"
#include "metrics.h"
#include "rows.h"
#include "sampler.h"
#include "view.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct sm_strpool *names;
	struct sampler sampler;
	struct rows rows;
	struct metrics metrics;
	struct view view;
	bool complete;  /* the count was reached: no partial sample at the end */
};

/* pipeline.c: one sample through filters, sums and order to its views. */
void run_sample(struct run *r, bool last);

#endif
