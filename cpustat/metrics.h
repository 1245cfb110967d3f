/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the totals of a run as a Prometheus file (--prom).
 *
 * Counters never decrease.  A program takes one of the second half of promcomm's labels once it used
 * 1 % of a CPU in a sample.
 *
 * A program owns the CPU time of its processes, including processes that exited between two samples.
 * Their time comes from the row of exited children of their parent, their names from its list
 * (exited_names.h), which can be late or incomplete.  The time of such rows therefore waits for names for
 * one to two seconds and is then counted as "(exited children)".  No program has that name, because a comm
 * has at most 15 bytes.
 */
#ifndef CPUSTAT_METRICS_H
#define CPUSTAT_METRICS_H

#include "format/promcomm.h"
#include "rows/sample.h"

struct metrics {
	bool on;                  /* --prom was given */
	uint64_t usr_ns, sys_ns, exited_ns, irq_ns, softirq_ns, self_ns;
	int64_t unaccounted_ns;   /* can decrease by time that was counted too early ... */
	uint64_t unaccounted_max_ns; /* ... which a counter must not */
	bool machine;             /* irq, softirq and unaccounted are known */
	bool counted;             /* created and exited are known */
	uint64_t created, exited, samples;
	uint64_t processes, unreadable; /* at the last sample */
	unsigned int online;
	struct sm_promcomms comms;  /* CPU time by program, ns */
	/* Time of exited children that waits for their names: from the last second, and from the second
	 * before it. */
	uint64_t waiting_ns, waiting_before_ns;
	uint64_t waiting_since_ns;
	uint64_t nameless_ns;     /* counted as "(exited children)" */
};

void metrics_init(struct metrics *m, bool on);
/* Adds one sample. rows: the rows that pass the filters, before they are grouped or limited.  The counters by
 * mode and by comm cover these rows, all other counters the whole sample. */
void metrics_add(struct metrics *m, const struct sample *s, const struct row *rows, size_t n);
/* Ends the wait for names, after the last sample. */
void metrics_end(struct metrics *m);
struct metrics_lost {
	uint64_t rows;       /* sm_outputs_dropped() */
	uint64_t names;      /* sampler.names_lost */
	uint64_t exit_names; /* exited_names_lost() */
};
void metrics_write(
	const struct metrics *m, struct sm_prom *p, const struct metrics_lost *lost);
void metrics_fini(struct metrics *m);

#endif
