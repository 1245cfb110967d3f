/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: power-calibrate's configuration, filled by the option table.
 */
#ifndef POWER_CALIBRATE_OPTS_H
#define POWER_CALIBRATE_OPTS_H

#include "cli/app_opts.h"
#include "out/table.h"
#include "power/source.h"

#define OPTS_LEVELS_DEFAULT 5
#define OPTS_SEED_DEFAULT   1

struct opts {
	struct sm_app_opts app;  /* first: filled by the shared rows of the option table */
	/* the load */
	const char *cpus;        /* -n: list, NULL: all that can be used */
	int op;                  /* --op: number in sm_ops_table */
	uint64_t levels;         /* -s */
	bool per_count;          /* -e: each number of CPUs, and a result for each */
	/* time */
	uint64_t test_ns;        /* -r: of one level on one number of CPUs; 0: by the source */
	uint64_t settle_ns;      /* -d: before the readings of a test */
	bool have_settle;        /* else as long as the power changes, within the test's time */
	uint64_t max_time_ns;    /* --max-time; 0: no limit */
	double target_ci;        /* --target-ci: half width over slope; 0: none */
	uint64_t seed;           /* --seed: of the order */
	/* the power */
	bool rapl;               /* -R */
	int source;              /* --source, enum sm_source_kind */
	int total;               /* --total, enum sm_rapl_total */
	bool list;               /* --list */
	/* outputs */
	bool progress;           /* -p: also where standard error is no terminal */
	const char *yaml;        /* -o */
	const char *gnuplot;     /* --gnuplot: prefix of two files */
};

extern const struct opts opts_default;

#endif
