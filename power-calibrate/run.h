/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running power-calibrate, opened with privileges and used without.
 */
#ifndef POWER_CALIBRATE_RUN_H
#define POWER_CALIBRATE_RUN_H

#include "cli/app.h"
#include "columns.h"
#include "load/cpus.h"
#include "measure.h"
#include "model.h"
#include "opts.h"
#include "progress.h"
#include "state.h"

#define RUN_STEPS_MAX 8

struct run {
	struct sm_app app;
	struct opts opts;
	struct sm_cpus *cpus;
	unsigned int *cpu;         /* the ncpu CPUs to load */
	unsigned int ncpu;
	unsigned int step[RUN_STEPS_MAX], steps; /* from sm_topology_steps() */
	struct sm_topology_types types; /* of the CPUs to load, which are ordered by type with --by=type */
	struct sm_source power;
	bool have_power;
	struct sm_buf source;      /* description of the power source */
	struct sm_workers workers;
	bool have_workers;
	struct sm_counts counts;
	struct plan plan;
	struct measure measure;
	bool have_measure;
	struct state state;
	struct model model;
	bool have_model;
	bool reached;              /* --target-ci was reached */
	unsigned int tests;        /* number of tests done */
	unsigned int failed_tests; /* tests without a reading */
	uint64_t start_wall_ns;
	struct progress progress;
	struct columns_row row;
	int code;                  /* exit code, after a message; 0: ok */
};

/* Open the CPUs, and the source, the workers and the plan (open.c).  Return 0, or an exit code after a
 * message. */
int run_prepare(void *ctx) SM_MUST;
int run_open(void *ctx) SM_MUST;

#endif
