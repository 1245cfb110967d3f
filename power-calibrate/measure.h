/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure: carries out the plan: sets the load, waits until the power has settled, takes the readings of a
 * test, and continues with the next test.
 *
 * The loop calls measure_step() at measure_next() or earlier; no function here waits.  For a reading, the
 * workers' clocks, /proc/stat and the power source are read within a fraction of a millisecond.  The
 * readings of a test divide its remaining time after settling, so a test ends as planned.
 */
#ifndef POWER_CALIBRATE_MEASURE_H
#define POWER_CALIBRATE_MEASURE_H

#include "opts.h"
#include "plan.h"
#include "proc/procstat.h"
#include "readings.h"

enum measure_state { MEASURE_SETTLING, MEASURE_READING, MEASURE_DONE };

struct measure_events { /* called after a reading, a test or a block; ctx belongs to the tool */
	void (*reading)(void *ctx, const struct reading *r);
	void (*test)(void *ctx, size_t first); /* first: index of the first reading of the test */
	bool (*block)(void *ctx);              /* returns true if the result is accurate enough */
};

struct measure {
	const struct opts *opts;
	const struct plan *plan;
	struct sm_source *power;
	struct sm_workers *workers;
	struct sm_counts *counts;
	const struct measure_events *events;
	void *ctx;
	struct readings readings;
	enum measure_state state;
	unsigned int test;        /* index of the test in the plan */
	uint64_t start_ns;        /* start of the run (all times: CLOCK_MONOTONIC) */
	uint64_t test_ns;         /* start of the test */
	uint64_t due_ns;          /* time of the next check or reading */
	uint64_t poll_ns;         /* time of the next poll of the power source */
	size_t first;             /* index of the first reading of the test */
	unsigned int left;        /* remaining readings of the test */
	double look_w;            /* power at the last check while settling; NAN: unknown */
	int64_t boot_offset_ns;   /* a suspend changes it */
	uint64_t suspended;       /* readings discarded because of a suspend */
	struct sm_procstat_file stat_file;
	struct sm_procstat stat, before;
	struct sm_counts_sample *sample, *sample_before; /* one for each worker */
	bool lacks_part;          /* all readings lack a part of the power */
	uint64_t stat_ns;         /* start of the current interval */
	uint64_t look_ns;         /* time of the last look */
	uint64_t shown;           /* power readings of the source so far */
	double *domain;           /* watts of the domains of the current reading */
	struct sm_workers_fault fault; /* set with -ECHILD */
};

/* Call this when the sources are open and the members up to ctx are set.  Returns 0 or -errno. */
int measure_open(struct measure *m, const struct sm_root *root) SM_MUST;
void measure_close(struct measure *m);
/* Begins with the first test. */
int measure_begin(struct measure *m) SM_MUST;
uint64_t measure_next(const struct measure *m);
/* Does the work that is due.  -ECHILD: a worker failed, see fault; -ENODEV: the power source is lost. */
int measure_step(struct measure *m) SM_MUST;
/* Returns the time until the end of the plan. */
uint64_t measure_left_ns(const struct measure *m, uint64_t now_ns);

#endif
