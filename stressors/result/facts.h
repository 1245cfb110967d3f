/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts: data about the whole run, in addition to the results of its jobs.
 */
#ifndef STRESSORS_RESULT_FACTS_H
#define STRESSORS_RESULT_FACTS_H

#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "../coverage/coverage.h"
#include "result.h"

struct facts {
	/* facts_begin() */
	uint64_t begin_wall_ns, begin_mono_ns;
	/* facts_machine() */
	struct utsname host;
	struct sysinfo system;
	unsigned int cpus;        /* CPUs that the run may use; 0: not read */
	unsigned int online_cpus;
	unsigned int known_cpus;  /* online or not */
	/* facts_end() */
	uint64_t end_wall_ns;
	double wall_s;            /* from begin to end */
	double load[3];           /* averages of 1, 5 and 15 minutes; NAN: unknown */
	/* set by the caller */
	double cpu_limit;         /* CPUs that the cgroup may use; 0: no limit */
	double cpu_asked;         /* CPUs that the instances require, if there is a limit */
	const char *boot_id;      /* NULL: unknown */
	int exit;                 /* exit status */
	int signal;               /* signal that ended the run, or 0 */
	uint64_t lost_rows;
	const struct coverage_result *coverage; /* NULL: not requested */
};

/* Number of jobs by status. */
struct facts_counts {
	unsigned int n[RESULT_INTERRUPTED + 1];
};

/* Sets the times of the start, and clears all other fields. */
void facts_begin(struct facts *f);
/* Reads facts about the machine, for JSON, CSV, YAML and --times; called after facts_begin(). */
void facts_machine(struct facts *f);
void facts_end(struct facts *f);
void facts_count(const struct result *r, size_t n, struct facts_counts *counts);
/* Returns the reason why a job did not pass; NULL: no reason is known. */
const char *facts_reason(const struct result *r);

#endif
