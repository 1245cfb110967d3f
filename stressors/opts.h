/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: the command line of stressors.
 *
 * The shared options are those that the other tools have.  The options of a stressor are made from its table:
 * --NAME N, --NAME-ops N, --NAME-OPTION VALUE.  The exit statuses are stress-ng's; the help text lists them.
 */
#ifndef STRESSORS_OPTS_H
#define STRESSORS_OPTS_H

#include "base/root.h"
#include "cli/app_opts.h"
#include "run/plan.h"

enum stressors_exit {
	STRESSORS_OK = 0,
	STRESSORS_USAGE = 1,     /* usage error, or an error of the supervisor */
	STRESSORS_FAILED = 2,    /* a check failed, or an instance crashed, was killed or stood still */
	STRESSORS_LACKS = 3,     /* no resource */
	STRESSORS_CANNOT = 4,    /* no requested stressor can run here; with --strict: at least one cannot */
	STRESSORS_LOST = 5,      /* with --strict: rows were lost to a slow reader */
};

struct config {
	struct sm_app_opts app;
	struct plan plan;
	const char *log_file;    /* NULL: not given */
	const char *yaml;        /* file; "-": standard output; NULL: not given */
	bool metrics, metrics_brief, times;
	bool perf, rapl, tz, coverage;
	bool progress;
	bool dry_run, verbose;
};

/* Makes the option table and returns the configuration with its defaults.  NULL: out of memory. */
struct config *opts_begin(void);
/* Makes the plan from the options and the resources of this machine.  Returns 0, or -errno with the reason in
 * *why. */
int opts_plan(struct config *c, const struct sm_root *root, struct sm_buf *why) SM_MUST;
/* Appends a list or the dry run to b if it was requested, and returns true; otherwise returns false. */
bool opts_show(struct config *c, const struct sm_root *root, struct sm_buf *b);
void opts_end(void);

#endif
