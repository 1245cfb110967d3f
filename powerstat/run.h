/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running powerstat, which are opened with privileges and used without them.
 */
#ifndef POWERSTAT_RUN_H
#define POWERSTAT_RUN_H

#include "cli/app.h"
#include "base/ticker.h"
#include "collect.h"
#include "events.h"
#include "metrics.h"
#include "power/source.h"
#include "repeat.h"
#include "stats.h"
#include "summary.h"
#include "view.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct sm_source power;
	struct events *events;       /* NULL: process events are not counted */
	struct collect collect;
	struct stats stats;
	struct metrics metrics;
	struct view view;
	uint64_t interval_ns, start_delay_ns, count;
	uint64_t measure_ns;         /* end of the start delay */
	bool idling;                 /* the idle machine is being measured (--baseline) */
	struct idle idle;
	uint64_t piece_ns;           /* end of the current piece of the idle time */
	struct repeat repeat;
	uint64_t poll_ns;            /* time of the next reading between samples */
	int64_t boot_offset_ns;      /* CLOCK_BOOTTIME - CLOCK_MONOTONIC, which grows during a suspend */
	uint64_t restarts_noted;     /* power.restarts at the last note */
	uint64_t skipped, missed;    /* discarded samples; missed deadlines */
	uint64_t missed_seen;        /* app.ticker.missed at the last sample */
	bool measuring;              /* the start delay is over */
	bool figure_discarded;       /* the last value belongs to a discarded sample */
	bool no_figure;              /* all samples lack a power value */
	int code;                    /* exit code if the measurement cannot start */
};

/* open.c: modules and --list; source, events, sensors.  Returns 0 or an exit code. */
int run_prepare(void *ctx) SM_MUST;
int run_open(void *ctx) SM_MUST;

/* pipeline.c: the start delay, samples, and readings of the source between samples. */
int run_begin(void *ctx) SM_MUST;
uint64_t run_next(void *ctx);
void run_iterate(void *ctx, uint64_t now_ns);
void run_sample(void *ctx, uint64_t now_ns);
void run_child_ended(void *ctx, uint64_t now_ns);
void run_last(void *ctx);
void run_summary(void *ctx);

#endif
