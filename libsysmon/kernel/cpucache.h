/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpucache: the sizes of a CPU's caches, cpuN/cache/indexM/{level,type,size,ways_of_associativity}
 * below /sys/devices/system/cpu (Documentation/ABI/testing/sysfs-devices-system-cpu).  A virtual machine
 * may report its host's.
 */
#ifndef SM_CPUCACHE_H
#define SM_CPUCACHE_H

#include "base/base.h"
#include "kernel/root.h"

/* Bytes of a CPU's data or unified cache of that level, 1 to 4.  -ENOENT: it has none, or none is shown. */
int sm_cpucache_bytes(const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *bytes)
	SM_MUST;
/* Into how many ways that cache is divided.  -ENOENT: as above, or it is not known. */
int sm_cpucache_ways(const struct sm_root *root, unsigned int cpu, unsigned int level, uint64_t *ways)
	SM_MUST;

#endif
