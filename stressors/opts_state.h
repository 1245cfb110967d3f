/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts_state: the requests of the command line and the job file, before they become a plan.
 *
 * Each --NAME N begins a job.  Options of that stressor that follow belong to the job; options before its
 * first job apply to all its jobs.  If an option is given twice, the last value counts.  Options of the
 * command line take precedence over the job file: if the command line names a stressor, --NAME in the file
 * adds no job, and the file's options for that stressor apply to all its jobs.
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
	uint32_t has;            /* bit set: the options that were given */
	struct amount value[PLAN_VALUES];
	const struct sm_opt *row; /* the option that was given last; NULL: no option was */
};

struct asked {
	struct config cfg;
	const struct opts_rows *rows;
	const struct sm_opt_spec *spec;
	struct asked_one *of[FROM]; /* for all jobs of a stressor, indexed like list_all */
	struct asked_one *job;   /* for one job, indexed like named */
	struct pick_named *named;
	size_t n_command;        /* jobs of the command line, which come first */
	size_t *current;         /* indexed like list_all: last job of the stressor + 1; 0: no job */
	struct pick pick;
	struct picked *picked;
	unsigned int n_all, n_seq, n_random; /* instances; OPTS_NO_NUMBER: not given */
	bool fixed_seed, forever, minimize, maximize;
	const char *cpus;        /* --taskset; NULL: not given */
	bool cpus_in_file;       /* the job file contains it */
	int sched, io_class;     /* places in opts_policies, opts_io_classes */
	uint64_t prio, io_level;
	uint64_t slack_ns;       /* --timer-slack; 0: the kernel's default */
	const char *job_path;
	struct jobfile file;     /* the job file (--job); values point into its text */
	bool in_file;            /* the job file is being read */
	struct amount max_memory;
	bool list, verifiable;   /* --stressors, --verifiable */
	struct sm_buf notes;     /* messages about options, one per line */
	uint32_t list_classes;   /* --class vm? */
};

/* Functions of option rows (opts_take.c, opts_job.c); cfg is a struct asked. */
opts_call opts_take_instances, opts_take_seq, opts_take_classes, opts_take_with, opts_take_exclude,
	opts_take_memory, opts_take_disk, opts_take_nodes, opts_take_stressor, opts_take_without_effect;
extern const char *const opts_policies[], *const opts_io_classes[]; /* NULL ends them */
/* Writes to *why that the stressor is unknown, with the nearest name.  Returns -EINVAL. */
int opts_unknown(struct sm_str name, struct sm_buf *why) SM_MUST;

/* Called after the options of the command line (opts_plan.c): reads the job file, rejects conflicting
 * options, and sets values that depend on several options. */
int opts_check(struct asked *a, struct sm_buf *why) SM_MUST;
/* Returns the number of CPUs that the run may use. */
unsigned int opts_cpus(const struct plan *p);

/* opts_help.c */
opts_call opts_help_name;
void opts_list(struct sm_buf *b, bool probe, bool verifiable);
void opts_list_classes(struct sm_buf *b, uint32_t classes);
/* Appends the classes of a stressor: "cpu, memory".  Also used for the man page. */
void opts_put_classes(struct sm_buf *b, const struct stressor *s);
/* Appends the unit and the mean of a metric: "(ns; the mean of the instances)". */
void opts_put_metric_kind(struct sm_buf *b, const struct stressor_metric *m);
/* Returns true if the next metric in the table, if any, has another unit or mean. */
bool opts_metric_ends(const struct stressor_metric *m);
void opts_dry_run(struct sm_buf *b, const struct plan *p, const struct sm_root *root);

#endif
