/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts_state: what the command line and the job file ask for, before it is a plan.
 *
 * Each --NAME N begins a job; options of that stressor that follow are the job's, and those before the first
 * one are of all its jobs.  Of an option that is given twice the last value counts.  Options of the command
 * line go before those of the job file: a stressor that the command line names is not named again by the
 * file, whose options for it are then of all its jobs.
 */
#ifndef STRESSORS_OPTS_STATE_H
#define STRESSORS_OPTS_STATE_H

#include "run/amount.h"
#include "run/jobfile.h"
#include "run/pick.h"
#include "opts.h"
#include "opts_rows.h"

#define OPTS_TIME_NS	   (60 * SM_NSEC_PER_SEC)
#define OPTS_INSTANCES_MAX 65536u
#define OPTS_DAY_NS	   (86400 * SM_NSEC_PER_SEC)
#define OPTS_LONGEST_NS	   (3650 * OPTS_DAY_NS)

enum asked_from { FROM_COMMAND, FROM_FILE, FROM };

/* Options of a job, or of all jobs of a stressor. */
struct asked_one {
	uint64_t ops;
	bool has_ops;
	uint32_t has;            /* bit set: which of its options */
	struct amount value[PLAN_VALUES];
	const struct sm_opt *row; /* one of its options that was given; NULL: none */
};

struct asked {
	struct config cfg;
	const struct opts_rows *rows;
	const struct sm_opt_spec *spec;
	bool *given;             /* by the place of the row: on the command line */
	struct asked_one *of[FROM]; /* of all jobs, by the place of the stressor */
	struct asked_one *job;   /* by the place in named */
	struct pick_named *named;
	size_t n_command;        /* jobs of the command line, which are the first */
	size_t *current;         /* by the place of the stressor: its last job + 1; 0: none */
	struct pick pick;
	struct picked *picked;
	bool has_all, has_seq, has_random, has_io_level;   /* numbers of instances were given */
	unsigned int n_all, n_seq;
	bool has_seed, fixed_seed, forever, minimize, maximize;
	const char *job_path;
	struct jobfile file;     /* of --job: its text is kept, for values */
	bool in_file;            /* it is being read */
	struct amount max_memory;
	bool list, verifiable;   /* --stressors, --verifiable */
	struct sm_buf notes;     /* lines: remarks on what was asked for */
	uint32_t list_classes;   /* --class vm? */
	const char *ignored;     /* options of stress-ng that have nothing to do here */
};

/* opts_take.c, opts_job.c: the rows' functions, cfg is a struct asked. */
opts_call opts_take_string, opts_take_time, opts_take_seed, opts_take_all, opts_take_seq,
	opts_take_classes, opts_take_with, opts_take_exclude, opts_take_cpus, opts_take_memory,
	opts_take_color, opts_take_job, opts_take_stressor, opts_take_sched, opts_take_sched_prio,
	opts_take_random, opts_take_io_class, opts_take_io_level, opts_take_slack, opts_take_nodes,
	opts_take_thermalstat, opts_take_raplstat, opts_take_without_effect;
extern const char *const opts_sched_choices[], *const opts_io_classes[]; /* NULL ends them */
/* Reason: no such stressor, and the nearest one. */
int opts_unknown(struct sm_str name, struct sm_buf *why) SM_MUST;

/* opts_plan.c: reads the job file and fills cfg.  0 or -errno with the reason in *why. */
int opts_plan(struct asked *a, struct sm_buf *why) SM_MUST;
unsigned int opts_cpus(const struct plan *p);

/* opts_help.c */
opts_call opts_help_name;
void opts_list(struct sm_buf *b, bool probe, bool verifiable);
void opts_list_classes(struct sm_buf *b, uint32_t classes);
void opts_dry_run(struct sm_buf *b, const struct config *c);

#endif
