/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result: what a job has done.
 *
 * The supervisor fills one in for each job, in the order of the plan; rows, report and YAML are made of it.
 */
#ifndef STRESSORS_RESULT_RESULT_H
#define STRESSORS_RESULT_RESULT_H

#include "../run/plan.h"
#include "base/loghist.h"

enum result_status {
	RESULT_PASS,
	RESULT_FAIL,        /* a check failed, or an instance crashed, was killed or made no progress */
	RESULT_SKIP,        /* this machine cannot run it */
	RESULT_LACKS,       /* no resource: memory, processes, CPU time for an op */
	RESULT_INTERRUPTED, /* a signal ended the run before its time */
};

/* Figures of perf, sensors and energy counters; a value that is not known is NAN. */
struct result_figure {
	const char *name;   /* "instructions", "energy" */
	const char *unit;   /* "" for a count; "J", "W", "Cel" */
	double value;
	double share;       /* of the time that it was counted, 0 to 1; 1 if it is not scaled */
};

#define RESULT_FIGURES 40

struct result_instance {
	uint64_t ops;
	double wall_s;           /* from the common start of the stage to its own end */
	double user_s, sys_s;
	uint64_t maxrss_kb;
	uint32_t has_metric[2];  /* bit sets of the stressor's table */
	const double *metric;    /* by their place in it */
	enum result_status status;
	unsigned int pinned;     /* number of its CPU + 1; 0: it was not pinned to one */
};

struct result {
	const struct job *job;
	enum result_status status;
	char *reason;            /* one line; NULL: passed */
	struct result_instance *one;
	const struct sm_loghist **histogram; /* of each instance; NULL, all or one of them: there is none */
	unsigned int n;          /* instances that were started */
	uint64_t ops;
	double wall_s;           /* from the common start of the stage to the end of the last instance */
	double user_s, sys_s;    /* sums */
	uint64_t maxrss_kb;      /* the highest */
	double setup_s;          /* the longest */
	unsigned int oom_kills;  /* by the kernel, for lack of memory; the instances were started again */
	unsigned int forced;     /* that had to be ended by SIGTERM or SIGKILL */
	struct result_figure figure[RESULT_FIGURES];
	unsigned int n_figures;
};

/* Value of metric i of all instances, by its mean; false: none has it.  In a sum of rates, the rate of an
 * instance counts for the part of the real time of the job in which the instance ran. */
bool result_metric(const struct result *r, unsigned int i, double *value) SM_MUST;
/* The instance that this value is of; false: it is made of the values of several. */
bool result_metric_instance(const struct result *r, unsigned int i, unsigned int *instance) SM_MUST;
/* Ops of all instances per second of real time, and per second of CPU time; 0: no time. */
double result_rate(const struct result *r);
double result_cpu_rate(const struct result *r);
/* CPU time in percent of the real time: of one CPU. */
double result_cpu_percent(const struct result *r);
extern const char *const result_status_names[]; /* pass fail skip no-resource interrupted */

#endif
