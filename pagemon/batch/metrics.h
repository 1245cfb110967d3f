/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the last complete snapshot of each process as a Prometheus file (--prom).
 */
#ifndef PAGEMON_METRICS_H
#define PAGEMON_METRICS_H

#include "format/prom.h"
#include "../snapshot.h"

struct metrics_of_run {
	uint64_t snapshots, missed, lost_rows;
	const struct snapshot *command; /* process of COMMAND, or NULL */
	uint64_t peak_kb;               /* its largest resident memory; 0: unknown */
};

/* Writes all metrics.  Processes that are no longer monitored have no values. */
void metrics_write(struct sm_prom *p, const struct snapshot *procs, size_t n,
	const struct metrics_of_run *m);

#endif
