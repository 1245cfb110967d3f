/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: command line, user and cgroup of a task, as far as output and filters need them.
 *
 * Command line and user are read once for each process and comm, and again after some seconds, because a
 * program can exec itself or change its arguments and keep its comm.  The cgroup can change without a change
 * in stat, so it is read in each sample in which the process ran, but only if a filter or group needs it
 * (-k, -G cgroup).
 */
#ifndef CPUSTAT_SAMPLER_NAMES_H
#define CPUSTAT_SAMPLER_NAMES_H

#include "state.h"

/* The longest command line that is kept; a longer one is truncated and has the tag ROW_CMD_CUT. */
#define NAMES_BYTES  (16u << 10)
/* This much of a command line is always stored.  A longer one stays whole only while all names together are
 * within the budget, so that the names of one user leave room for all others. */
#define NAMES_KEPT   (4u << 10)
#define NAMES_BUDGET (16u << 20)

void names_read(struct sampler *s, struct task *t);

#endif
