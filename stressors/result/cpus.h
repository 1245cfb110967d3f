/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus: the values that the instances of a job counted in their histograms, by the CPU to which an instance
 * was pinned.
 */
#ifndef STRESSORS_RESULT_CPUS_H
#define STRESSORS_RESULT_CPUS_H

#include "result.h"

struct cpu_values {
	unsigned int cpu;
	uint64_t count, max_ns; /* of all instances that were pinned to it */
};

/* Returns the CPUs that have values, in order of their numbers, which the caller frees.  *n: their number; 0:
 * no instance with values was pinned.  0 or -ENOMEM. */
int cpus_make(const struct result *r, struct cpu_values **cpus, unsigned int *n) SM_MUST;

#endif
