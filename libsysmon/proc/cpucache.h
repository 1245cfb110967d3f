/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpucache: the sizes of a CPU's caches, from cpuN/cache/indexM/{level,type,size,ways_of_associativity} in
 * /sys/devices/system/cpu (Documentation/ABI/testing/sysfs-devices-system-cpu).  A virtual machine may report
 * the caches of its host.
 */
#ifndef SM_CPUCACHE_H
#define SM_CPUCACHE_H

#include "base/base.h"
#include "base/root.h"

/* Reads the bytes of a CPU's data or unified cache of a level from 1 to 4.  -ENOENT: no such cache is
 * shown. */
int sm_cpucache_bytes(const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *bytes)
	SM_MUST;
/* Reads the number of ways of that cache.  -ENOENT: no such cache is shown, or the number is unknown. */
int sm_cpucache_ways(const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *ways)
	SM_MUST;

#endif
