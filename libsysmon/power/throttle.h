/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throttle: counts events of thermal throttling (x86, Intel).
 *
 * cpuN/thermal_throttle/{core,package}_throttle_count below /sys/devices/system/cpu
 * (Documentation/ABI/testing/sysfs-devices-system-cpu): events since the boot.  Each thread of a core
 * counts the events of its core, and each CPU of a package counts the events of its package.  The number
 * of events between two readings is therefore the sum over cores, and over packages, of the highest
 * count of their CPUs.  Counts return to 0 when a CPU goes offline.  A CPU whose count fell, or rose by more
 * than one event per microsecond, is ignored; a core or package that has only such CPUs is unknown.
 *
 * struct sm_throttle is one reading.  struct sm_throttle_meter is for a reading per interval: its files stay
 * open while they use at most a quarter of RLIMIT_NOFILE; further files are opened for each reading.  It
 * reads the CPUs that had counts when it was opened.
 */
#ifndef SM_THROTTLE_H
#define SM_THROTTLE_H

#include "base/base.h"
#include "base/root.h"

struct sm_throttle_cpu {
	unsigned int cpu;
	int64_t package, core;  /* from cpuN/topology; -1: unknown */
	bool has_core_events, has_package_events;
	uint64_t core_events, package_events;
};

struct sm_throttle {
	struct sm_throttle_cpu *cpu; /* CPUs that have counts, sorted by package and core */
	unsigned int n;
	size_t cap;
	uint64_t from_ns, to_ns;     /* CLOCK_MONOTONIC before and after the reading */
};

/* Reads the counts.  -ENOENT: the machine has no such counts. */
int sm_throttle_read(struct sm_throttle *t, const struct sm_root *root) SM_MUST;
/* Sets the number of events between two readings.  -ENODATA: no CPU has a count in both readings, or a core
 * or a package is unknown, and the numbers do not include it. */
int sm_throttle_between(const struct sm_throttle *before, const struct sm_throttle *after,
	uint64_t *core_events, uint64_t *package_events);
void sm_throttle_free(struct sm_throttle *t);

struct sm_throttle_meter {
	const struct sm_root *root;
	struct sm_throttle last, now;  /* of equal CPUs */
	int (*fd)[2];                  /* files of core and package of each CPU; -1: not open */
	unsigned int fds, fds_max;     /* open files and their limit */
};

/* Reads the counts and opens their files.  -ENOENT: the machine has no such counts.  root must outlive m. */
int sm_throttle_open(struct sm_throttle_meter *m, const struct sm_root *root) SM_MUST;
/* Sets the number of events since the last reading: one pread for each file.  -ENODATA: as
 * sm_throttle_between(). */
int sm_throttle_next(struct sm_throttle_meter *m, uint64_t *core_events, uint64_t *package_events) SM_MUST;
/* Like sm_throttle_next(), after CPUs were added or removed: added CPUs count from now on.  After an error
 * other than -ENODATA, m is unchanged. */
int sm_throttle_renew(struct sm_throttle_meter *m, uint64_t *core_events, uint64_t *package_events) SM_MUST;
void sm_throttle_close(struct sm_throttle_meter *m);

#endif
