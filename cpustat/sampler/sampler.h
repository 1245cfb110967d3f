/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler: takes samples of the CPU time of all tasks.
 *
 * One pass reads the CPU clock of every process (one system call each), and /proc/PID/stat if the
 * clock has moved.  A process created since the last pass counts with its whole time.  Then the time
 * of children that exited unseen is found through their parents (exited.h), and the rest of the busy
 * time in /proc/stat is the residual.
 *
 * In proc mode (a foreign /proc, --root, no clocks) the stat of every process is read, in ticks.  A
 * recorded tree that is not a procfs has its own time, /proc/uptime.
 */
#ifndef CPUSTAT_SAMPLER_H
#define CPUSTAT_SAMPLER_H

#include "state.h"

/* Returns 0 or -errno. */
int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names) SM_MUST;
/* Returns the first process of opts->pids that does not exist or cannot be read, or 0. */
pid_t sampler_missing_pid(const struct sampler *s);
/* Takes a sample.  The first call returns no rows (dt_ns 0) or, with since_start, the average of each process
 * since its start.  If no time has passed (a recorded tree), no sample is taken and dt_ns is 0. out->rows are
 * valid until the next call. */
int sampler_take(struct sampler *s, bool since_start, struct sample *out) SM_MUST;
/* Applies a change of options that select the data to be read (keys of the screen). */
void sampler_options(struct sampler *s);
void sampler_close(struct sampler *s);

#endif
