/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: the list of processes and their CPU time from a walk over the kernel's tasks (proc/taskwalk.h).
 *
 * One system call replaces the search for new processes, the CPU clocks and the stat of most processes that
 * ran.  Processes with several threads keep clock and stat, and so do processes that the walk leaves out:
 * if the first walk is not complete, /proc is scanned.  If there are too many processes, the clocks replace
 * the walk for the rest of the run.
 */
#ifndef CPUSTAT_SAMPLER_WALK_H
#define CPUSTAT_SAMPLER_WALK_H

#include "state.h"

/* Opens the walk if it is possible and wanted.  Returns false if it is not. */
bool walk_open(struct sampler *s);
/* Walks, adds new processes to the list, and sets the time of the sample.  If the walk fails, s->walks
 * becomes false.  Returns 0 or -ENOMEM. */
int walk_begin(struct sampler *s) SM_MUST;
/* Returns whether the list has every process: as many threads as the kernel counts (/proc/loadavg).  Some
 * kernels leave out pid 1, which is then added. */
bool walk_is_complete(struct sampler *s) SM_MUST;
/* Returns when the last walk began, CLOCK_MONOTONIC. */
uint64_t walk_begun_ns(const struct sampler *s);
/* Walks again within the sample and marks processes that have exited. */
void walk_again(struct sampler *s);
/* Returns the record of entry i, or NULL. */
const struct sm_taskwalk_raw *walk_record(const struct sampler *s, size_t i);
/* Reads the CPU time of entry i from its record or its clock.  -ESRCH: it has exited. */
int walk_ns(const struct sampler *s, size_t i, uint64_t *ns) SM_MUST;
/* Reads the stat of entry i from its record or from /proc. */
int walk_stat(const struct sampler *s, size_t i, struct sm_pidstat *st) SM_MUST;
/* Like walk_stat(), but the name may be truncated: most kernel threads have the rest of it in /proc. */
int walk_times(const struct sampler *s, size_t i, struct sm_pidstat *st) SM_MUST;

#endif
