/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throttle: how often the processor slowed itself down because it was hot (x86, Intel).
 *
 * cpuN/thermal_throttle/{core,package}_throttle_count below /sys/devices/system/cpu
 * (Documentation/ABI/testing/sysfs-devices-system-cpu): events since the boot.  Each thread of a core
 * counts the events of its core, and each CPU of a package those of its package; so the events of two
 * readings are the sum over cores, and over packages, of the most that one of their CPUs has counted.
 * Counts go back to 0 when a CPU goes offline; such a CPU is left out.
 */
#ifndef SM_THROTTLE_H
#define SM_THROTTLE_H

#include "base/base.h"
#include "kernel/root.h"

struct sm_throttle_cpu {
	unsigned int cpu;
	int64_t package, core;  /* of cpuN/topology; -1: unknown */
	bool has_core_events, has_package_events;
	uint64_t core_events, package_events;
};

struct sm_throttle {
	struct sm_throttle_cpu *cpu; /* those that have counts, in the order of core and package */
	unsigned int n;
	size_t cap;
};

/* -ENOENT: the machine has no such counts. */
int sm_throttle_read(struct sm_throttle *t, const struct sm_root *root) SM_MUST;
/* The events between two readings. */
void sm_throttle_between(const struct sm_throttle *before, const struct sm_throttle *after,
	uint64_t *core_events, uint64_t *package_events);
void sm_throttle_free(struct sm_throttle *t);

#endif
