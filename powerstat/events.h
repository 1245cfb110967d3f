/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events: counts forks, execs and exits, and logs them with -s.
 *
 * A BPF socket filter on the proc connector counts the events in the kernel and drops them, so the
 * process is not woken up and no queue can fill.  Without BPF, and with -s, the events are read in
 * batches when a sample is taken or the queue could fill; events dropped by the kernel are counted.
 * Threads are not counted, as in the original.
 */
#ifndef POWERSTAT_EVENTS_H
#define POWERSTAT_EVENTS_H

#include "base/base.h"
#include "base/buf.h"
#include "base/root.h"

struct events;

struct events_counts {
	uint64_t fork, exec, exit, lost;
};

/* log: keep the process log (-s).  Errors: see cnproc.h (-EPERM, -EPROTONOSUPPORT ...). */
int events_open(struct events **out, const struct sm_root *root, bool log) SM_MUST;
/* Limits the number of lines in the process log; 0: no limit. */
void events_log_limit(struct events *e, uint64_t lines);
/* Reads the names of existing processes (-s); called after privileges were dropped. */
int events_begin(struct events *e) SM_MUST;
/* Returns the descriptor to poll with -s, since names must be read before short-lived processes exit;
 * -1: nothing to poll. */
int events_fd(const struct events *e);
/* Reads queued events, unless the kernel counts them. */
int events_read(struct events *e) SM_MUST;
/* Returns whether the kernel counts the events, so that nothing must be read between samples. */
bool events_in_kernel(const struct events *e);
/* Sets the totals since the opening; reads queued events first. */
int events_counts(struct events *e, struct events_counts *out) SM_MUST;
/* Returns proclog_missing() of the process log, 0 without one.  e may be NULL. */
uint64_t events_log_missing(const struct events *e);
/* Prints "Log of fork()/exec()/exit() calls:" and the lines of the log, with sanitised names. */
void events_print_log(const struct events *e, struct sm_buf *b);
void events_close(struct events *e);

#endif
