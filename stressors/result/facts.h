/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts: what is known of the whole run, beside the results of its jobs.
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
	unsigned int cpus;        /* that the run may use; 0: not asked for */
	unsigned int online_cpus;
	unsigned int known_cpus;  /* online or not */
	/* facts_end() */
	uint64_t end_wall_ns;
	double wall_s;            /* from begin to end */
	double load[3];           /* of 1, 5 and 15 minutes; NAN: not known */
	/* the caller's */
	double cpu_limit;         /* CPUs that the control group may use; 0: no limit */
	double cpu_asked;         /* CPUs that the instances ask for, if there is a limit */
	const char *boot_id;      /* NULL: not known */
	int exit;                 /* status */
	int signal;               /* that ended the run; 0: none */
	uint64_t lost_rows;
	const struct coverage_result *coverage; /* NULL: not asked for */
};

/* Number of jobs by status. */
struct facts_counts {
	unsigned int n[RESULT_INTERRUPTED + 1];
};

/* boot_id, exit and signal are none. */
void facts_begin(struct facts *f);
/* After it, for what tells of the machine: JSON, CSV, YAML and --times. */
void facts_machine(struct facts *f);
void facts_end(struct facts *f);
void facts_count(const struct result *r, size_t n, struct facts_counts *counts);
/* The reason why it did not pass; NULL: none is known. */
const char *facts_reason(const struct result *r);

#endif
