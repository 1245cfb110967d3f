/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_rows: rows of threads (-H) and the run-queue time of a process (-W).
 *
 * With -H each thread owns the time that it used itself, from its own schedstat.  The rest of the time of
 * its process belongs to threads that have exited: a row with the pid 0.  So that this holds in the first
 * interval too, the threads of all processes are read at the start.  A process whose threads were not read in
 * the sample before (-H was switched on, its directory is hidden) has all of its time in such a row.
 */
#ifndef CPUSTAT_SAMPLER_THREAD_ROWS_H
#define CPUSTAT_SAMPLER_THREAD_ROWS_H

#include "state.h"

/* Reads the threads of entry i, whose clock has just been read, as the base of the next reading. */
void thread_rows_base(struct sampler *s, size_t i);
/* row: the last one, of the process with this number, which with -H is replaced by those of its threads.
 * whole: no time of it was counted before. */
void thread_rows_add(struct sampler *s, uint32_t id, const struct row *row, bool whole);
/* The row of a process becomes that of its threads that are unknown or have exited. */
void thread_rows_unknown(struct row *row);

#endif
