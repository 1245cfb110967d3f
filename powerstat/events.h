/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events: how many forks, execs and exits there were, and with -s which.
 *
 * Counting costs next to nothing: a BPF socket filter on the proc connector counts in the kernel
 * and drops every event (no wake-up, no queue).  Where BPF may not be used, and with -s, the
 * events are read in batches when a sample is taken or the queue could fill; what the kernel
 * dropped is counted.  Thread creations and exits are not counted, as in the original.
 * The log (-s) holds at most PROCLOG_BYTES (proclog.h); what came later is counted as dropped.
 */
#ifndef PS_EVENTS_H
#define PS_EVENTS_H

#include "base.h"
#include "buf.h"
#include "root.h"

struct events;

struct events_counts {
	uint64_t fork, exec, exit, lost;
};

/* log: keep the process log (-s).  -EPERM, -EPROTONOSUPPORT, -ECONNREFUSED, ... as cnproc. */
int events_open(struct events **out, const struct sm_root *root, bool log) SM_MUST;
/* After the privileges are gone: the names of who lives already (-s). */
int events_begin(struct events *e) SM_MUST;
/* To poll, with -s: names of what ends at once can only be read at once.  -1: nothing to poll. */
int events_fd(const struct events *e);
/* Takes what waits; nothing to do when the kernel counts. */
int events_read(struct events *e) SM_MUST;
/* Does the kernel count? Then nothing has to be read between samples. */
bool events_in_kernel(const struct events *e);
/* Totals since the opening; reads what waits. */
int events_counts(struct events *e, struct events_counts *out) SM_MUST;
/* "Log of fork()/exec()/exit() calls:" and its lines; names sanitised. */
void events_print_log(const struct events *e, struct sm_buf *b);
void events_close(struct events *e);

#endif
