/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the totals of a run as a Prometheus file (--prom).
 *
 * Counters never decrease and labels are bounded: METRICS_COMMS names of programs, the rest in
 * comm="(others)".  A program keeps its label.  The second half of the labels is for programs that
 * used 1 % of a CPU in a sample, so that programs idle at the start do not take all of them.
 * Kernel threads are one program up to the first '/' of their name: "[kworker]".
 * In steady state nothing is allocated.
 */
#ifndef CPUSTAT_METRICS_H
#define CPUSTAT_METRICS_H

#include "out/prom.h"
#include "sample.h"

#define METRICS_COMMS 64
/* A comm of maximum length, each byte as \xNN, in brackets. */
#define METRICS_LABEL_MAX (4 * SM_PIDSTAT_COMM_MAX + 2)

struct metrics {
	bool on;                  /* there is a file */
	uint64_t usr_ns, sys_ns, exited_ns, irq_ns, softirq_ns, self_ns;
	int64_t unaccounted_ns;   /* can decrease by time that was counted too early ... */
	uint64_t unaccounted_max_ns; /* ... which a counter must not */
	bool machine;             /* irq, softirq and unaccounted are known */
	uint64_t created, exited, samples;
	uint64_t processes, unreadable; /* now */
	unsigned int online;
	struct metrics_comm {
		uint64_t hash;
		uint64_t used_ns;
		size_t n;
		char label[METRICS_LABEL_MAX]; /* sanitised */
	} comm[METRICS_COMMS];
	unsigned int ncomm;
	uint64_t others_ns;
	uint64_t seed;
	struct sm_buf label;
};

void metrics_init(struct metrics *m, bool on);
/* One sample.  rows: those that pass the filters, before they are grouped or limited; the counters
 * by mode and by comm are of these, all others of the whole sample. */
void metrics_add(struct metrics *m, const struct sample *s, const struct row *rows, size_t n);
struct metrics_lost {
	uint64_t rows;       /* sm_outputs_dropped() */
	uint64_t names;      /* sampler.names_lost */
	uint64_t exit_names; /* exited_names_lost() */
};
void metrics_write(
	const struct metrics *m, struct sm_prom *p, const struct metrics_lost *lost);
void metrics_fini(struct metrics *m);

#endif
