/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proclog: the log of forks, execs and exits of option -s, told at the end.
 *
 * A name is what the process was called at that event: of an exec the new one (read from
 * /proc/PID/cmdline then, so a program that ended at once is known by its comm at best), of a fork
 * its parent's.  Memory is bounded by PROCLOG_BYTES of text; what came later is counted.
 */
#ifndef PS_PROCLOG_H
#define PS_PROCLOG_H

#include "buf.h"
#include "cnproc.h"
#include "root.h"

#define PROCLOG_BYTES (16u << 20)

struct proclog;

int proclog_new(struct proclog **out, const struct sm_root *root) SM_MUST;
/* Who lives already. */
int proclog_seed(struct proclog *l) SM_MUST;
void proclog_add(struct proclog *l, const struct sm_proc_event *ev);
/* Events were lost: names are looked at anew. */
void proclog_lost(struct proclog *l);
void proclog_print(const struct proclog *l, uint64_t lost, struct sm_buf *b);
void proclog_free(struct proclog *l);

#endif
