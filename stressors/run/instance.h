/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance: the life of a process that stresses: setup, waiting for the others, run.
 *
 * It dies with the supervisor (PR_SET_PDEATHSIG).  The terminal's signals are the supervisor's; SIGTERM
 * ends it at once, in whatever it is.
 */
#ifndef STRESSORS_RUN_INSTANCE_H
#define STRESSORS_RUN_INSTANCE_H

#include "perf.h"
#include "plan.h"
#include "stress.h"

struct instance_start {
	pid_t parent;
	int scratch_fd;            /* the directory of the stage; -1: no stressor of it needs one */
	int ready_fd;              /* eventfd: gets 1 when it is set up */
	const struct plan *plan;
	const struct perf_events *perf; /* NULL: none */
	const struct sm_root *root;
};

_Noreturn void instance_live(struct stress *s, const struct instance_start *how);

#endif
