/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turnover: how many processes were created and how many exited between two samples.
 *
 * Created are those that the kernel has counted at their fork (forkcount.h); exited are those by which the
 * number of existing processes grew less.  A process exits when its parent has reaped it: a zombie
 * exists.  So over a run each process is counted once when it is created and once when it exits, even if it
 * lived between two samples only, and existing processes = those before + created - exited.
 *
 * The counter is read before the list of processes.  A process that is created between the two is in the
 * list of this sample and counts in the next one; until then an exited process can be missing too.
 *
 * Without permission for BPF, and in a pid namespace, the figures are unknown.  With a fixed list of
 * processes (-p) those of the list count, which are all known.
 */
#ifndef CPUSTAT_SAMPLER_TURNOVER_H
#define CPUSTAT_SAMPLER_TURNOVER_H

#include "kernel/forkcount.h"
#include "../sample.h"

struct turnover {
	bool open;
	struct sm_forkcount forks;
	uint64_t forks_first, existed; /* at the first sample */
	uint64_t forks_now;
	uint64_t created, exited;      /* since the first sample */
};

/* Failure is silent: the figures are unknown. */
void turnover_open(struct turnover *t, const struct sm_root *root);
void turnover_close(struct turnover *t);
/* A sample begins. */
void turnover_begin(struct turnover *t);
/* This many processes exist.  Fills counted, created and exited of the sample. */
void turnover_end(struct turnover *t, uint64_t existing, bool first, struct sample *s);

#endif
