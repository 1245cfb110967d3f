/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turnover: how many processes were created and how many exited between two samples.
 *
 * The kernel counts created processes at their fork (forkcount.h).  The number of exited processes is the
 * number of created ones less the growth of the list.  A process exits when its parent has reaped it: a
 * zombie exists.  Over a run, each process is therefore counted once when it is created and once when it
 * exits, even if it lived only between two samples, and existing = existing before + created - exited.
 *
 * The counter is read before the list of processes.  A process that is created between the two is in the
 * list of this sample and counts in the next one; until then an exited process can be missing too.
 *
 * Without permission for BPF, and in a PID namespace, the values are unknown.  With a fixed list of
 * processes (-p), only processes of the list are counted, which are all known.
 */
#ifndef CPUSTAT_SAMPLER_TURNOVER_H
#define CPUSTAT_SAMPLER_TURNOVER_H

#include "events/forkcount.h"
#include "rows/sample.h"

struct turnover {
	bool open;
	struct sm_forkcount forks;
	uint64_t forks_first, existed; /* at the first sample */
	uint64_t forks_now;
	uint64_t created, exited;      /* since the first sample */
};

/* Opens the counter, which counts the whole machine.  Without it the values are unknown.  -ENOMEM; other
 * failures are silent. */
int turnover_open(struct turnover *t, const struct sm_root *root) SM_MUST;
void turnover_close(struct turnover *t);
/* Begins a sample. */
void turnover_begin(struct turnover *t);
/* Ends a sample at which this many processes exist: fills counted, created and exited of s. */
void turnover_end(struct turnover *t, uint64_t existing, bool first, struct sample *s);

#endif
