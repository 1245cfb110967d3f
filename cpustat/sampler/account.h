/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account: updates the record of one process that used CPU and adds its row.
 *
 * With a COMMAND only its tree has rows: the command and its descendants, and orphans of them, which
 * become children of cpustat (PR_SET_CHILD_SUBREAPER).
 */
#ifndef CPUSTAT_SAMPLER_ACCOUNT_H
#define CPUSTAT_SAMPLER_ACCOUNT_H

#include "state.h"

/* Takes the figures of a process that existed before the first sample, or was unreadable then, as
 * the base: only later time counts. */
void account_base(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns);
/* Entry i has used ns in total; its last reading was dt_ns ago.  Its time is always in the sums; it
 * has a row if it is wanted. */
void account_process(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns,
	uint64_t dt_ns);
/* It used CPU and its stat is unreadable: it has just exited, or /proc hides it. */
void account_unread(struct sampler *s, const struct sampler_moved *m);
/* State and CPU of a process whose stat was read.  Without its leader a process has those of a thread that
 * runs, or else of the first living one. */
void account_state(struct sampler *s, struct task *t, const struct sm_pidstat *st);
/* Records the first sample that found it a zombie. */
void account_zombie(struct sampler *s, struct task *t, const struct sm_pidstat *st);

#endif
