/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: command line, user and cgroup of a task, as far as output and filters need them.
 *
 * They are read once for each process and comm, and again after some seconds, because a program
 * can exec itself or change its arguments under the same comm.
 */
#ifndef CPUSTAT_SAMPLER_NAMES_H
#define CPUSTAT_SAMPLER_NAMES_H

#include "state.h"

/* The longest command line that is kept; a longer one is cut and has the tag ROW_CMD_CUT. */
#define NAMES_BYTES (16u << 10)

void names_read(struct sampler *s, struct task *t);

#endif
