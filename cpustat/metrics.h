/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the totals of a run as a Prometheus file (--prom).
 *
 * Counters never decrease and labels are bounded: METRICS_COMMS names of programs, the rest in
 * comm="(others)".  Who has a label keeps it; the last half of them is only for programs that
 * used 1 % of a CPU in a sample, so that what was idle at the start does not take them all.
 * Threads of the kernel are one program up to the first '/' of their name: "[kworker]".
 * In steady state nothing is allocated.
 */
#ifndef CS_METRICS_H
#define CS_METRICS_H

#include "prom.h"
#include "sample.h"

#define METRICS_COMMS 64
/* A comm of the longest kind, each byte as \xNN, in brackets. */
#define METRICS_LABEL_MAX (4 * SM_PIDSTAT_COMM_MAX + 2)
/* The file is not written more often than that. */
#define METRICS_INTERVAL_NS SM_NSEC_PER_SEC

struct metrics {
	struct sm_prom prom;
	const char *path;         /* NULL: no file, and nothing here does anything */
	uint64_t t_ns;            /* of the last sample */
	uint64_t written_ns;      /* t_ns when the file was written last; 0: never */
	uint64_t usr_ns, sys_ns, exited_ns, irq_ns, softirq_ns, self_ns;
	int64_t unaccounted_ns;   /* can go back by what was counted too early ... */
	uint64_t unaccounted_max_ns; /* ... which a counter must not */
	bool machine;             /* irq, softirq and unaccounted are known */
	uint64_t births, deaths, samples;
	uint64_t live, unreadable; /* now */
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

void metrics_init(struct metrics *m, const char *path);
/* One sample.  rows: those of the sample that pass the filters, before they are grouped or
 * limited; the counters by mode and by comm are of them, all others of the whole sample. */
void metrics_add(struct metrics *m, const struct cs_sample *s, const struct cs_row *rows, size_t n);
/* Writes the file when it is due, or now if it is the last time.  lost_rows: sm_faces_dropped(). */
int metrics_commit(struct metrics *m, uint64_t lost_rows, bool last) SM_MUST;
void metrics_fini(struct metrics *m);

#endif
