/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcome: the results of the jobs of a stage, from the slots of their instances and the way in which these
 * ended.
 *
 * An instance that crashed, was killed, or made no progress (stall.h) has failed, whatever its slot contains.
 * One that received too little CPU time for one op has not failed; it lacks a resource.
 */
#ifndef STRESSORS_RUN_OUTCOME_H
#define STRESSORS_RUN_OUTCOME_H

#include "../result/result.h"
#include "supervisor.h"

/* Fills in the result of each job of the stage, in their order.  outcome_free() frees r->one and r->reason;
 * metrics point into the stage.  0 or -ENOMEM. */
int outcome_results(const struct supervisor *v, const struct stage *g, struct result *r) SM_MUST;
void outcome_free(struct result *r);

#endif
