/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account: updates the record of one process that used CPU and adds its row.
 *
 * With a COMMAND only its tree has rows: the command and its descendants, including orphans, which become
 * children of cpustat (PR_SET_CHILD_SUBREAPER).
 */
#ifndef CPUSTAT_SAMPLER_ACCOUNT_H
#define CPUSTAT_SAMPLER_ACCOUNT_H

#include "state.h"

/* Records the values of a process that existed before the first sample, or was unreadable then, as its base:
 * only later time is counted. */
void account_base(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns);
/* Accounts for entry i, which has used ns in total and was last read dt_ns ago.  Its time is always added to
 * the sums; it gets a row if it is wanted. */
void account_process(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns,
	uint64_t dt_ns);
/* Accounts for a process that used CPU and whose stat is unreadable: it has just exited, or /proc hides
 * it. */
void account_unread(struct sampler *s, const struct sampler_moved *m);
/* Sets state and CPU of a process whose stat was read.  If its leader has exited, they are taken from a
 * running thread or else from the first living one. */
void account_state(struct sampler *s, struct task *t, const struct sm_pidstat *st);
/* Records the first sample in which the process was a zombie. */
void account_zombie(struct sampler *s, struct task *t, const struct sm_pidstat *st);

#endif
