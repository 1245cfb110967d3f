/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology: the threads of each core, and an order of CPUs that begins with one thread of each core.
 *
 * Threads of a core are read from cpuN/topology/thread_siblings_list in /sys/devices/system/cpu
 * (Documentation/admin-guide/cputopology.rst).  If this file is missing, physical_package_id and core_id
 * together identify a core.  A CPU without any of them, as in a container without sysfs, counts as a core.
 *
 * The rank of a CPU counts only the CPUs that the caller passes, in their order.  Example with two cores of
 * two threads each:
 *
 *	CPU              0 1 2 3
 *	thread siblings  0,2 1,3 0,2 1,3
 *	rank of 0-3      0 0 1 1
 *	rank of 0,2,3    0 1 0
 */
#ifndef SM_TOPOLOGY_H
#define SM_TOPOLOGY_H

#include "base/base.h"
#include "kernel/root.h"

/* Reads the number of the package of a CPU; -ENODATA: unknown. */
int sm_topology_package(const struct sm_root *root, unsigned int cpu, int64_t *package) SM_MUST;
/* Computes rank[i], the number of CPUs before cpu[i] in the list that belong to its core.  -ENOMEM. */
int sm_topology_ranks(const struct sm_root *root, const unsigned int *cpu, unsigned int n,
	unsigned int *rank) SM_MUST;
/* Sorts the CPUs by rank, stably: first one thread of each core, then the second threads, and so on.  Reads
 * no files.  -ENOMEM. */
int sm_topology_spread(unsigned int *cpu, unsigned int *rank, unsigned int n) SM_MUST;
/* Finds the numbers of CPUs, in sorted ranks, after which further threads of cores begin: 4 for four cores
 * of two threads.  Returns their number, at most cap.  Reads no files. */
unsigned int sm_topology_steps(const unsigned int *rank, unsigned int n, unsigned int *step,
	unsigned int cap);

#endif
