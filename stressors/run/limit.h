/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit: what a stage may use, and what the machine can run.
 *
 * All instances of a stage together get at most half of the memory that is free, in the machine and in the
 * control group; with --aggressive 90 % of it; or --max-memory.  Sizes of the command line raise the half
 * up to 90 %, so that `--vm-bytes 80%` runs.  Other sizes are lowered to fit; a stressor that does not fit
 * then is not run.
 */
#ifndef STRESSORS_RUN_LIMIT_H
#define STRESSORS_RUN_LIMIT_H

#include "kernel/root.h"
#include "plan.h"

/* CPUs that the instances ask for, those of the largest stage; no more than this process may run on. */
double limit_cpus(const struct plan *p);
/* Of all instances of a job. */
uint64_t limit_memory(const struct job *j);
/* Sets why_not of those that cannot be run, and lowers values.  -ENOMEM. */
int limit_apply(const struct plan *p, struct job *j, size_t n, const struct sm_root *root) SM_MUST;

#endif
