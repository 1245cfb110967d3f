/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_rows: rows of threads (-H) and the run-queue time of a process (-W).
 *
 * With -H each thread owns the time that it used itself, from its own schedstat.  The rest of the time of
 * its process belongs to threads that have exited: a row with the pid 0.  The threads of all processes are
 * read at the start, so that this is correct in the first interval.  A process whose threads were not read in
 * the sample before (-H was switched on, its directory is hidden) has all of its time in such a row.
 */
#ifndef CPUSTAT_SAMPLER_THREAD_ROWS_H
#define CPUSTAT_SAMPLER_THREAD_ROWS_H

#include "state.h"

/* Reads the threads of entry i, whose clock has just been read, as the base of the next reading. */
void thread_rows_base(struct sampler *s, size_t i);
/* Adds the waiting time to row, the last one, of the process with record id.  With -H, the rows of its
 * threads replace it. whole: the time of the process was not counted before. */
void thread_rows_add(struct sampler *s, uint32_t id, const struct row *row, bool whole);
/* Turns the row of a process into the row of its threads that are unknown or have exited. */
void thread_rows_unknown(struct row *row);

#endif
