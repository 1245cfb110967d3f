/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: reads every process once.
 *
 * With clocks, a pass costs one system call per process (proc/cpuclock.h), and /proc/PID/stat is read
 * only if the clock has advanced.  Without clocks, the stat of each process is read, in ticks.  The time
 * is read every 64 processes, so that a percentage refers to the time between the two readings of its
 * process.
 */
#ifndef CPUSTAT_SAMPLER_PASS_H
#define CPUSTAT_SAMPLER_PASS_H

#include "state.h"

/* Before the first sample: records parent and cutime of each process. */
void pass_parents(struct sampler *s);
/* After pass_parents(): records the CPU time of each process; adds no rows. */
void pass_first(struct sampler *s);
/* Adds a row for each process with the average since its start (first screen), after pass_first(). */
void pass_since_start(struct sampler *s);
/* Adds a row for each process that used CPU since the last pass. */
void pass_later(struct sampler *s);

#endif
