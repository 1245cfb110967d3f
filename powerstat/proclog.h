/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proclog: the log of forks, execs and exits (-s), printed at the end.
 *
 * Each line has the name of the process at the event: for an exec the new command line (read from
 * /proc/PID/cmdline at that time; comm if the process has exited), for a fork the name of the parent.
 * The text is bounded by PROCLOG_BYTES; further lines are dropped and counted.  After half of it is used,
 * names are truncated to PROCLOG_BRIEF bytes, so that a few long names cannot fill the log.
 */
#ifndef POWERSTAT_PROCLOG_H
#define POWERSTAT_PROCLOG_H

#include "base/buf.h"
#include "base/root.h"
#include "events/cnproc.h"

#define PROCLOG_BYTES (16u << 20)
#define PROCLOG_BRIEF (1u << 10)

struct proclog;

int proclog_new(struct proclog **out, const struct sm_root *root) SM_MUST;
/* Limits the number of lines; 0: no limit. */
void proclog_limit(struct proclog *l, uint64_t lines);
/* Reads the names of existing processes. */
int proclog_seed(struct proclog *l) SM_MUST;
void proclog_add(struct proclog *l, const struct sm_proc_event *ev);
/* Called after events were lost: from then on, names are verified before use. */
void proclog_lost(struct proclog *l);
/* Returns the number of names, arguments and lines that are missing, without the lines beyond the limit of
 * proclog_limit(). */
uint64_t proclog_missing(const struct proclog *l);
void proclog_print(const struct proclog *l, uint64_t lost, struct sm_buf *b);
void proclog_free(struct proclog *l);

#endif
