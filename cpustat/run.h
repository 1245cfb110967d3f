/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running cpustat, opened with privilege, then worked without.
 */
#ifndef CS_RUN_H
#define CS_RUN_H

#include "clock.h"
#include "command.h"
#include "dist.h"
#include "loop.h"
#include "metrics.h"
#include "outlet.h"
#include "rows.h"
#include "sampler.h"
#include "screen.h"
#include "system.h"
#include "view.h"
#include "wide.h"

struct run {
	struct cs_opts opts;
	struct cs_opts total_opts;  /* of the grand total: no limit, no threshold */
	struct sm_root root;
	struct sm_loop loop;
	struct sm_user users;
	struct sm_intern *names;
	struct sampler sampler;
	struct rows rows, total_rows;
	struct accum merged[2];     /* sub-samples of an interval (-m); in turn, for r->last's rows */
	struct accum total;         /* of the run (-g) */
	struct dist dist;
	struct wide *wide;
	struct metrics metrics;
	struct cs_system system;
	struct view view;
	struct screen *screen;
	struct sm_command command;
	struct sm_ticker ticker;    /* of samples; an interval has opts.subsamples of them */
	struct merge {              /* what sub-samples add up to */
		struct cs_sample sum;
		struct sm_procstat before; /* at the start of the interval */
		uint64_t n;
		unsigned int turn;     /* which of merged[] */
	} merge;
	struct sm_outlet outlet;
	struct sm_buf text;
	uint64_t intervals;         /* shown or counted; and what they add up to: */
	uint64_t span_ns, births, deaths;
	struct cs_sample last;      /* as it was shown, with its rows before they were arranged */
	uint64_t early_ns;          /* when to look again at who is at work; FOREVER: done */
	uint64_t sampled_ns;        /* CLOCK_MONOTONIC of the last sample, also of a recorded tree */
	uint64_t end_ns;            /* --duration; SM_LOOP_FOREVER without */
	bool stop;
	bool asked;                 /* a key asked for this sample: drawn though paused */
	bool complete;              /* the count was reached: no partial sample at the end */
	bool ended;                 /* COMMAND has */
	int error;
	const char *error_what;
};

/* Opens everything, then drops privileges.  0, or an exit code; messages are out then. */
int run_open(struct run *r, char **command) SM_MUST;
/* Until the end; returns the exit code. */
int run_work(struct run *r) SM_MUST;
void run_close(struct run *r);

/* interval.c: one sample through merge, filters, sums and rows to its views. */
/* last: the run ends with it, in mid interval. */
int run_sample(struct run *r, bool last) SM_MUST;
/* The last sample's rows arranged anew and drawn (the screen's keys). */
void run_rearrange(struct run *r);
/* What is told at the end. */
void run_summary(struct run *r);
/* The files that are written at the end (-r, --prom); what fails is in error. */
void run_files(struct run *r);

#endif
