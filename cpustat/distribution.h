/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * distribution: the distribution of CPU use over a run (-D), by task and by CPU, in constant memory.
 *
 * By task: 20 bins from the minimum to the maximum percentage of all rows (base/linhist.h).  By CPU:
 * user and system share of each CPU, from /proc/stat, over the time that the CPU was online.
 */
#ifndef CPUSTAT_DISTRIBUTION_H
#define CPUSTAT_DISTRIBUTION_H

#include "base/buf.h"
#include "base/linhist.h"
#include "rows/sample.h"

struct distribution {
	struct sm_linhist tasks;    /* hundredths of a percent */
	struct distribution_cpu {
		uint64_t usr_ticks, sys_ticks, all_ticks; /* sys includes interrupts */
	} *cpu;
	unsigned int ncpu;
	size_t cap;
};

int distribution_init(struct distribution *d) SM_MUST;
void distribution_fini(struct distribution *d);
/* Adds a sample. rows: the rows that pass the filters; only tasks and exited children are counted. scale: the
 * factor of percentages (-a).  Returns 0, or -ENOMEM if the CPUs of this sample are missing. */
int distribution_add(struct distribution *d, const struct sample *s, const struct row *rows, size_t n,
	double scale) SM_MUST;
/* Prints the two tables of the original, with an empty line between them:
 * "Distribution of CPU utilisation (per Task):" / "% CPU Utilisation   Count   (%)" /
 * "  0.00 -   1.58       196  91.59" for bins that are not empty ... */
void distribution_print(const struct distribution *d, struct sm_buf *b);
/* Prints {"type":"distribution","tasks":3,"bins":[{"low_pct":0.00,"high_pct":1.58,"count":3}],
 * "cpus":[{"cpu":0,"usr_pct":89.05,"sys_pct":30.85}]}\n */
void distribution_json(const struct distribution *d, struct sm_buf *b);

#endif
