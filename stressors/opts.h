/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: the command line of stressors.
 *
 * Options of the suite are those of the other tools; those of each stressor are made from its table: --NAME
 * N, --NAME-ops N, --NAME-OPTION VALUE.  Exit statuses are stress-ng's (opts.c has them in the help).
 */
#ifndef STRESSORS_OPTS_H
#define STRESSORS_OPTS_H

#include "cli/app_opts.h"
#include "kernel/root.h"
#include "run/plan.h"

enum stressors_exit {
	STRESSORS_OK = 0,
	STRESSORS_USAGE = 1,     /* and what the supervisor itself cannot do */
	STRESSORS_FAILED = 2,    /* a check failed, or an instance crashed, was killed or stood still */
	STRESSORS_LACKS = 3,     /* no resource */
	STRESSORS_CANNOT = 4,    /* nothing of what was asked for can run here; with --strict, something */
	STRESSORS_LOST = 5,      /* with --strict: rows were lost to a slow reader */
};

struct config {
	struct sm_app_opts app;
	struct plan plan;
	const char *log_file;    /* NULL: none */
	const char *yaml;        /* file; "-": standard output; NULL: none */
	bool metrics, metrics_brief, times;
	bool perf, rapl, tz, coverage;
	bool progress;
	bool dry_run, verbose;
};

/* The option table and the configuration, with its defaults.  NULL: no memory. */
struct config *opts_begin(void);
/* After the options: what the machine has makes a plan of them.  0, or -errno with the reason in *why. */
int opts_plan(struct config *c, const struct sm_root *root, struct sm_buf *why) SM_MUST;
/* True: a list or the dry run was asked for, and is appended to b. */
bool opts_show(struct config *c, const struct sm_root *root, struct sm_buf *b);
void opts_end(void);

#endif
