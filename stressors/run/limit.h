/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit: limits of memory and disk space for a stage, and jobs that the machine cannot run.
 *
 * All instances of a stage together may use at most half of the memory that is free, in the machine and in
 * the cgroup; with --aggressive 90 % of it; or --max-memory.  Sizes of the command line raise the half up to
 * 90 %, so that `--vm-bytes 80%` runs.  Other sizes are lowered to fit; a stressor that still does not fit is
 * skipped.
 *
 * All instances together may use half of the disk space that the calling user may use in --temp-path, or
 * --max-disk if that much is free.  Sizes of the command line do not raise this limit; other sizes are
 * lowered as for memory.
 */
#ifndef STRESSORS_RUN_LIMIT_H
#define STRESSORS_RUN_LIMIT_H

#include "base/root.h"
#include "plan.h"

/* Returns the number of CPUs that the instances of the largest stage use, at most the number that this
 * process may use. */
double limit_cpus(const struct plan *p);
/* Returns the bytes of memory that all instances of a job need. */
uint64_t limit_memory(const struct job *j);
/* Returns the bytes of disk space that all instances of a job need; 0 for a job that is skipped. */
uint64_t limit_disk(const struct job *j);
/* Marks a job as skipped.  lacks: for lack of a resource.  0 or -ENOMEM. */
int limit_refuse(struct job *j, bool lacks, const char *why) SM_MUST;
/* Sets why_not of jobs that cannot run, and lowers values.  0 or -ENOMEM. */
int limit_apply(const struct plan *p, struct job *j, size_t n, const struct sm_root *root) SM_MUST;

#endif
