/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result: the result of a job.
 *
 * run/outcome fills in one for each job, in the order of the plan; rows, report and YAML are made from it.
 */
#ifndef STRESSORS_RESULT_RESULT_H
#define STRESSORS_RESULT_RESULT_H

#include "../run/plan.h"
#include "base/loghist.h"

enum result_status {
	RESULT_PASS,
	RESULT_FAIL,        /* a check failed, or an instance crashed, was killed or made no progress */
	RESULT_SKIP,        /* this machine cannot run it */
	RESULT_LACKS,       /* a lack of memory, processes, or CPU time for an op */
	RESULT_INTERRUPTED, /* a signal ended the run before its time */
};

/* A figure of perf, sensors or energy counters; an unknown value is NAN. */
struct result_figure {
	const char *name;   /* "instructions", "energy" */
	const char *unit;   /* "" for a count; "J", "W", "Cel" */
	double value;
	double share;       /* share of the time in which it was counted, 0 to 1; 1: not scaled */
};

#define RESULT_FIGURES 40

struct result_instance {
	uint64_t ops;
	double wall_s;           /* from the common start of the stage to its own end */
	double user_s, sys_s;
	uint64_t maxrss_kb;
	uint32_t has_metric[2];  /* bit sets: metrics of the stressor's table that have a value */
	const double *metric;    /* values, in the order of the table */
	enum result_status status;
	unsigned int pinned;     /* number of its CPU + 1; 0: it was not pinned to one */
};

struct result {
	const struct job *job;
	enum result_status status;
	char *reason;            /* one line; NULL: passed */
	struct result_instance *one;
	const struct sm_loghist **histogram; /* of each instance; the array or an entry may be NULL */
	unsigned int n;          /* instances that were started */
	uint64_t ops;
	double wall_s;           /* from the common start of the stage to the end of the last instance */
	double user_s, sys_s;    /* sums */
	uint64_t maxrss_kb;      /* the highest */
	double setup_s;          /* the longest */
	unsigned int oom_kills;  /* kills by the kernel for lack of memory */
	unsigned int forced;     /* instances that had to be killed by SIGTERM or SIGKILL */
	struct result_figure figure[RESULT_FIGURES];
	unsigned int n_figures;
};

/* Reads the value of metric i of all instances, combined by its mean; false: no instance has it.  In a sum of
 * rates, the rate of an instance is weighted with the fraction of the job's real time in which the instance
 * ran. */
bool result_metric(const struct result *r, unsigned int i, double *value) SM_MUST;
/* Finds the instance from which this value comes; false: it combines values of several instances. */
bool result_metric_instance(const struct result *r, unsigned int i, unsigned int *instance) SM_MUST;
/* Return the ops of all instances per second of real time, and per second of CPU time; 0 without a time. */
double result_rate(const struct result *r);
double result_cpu_rate(const struct result *r);
/* Returns the CPU time in percent of the real time, relative to one CPU. */
double result_cpu_percent(const struct result *r);
extern const char *const result_status_names[]; /* pass fail skip no-resource interrupted */

#endif
