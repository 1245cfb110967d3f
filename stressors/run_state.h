/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_state: what a run has; for run.c, its beginning, its stages and its end, and run_live.c, what is shown
 * while a stage runs.
 */
#ifndef STRESSORS_RUN_STATE_H
#define STRESSORS_RUN_STATE_H

#include "cli/outputs.h"
#include "run/meters.h"
#include "run/supervisor.h"
#include "out/endfile.h"
#include "result/facts.h"
#include "result/progress.h"
#include "result/rows.h"

struct run {
	const struct config *c;
	struct sm_root root;
	struct supervisor v;
	struct supervisor_watch watch;
	struct perf_events perf;
	struct meters meters;
	struct facts facts;
	char boot_id[SM_BOOT_ID_SIZE];
	struct sm_outputs outputs;
	enum sm_format format[SM_OUTPUTS_MAX];
	struct rows rows[SM_OUTPUTS_MAX];
	struct sm_writers writers;
	struct sm_buf text;
	struct sm_endfile yaml, log;
	bool progress;             /* the line on the terminal */
	struct stage *stage;       /* n_stages of them: results borrow from them */
	size_t n_stages;
	struct result *result;     /* one for each job */
	struct progress_job *seen; /* jobs of the stage, at the last line */
	struct progress_job *so_far; /* jobs of the stage, since its start */
	uint64_t seen_ns;
};

/* Is output i JSON or CSV? */
bool run_is_machine(const struct run *r, unsigned int i);
/* Is there a table, with its intervals? */
bool run_has_report(const struct config *c);
/* Moves the lines of r->text to output i. */
void run_put(struct run *r, unsigned int i);
/* Writes what can be written.  Without a reader, or without room on the disk, the run ends. */
void run_flush(struct run *r);

/* run_live.c: sets r->watch. */
void run_watch(struct run *r);
/* Erases the live line, so that other text can be shown. */
void run_erase_progress(struct run *r);

#endif
