/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wide: the original's CSV file of option -r, written at the end: a column for each task, a row
 * for each sample; with the values of that sample (the original divided by the whole run).
 *
 * Row 1 "Task:" then a column "comm (pid)" for each task ("comm (exited children) (pid)"), row 2
 * "Ticks:" with its total of the run, then for each sample: seconds since the first, the time
 * of day with -S, and the percentage, empty where the task used none.  RFC 4180, LF.
 *
 * Memory is bounded: values wait in an unlinked temporary file in FILE's directory
 * ((sample, task, value) of rows that used any), tasks beyond 65,536 share the column
 * "(others)".  At the end the table is written to FILE.tmp.PID and renamed to FILE, so FILE is
 * never half a table; only where that is not allowed any more (root's privileges were dropped
 * meanwhile) FILE is written in its place.  What cannot be written is found out at the start:
 * FILE is opened, or made, with the rights of the invoking user; where he may not make files in
 * its directory, values wait in /tmp, and FILE is written in its place.  A FILE that is no
 * regular file (a FIFO, /dev/stdout), or that standard output or error goes to, is written
 * straight; values then wait in /tmp, too.
 */
#ifndef CS_WIDE_H
#define CS_WIDE_H

#include "opts.h"
#include "sample.h"

struct wide;

#define WIDE_TASKS_MAX 65536

/* Opens o->wide_csv with the invoking user's rights.  -errno. */
int wide_open(struct wide **out, const struct cs_opts *o) SM_MUST;
/* One sample's rows that pass the filters; only tasks and exited children have columns.  -errno
 * (sticky: samples after it are lost). */
int wide_add(struct wide *w, const struct cs_sample *s, const struct cs_row *rows, size_t n,
	double scale) SM_MUST;
/* Is it written straight to what can make us wait (a FIFO, a terminal)? */
bool wide_may_wait(const struct wide *w);
/* Writes the table of all samples that were taken in; 0 or the first -errno. */
int wide_finish(struct wide *w) SM_MUST;
void wide_close(struct wide *w);

#endif
