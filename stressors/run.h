/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the state of a run, shared by main.c (its stages and its end), live.c (the output while a stage runs)
 * and metrics.c (the file of --prom).
 */
#ifndef STRESSORS_RUN_H
#define STRESSORS_RUN_H

#include "cli/app.h"
#include "coverage/coverage.h"
#include "format/endfile.h"
#include "opts.h"
#include "result/facts.h"
#include "result/progress.h"
#include "result/rows.h"
#include "run/meters.h"
#include "run/scratch.h"
#include "run/supervisor.h"

struct run {
	struct sm_app app;
	struct config *c;
	struct supervisor v;
	struct supervisor_watch watch;
	struct perf_events perf;
	struct meters meters;
	struct coverage coverage;
	struct coverage_result covered; /* result of --coverage, after the run */
	struct scratch scratch;
	struct facts facts;
	char boot_id[SM_BOOT_ID_SIZE];
	enum sm_format format[SM_OUTPUTS_MAX];
	struct rows rows[SM_OUTPUTS_MAX];
	struct sm_buf text;
	struct sm_endfile yaml, log;
	bool progress;             /* the live line is shown */
	struct stage *stage;       /* n_stages stages, to which results refer */
	size_t n_stages;
	struct result *result;     /* one for each job */
	size_t n_results;          /* number of known results */
	struct progress_job *seen; /* counts of the stage's jobs at the last line */
	struct progress_job *so_far; /* counts of the stage's jobs since its start */
	uint64_t seen_ns;
};

/* Returns true if output i is JSON or CSV. */
bool run_is_machine(const struct run *r, unsigned int i);
/* Returns true if a table is printed, with its intervals. */
bool run_has_report(const struct config *c);
/* Moves the lines of r->text to output i. */
void run_put(struct run *r, unsigned int i);

/* live.c: sets r->watch. */
void live_watch(struct run *r);
/* Erases the live line, so that other text can be shown. */
void live_erase(struct run *r);
/* Shows the ops of all jobs of the stage so far, if a stage runs. */
void live_interim(struct run *r);
/* Returns the ops of all instances of a job so far. */
uint64_t live_ops(const struct stage *g, const struct job *j);

/* metrics.c: the families of --prom. */
void metrics_write(const struct run *r, struct sm_prom *p);

#endif
