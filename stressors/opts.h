/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: the command line of stressors.
 *
 * Options of the suite are those of the other tools; those of each stressor are made from its table: --NAME
 * N, --NAME-ops N, --NAME-OPTION VALUE.  Exit statuses are stress-ng's (opts.c has them in the help).
 */
#ifndef STRESSORS_OPTS_H
#define STRESSORS_OPTS_H

#include "cli/opt.h"
#include "run/plan.h"

enum stressors_exit {
	STRESSORS_OK = 0,
	STRESSORS_USAGE = 1,     /* and what the supervisor itself cannot do */
	STRESSORS_FAILED = 2,    /* a check failed, or an instance crashed, was killed or stood still */
	STRESSORS_LACKS = 3,     /* no resource */
	STRESSORS_CANNOT = 4,    /* nothing of what was asked for can run here; with --strict, something */
};

struct config {
	struct plan plan;
	struct sm_opt_to json, csv;
	const char *log_file;    /* NULL: none */
	const char *yaml;        /* file; "-": standard output; NULL: none */
	uint64_t interval_ns;    /* 0: none */
	bool metrics, metrics_brief, times;
	bool perf, rapl, tz;
	bool progress;
	bool dry_run, quiet, verbose, strict, color_never;
};

enum opts_todo { OPTS_RUN, OPTS_DONE };

/* OPTS_DONE: help, version, list, dry run or an error, which has been reported: *status. */
enum opts_todo opts_parse(struct config *c, int argc, char **argv, int *status) SM_MUST;
void opts_fini(struct config *c);

#endif
