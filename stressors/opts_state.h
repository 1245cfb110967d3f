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
#define OPTS_NO_NUMBER	   (PICK_ONLINE - 1)
#define OPTS_LONGEST_NS	   (3650 * SM_APP_DAY_NS)

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
	struct asked_one *of[FROM]; /* of all jobs, by the place of the stressor */
	struct asked_one *job;   /* by the place in named */
	struct pick_named *named;
	size_t n_command;        /* jobs of the command line, which are the first */
	size_t *current;         /* by the place of the stressor: its last job + 1; 0: none */
	struct pick pick;
	struct picked *picked;
	unsigned int n_all, n_seq, n_random; /* instances; OPTS_NO_NUMBER: not given */
	bool fixed_seed, forever, minimize, maximize;
	const char *cpus;        /* --taskset; NULL: not given */
	int sched, io_class;     /* places in opts_policies, opts_io_classes */
	uint64_t prio, io_level;
	uint64_t slack_ns;       /* --timer-slack; 0: the kernel's usual one */
	const char *job_path;
	struct jobfile file;     /* of --job: its text is kept, for values */
	bool in_file;            /* it is being read */
	struct amount max_memory;
	bool list, verifiable;   /* --stressors, --verifiable */
	struct sm_buf notes;     /* lines: remarks on what was asked for */
	uint32_t list_classes;   /* --class vm? */
};

/* opts_take.c, opts_job.c: functions of rows; cfg is a struct asked. */
opts_call opts_take_instances, opts_take_seq, opts_take_classes, opts_take_with, opts_take_exclude,
	opts_take_memory, opts_take_disk, opts_take_nodes, opts_take_stressor, opts_take_without_effect;
extern const char *const opts_policies[], *const opts_io_classes[]; /* NULL ends them */
/* Reason: no such stressor, and the nearest one. */
int opts_unknown(struct sm_str name, struct sm_buf *why) SM_MUST;

/* opts_plan.c: finish() of the table: reads the job file, refuses contradictions, and sets what follows from
 * several options. */
int opts_check(struct asked *a, struct sm_buf *why) SM_MUST;
/* CPUs that the run may use. */
unsigned int opts_cpus(const struct plan *p);

/* opts_help.c */
opts_call opts_help_name;
void opts_list(struct sm_buf *b, bool probe, bool verifiable);
void opts_list_classes(struct sm_buf *b, uint32_t classes);
/* For the man page, too: "cpu, memory". */
void opts_put_classes(struct sm_buf *b, const struct stressor *s);
/* "(ns; the mean of the instances)" */
void opts_put_metric_kind(struct sm_buf *b, const struct stressor_metric *m);
/* Is it the last of the metrics of its unit and mean that stand together? */
bool opts_metric_ends(const struct stressor_metric *m);
void opts_dry_run(struct sm_buf *b, const struct plan *p, const struct sm_root *root);

#endif
