/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dist: how CPU use was distributed over a run (-D): by task and by CPU; constant memory.
 *
 * By task: 20 bins from the least to the most percentage that any row of any sample had
 * (linhist.h).  By CPU: user and system share of each CPU out of /proc/stat, over the run; a
 * CPU that was offline for a while counts for the time it was online.
 */
#ifndef CS_DIST_H
#define CS_DIST_H

#include "buf.h"
#include "linhist.h"
#include "sample.h"

#define DIST_BINS 20

struct dist {
	struct sm_linhist tasks;    /* hundredths of a percent */
	struct dist_cpu {
		uint64_t usr_ticks, sys_ticks, all_ticks; /* sys: with interrupts */
	} *cpu;
	unsigned int ncpu;
};

int dist_init(struct dist *d) SM_MUST;
void dist_fini(struct dist *d);
/* rows: those of the sample that pass the filters; only tasks and exited children count.
 * scale: of the tasks' percentages (-a).  -ENOMEM: this sample's CPUs are left out. */
int dist_add(struct dist *d, const struct cs_sample *s, const struct cs_row *rows, size_t n,
	double scale) SM_MUST;
/* The two tables of the original, whole lines, an empty one between:
 * "Distribution of CPU utilisation (per Task):" / "% CPU Utilisation   Count   (%)" /
 * "  0.00 -   1.58       196  91.59" for bins that are not empty ... */
void dist_print(const struct dist *d, struct sm_buf *b);
/* {"type":"distribution","tasks":3,"bins":[{"low_pct":0.00,"high_pct":1.58,"count":3}],
 * "cpus":[{"cpu":0,"usr_pct":89.05,"sys_pct":30.85}]}\n */
void dist_json(const struct dist *d, struct sm_buf *b);

#endif
