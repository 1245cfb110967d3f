/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcome: what the jobs of a stage have done, from the slots of their instances and how these ended.
 *
 * An instance that crashed, was killed by anybody, or made no progress (stall.h) has failed, whatever it
 * said.  One that had too little CPU time for one op has no result, but nothing is wrong with it.
 */
#ifndef STRESSORS_RUN_OUTCOME_H
#define STRESSORS_RUN_OUTCOME_H

#include "../result/result.h"
#include "supervisor.h"

/* Of each job of the stage, in their order.  r->one and r->reason are the caller's to free; metrics lie in
 * the
 * stage.  -ENOMEM. */
int outcome_results(const struct supervisor *v, const struct stage *g, struct result *r) SM_MUST;
void outcome_free(struct result *r);

#endif
