/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure: carries out the plan: sets the load, waits until the power has settled, takes the readings
 * of a test, and goes on with the next one.
 *
 * Driven by the loop: measure_step() is called at measure_next(), or earlier.  Nothing waits here.
 * A reading is of one time for all: the workers' clocks, /proc/stat and the power source are read one
 * after the other, within a fraction of a millisecond.  The readings of a test divide what is left of it
 * after settling, so a test ends when the plan says.
 */
#ifndef POWER_CALIBRATE_MEASURE_H
#define POWER_CALIBRATE_MEASURE_H

#include "kernel/procstat.h"
#include "opts.h"
#include "plan.h"
#include "readings.h"

enum measure_state { MEASURE_SETTLING, MEASURE_READING, MEASURE_DONE };

struct measure_events { /* what the tool shows; ctx is its own */
	void (*reading)(void *ctx, const struct reading *r);
	void (*test)(void *ctx, size_t first); /* ended: its first reading */
	bool (*block)(void *ctx);              /* ended: true if that is enough */
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
	unsigned int test;        /* in the plan */
	uint64_t start_ns;        /* of the run: CLOCK_MONOTONIC */
	uint64_t test_ns;         /* the test began */
	uint64_t due_ns;          /* the next look or reading */
	uint64_t poll_ns;         /* the power source between two readings */
	size_t first;             /* reading of the test */
	unsigned int left;        /* readings of the test */
	double look_w;            /* the power of the last look while settling; NAN: none */
	int64_t boot_offset_ns;   /* a suspend changes it */
	uint64_t suspended;       /* readings that were dropped because of one */
	struct sm_procstat_file stat_file;
	struct sm_procstat stat, before;
	struct sm_counts_sample *sample, *sample_before; /* of each worker */
	bool lacks_part;          /* of the power: all readings, or none */
	uint64_t stat_ns;         /* of `before` */
	double *domain;           /* of the present reading */
	struct sm_workers_fault fault; /* of -ECHILD */
};

/* After the sources have been opened.  The members up to ctx are set.  -errno. */
int measure_open(struct measure *m, const struct sm_root *root) SM_MUST;
void measure_close(struct measure *m);
/* Begins with the first test. */
int measure_begin(struct measure *m) SM_MUST;
uint64_t measure_next(const struct measure *m);
/* -ECHILD: a load does not work as it should, see fault; -ENODEV: the power source is lost. */
int measure_step(struct measure *m) SM_MUST;
/* The time until the end of the plan. */
uint64_t measure_left_ns(const struct measure *m, uint64_t now_ns);

#endif
