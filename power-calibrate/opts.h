/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: power-calibrate's configuration, filled in by the option table.
 */
#ifndef POWER_CALIBRATE_OPTS_H
#define POWER_CALIBRATE_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"
#include "power/source.h"

#define OPTS_LEVELS_DEFAULT 5
#define OPTS_SEED_DEFAULT   1

enum opts_by { OPTS_BY_NONE, OPTS_BY_TYPE };

struct opts {
	struct sm_app_opts app;  /* must be first: filled in by the shared rows of the option table */
	/* the load */
	const char *cpus;        /* -n: list, NULL: all usable CPUs */
	int op;                  /* --op: number in sm_ops_table */
	uint64_t levels;         /* -s */
	bool per_count;          /* -e: each number of CPUs, and a result for each */
	int by;                  /* --by, enum opts_by */
	/* time */
	uint64_t test_ns;        /* -r: time of one level on one number of CPUs; 0: depends on the source */
	uint64_t settle_ns;      /* -d: wait before the readings of a test */
	bool have_settle;        /* -d was given; otherwise wait until the power is stable */
	uint64_t max_time_ns;    /* --max-time; 0: unlimited */
	double target_ci;        /* --target-ci: half width divided by slope; 0: not given */
	uint64_t seed;           /* --seed: seed of the order */
	/* the power */
	bool rapl;               /* -R */
	int source;              /* --source, enum sm_source_kind */
	const char *sensors;     /* --source=hwmon:LIST: labels of the sensors to add up; NULL: not given */
	int total;               /* --total, enum sm_rapl_total */
	bool list;               /* --list */
	/* outputs */
	bool progress;           /* -p: even if standard error is not a terminal */
	const char *yaml;        /* -o */
	const char *gnuplot;     /* --gnuplot: prefix of two files */
};

extern const struct opts opts_default;

/* Return the words of --source and --total. */
const char *opts_source_name(const struct opts *o);
const char *opts_total_name(const struct opts *o);

#endif
