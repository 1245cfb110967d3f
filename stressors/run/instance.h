/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance: the process of an instance: setup, waiting for the others, run.
 *
 * It dies with the supervisor (PR_SET_PDEATHSIG).  Only the supervisor handles signals from the terminal;
 * SIGTERM kills an instance at any point.
 */
#ifndef STRESSORS_RUN_INSTANCE_H
#define STRESSORS_RUN_INSTANCE_H

#include "perf.h"
#include "plan.h"
#include "stress.h"

struct instance_start {
	pid_t parent;
	int scratch_fd;            /* the directory of the stage; -1: its stressors do not need one */
	int ready_fd;              /* eventfd to which 1 is written after setup */
	const struct plan *plan;
	const struct perf_events *perf; /* NULL: not used */
	const struct sm_root *root;
};

_Noreturn void instance_live(struct stress *s, const struct instance_start *how);

#endif
