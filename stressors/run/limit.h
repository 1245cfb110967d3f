/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit: what a stage may use, and what the machine can run.
 *
 * All instances of a stage together get at most half of the memory that is free, in the machine and in the
 * control group; with --aggressive 90 % of it; or --max-memory.  Sizes of the command line raise the half
 * up to 90 %, so that `--vm-bytes 80%` runs.  Other sizes are lowered to fit; a stressor that does not fit
 * then is not run.
 *
 * Of the disk that the invoking user may write to in --temp-path they get half, or --max-disk if there is
 * that much.  Sizes of the command line do not raise this; others are lowered in the same way.
 */
#ifndef STRESSORS_RUN_LIMIT_H
#define STRESSORS_RUN_LIMIT_H

#include "kernel/root.h"
#include "plan.h"

/* CPUs that the instances ask for, those of the largest stage; no more than this process may run on. */
double limit_cpus(const struct plan *p);
/* What all instances of a job need. */
uint64_t limit_memory(const struct job *j);
/* 0 also if it is not run. */
uint64_t limit_disk(const struct job *j);
/* The job is not run.  lacks: for lack of a resource.  -ENOMEM. */
int limit_refuse(struct job *j, bool lacks, const char *why) SM_MUST;
/* Sets why_not of those that cannot be run, and lowers values.  -ENOMEM. */
int limit_apply(const struct plan *p, struct job *j, size_t n, const struct sm_root *root) SM_MUST;

#endif
