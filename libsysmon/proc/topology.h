/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology: the threads of each core, an order of CPUs that begins with one thread of each core, and the
 * types of CPUs.
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
 *
 * Types of CPUs: on hybrid x86 processors /sys/devices/cpu_core/cpus, cpu_atom/cpus and cpu_lowpower/cpus
 * list the CPUs of each type.  Elsewhere CPUs of one type have an equal cpuN/cpu_capacity
 * (Documentation/scheduler/sched-capacity.rst).  The lists come first, because the capacities of x86 CPUs of
 * one type differ by their maximum frequencies.  A CPU that the lists lack, or without a capacity, has the
 * type "unknown" unless that is true for all CPUs.
 */
#ifndef SM_TOPOLOGY_H
#define SM_TOPOLOGY_H

#include "base/base.h"
#include "base/root.h"

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

#define SM_TOPOLOGY_TYPES_MAX 4

struct sm_topology_types {
	unsigned int n;           /* number of types, at least 1; the fastest first */
	char name[SM_TOPOLOGY_TYPES_MAX][24]; /* "core", "atom", "capacity-446" ...; "" if n is 1 */
	unsigned int cpus[SM_TOPOLOGY_TYPES_MAX]; /* number of CPUs of each type */
};

/* Finds the types of n CPUs; type[i] is the index of the type of cpu[i].  -ENOMEM; -E2BIG: more types than
 * SM_TOPOLOGY_TYPES_MAX. */
int sm_topology_types(const struct sm_root *root, const unsigned int *cpu, unsigned int n,
	unsigned int *type, struct sm_topology_types *t) SM_MUST;

#endif
