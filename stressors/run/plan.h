/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: the work of a run: successive stages, each with concurrent jobs, each with a number of instances.
 */
#ifndef STRESSORS_RUN_PLAN_H
#define STRESSORS_RUN_PLAN_H

#include <sched.h>

#include "../stressor.h"
#include "inherit.h"
#include "policy.h"

#define PLAN_VALUES 12 /* maximum number of options of a stressor */

struct job {
	const struct stressor *stressor;
	unsigned int number;           /* number of the job in the plan, from 0 */
	unsigned int instances;
	uint64_t ops;                  /* limit for each instance; UINT64_MAX: no limit */
	uint64_t value[PLAN_VALUES];
	uint32_t given;                /* bit set: values that were given, which are not lowered to fit */
	char *why_not;                 /* the reason why the job is skipped; NULL: it runs */
	bool lacks;                    /* the reason is a lack of memory or disk space, not of a feature */
};

struct plan {
	struct job *job;
	size_t n;
	bool sequential;               /* each job is a stage of its own; else all are one */
	uint64_t time_ns;              /* of each stage; UINT64_MAX: no limit */
	uint64_t seed;
	bool verify, spoil, aggressive, abort, oomable;
	bool has_cpus;                 /* --taskset */
	cpu_set_t cpus;
	uint64_t max_memory;           /* bytes for all instances of a stage; 0: see limit.h */
	uint64_t free_memory;          /* bytes to which percentages referred; 0: no percentage was given */
	const char *temp_path;         /* --temp-path; NULL: see scratch_path() */
	uint64_t max_disk;             /* bytes for all instances of a stage; 0: see limit.h */
	bool keep_name;
	bool has_sched;                /* --sched */
	enum policy sched;
	unsigned int sched_prio;       /* for fifo and rr */
	uint64_t timer_slack_ns;       /* --timer-slack; 0: the minimum */
	struct inherit inherit;
};

#endif
