/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: reads every process once.
 *
 * With clocks that costs one system call for each process (kernel/cpuclock.h), and /proc/PID/stat is
 * read only if the clock has moved.  Without, the stat of each is read, in ticks.  The time is taken
 * every 256 processes, so that a percentage is of the time between the two readings of its process.
 */
#ifndef CPUSTAT_SAMPLER_PASS_H
#define CPUSTAT_SAMPLER_PASS_H

#include "state.h"

/* Before the first sample: records parent and cutime of each process. */
void pass_parents(struct sampler *s);
/* After pass_parents(): records the CPU time of each process; adds no rows. */
void pass_first(struct sampler *s);
/* After pass_first(): a row with the average since its start for each process (first screen). */
void pass_since_start(struct sampler *s);
/* A row of each process that used CPU since the last pass. */
void pass_later(struct sampler *s);

#endif
