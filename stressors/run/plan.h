/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: what is to run: stages one after the other, in each of them jobs at the same time, of each job a
 * number of instances.
 */
#ifndef STRESSORS_RUN_PLAN_H
#define STRESSORS_RUN_PLAN_H

#include <sched.h>

#include "../stressor.h"
#include "inherit.h"
#include "policy.h"

#define PLAN_VALUES 12 /* options of a stressor at most */

struct job {
	const struct stressor *stressor;
	unsigned int number;           /* of all jobs, from 0 */
	unsigned int instances;
	uint64_t ops;                  /* of each instance; UINT64_MAX: no limit */
	uint64_t value[PLAN_VALUES];
	uint32_t given;                /* bit set: values of the command line, which are not lowered to fit */
	char *why_not;                 /* NULL; else it is not run: the reason */
	bool lacks;                    /* it is memory or disk; else the machine cannot run it */
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
	uint64_t max_memory;           /* of all instances of a stage together; 0: see limit.h */
	uint64_t free_memory;          /* bytes that percentages were computed from; 0: none was */
	const char *temp_path;         /* --temp-path; NULL: see scratch_path() */
	uint64_t max_disk;             /* of all instances of a stage together; 0: see limit.h */
	bool keep_name;
	bool has_sched;                /* --sched */
	enum policy sched;
	unsigned int sched_prio;       /* of fifo and rr */
	uint64_t timer_slack_ns;       /* --timer-slack; 0: as little as there is */
	struct inherit inherit;
};

#endif
