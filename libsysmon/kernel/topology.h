/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology: which CPUs are threads of one core, and an order in which the cores come first.
 *
 * cpuN/topology/thread_siblings_list below /sys/devices/system/cpu
 * (Documentation/admin-guide/cputopology.rst), and where that is missing physical_package_id and core_id,
 * which together name a core.  A CPU that has none of them, as in a container without sysfs, is a core of
 * its own.
 *
 * The ranks are among the CPUs that the caller names, in his order: two cores of two threads each,
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

/* Number of the package of a CPU; -ENODATA. */
int sm_topology_package(const struct sm_root *root, unsigned int cpu, int64_t *package) SM_MUST;
/* rank[i]: how many CPUs of the same core stand before cpu[i] in the list.  -ENOMEM. */
int sm_topology_ranks(const struct sm_root *root, const unsigned int *cpu, unsigned int n,
	unsigned int *rank) SM_MUST;
/* Sorts by rank: first one thread of each core, then the second ones ...; else the order stays.  Pure.
 * -ENOMEM. */
int sm_topology_spread(unsigned int *cpu, unsigned int *rank, unsigned int n) SM_MUST;
/* Of sorted ranks: step[] gets the numbers of CPUs after which a further thread of a core comes: 4 for
 * four cores of two threads.  Returns how many, at most cap.  Pure. */
unsigned int sm_topology_steps(const unsigned int *rank, unsigned int n, unsigned int *step,
	unsigned int cap);

#endif
