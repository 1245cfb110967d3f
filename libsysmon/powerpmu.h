/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powerpmu: RAPL energy through the perf "power" PMU, the way without root (CAP_PERFMON, or
 * kernel.perf_event_paranoid <= 0).
 *
 * /sys/bus/event_source/devices/power: type, cpumask (one CPU for each package or die), events/
 * energy-{pkg,cores,ram,gpu,psys} ("event=0x02"), their .scale (joules for a count) and .unit
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-events).  The kernel keeps 64-bit
 * sums: no wraps.
 */
#ifndef SM_POWERPMU_H
#define SM_POWERPMU_H

#include "base.h"
#include "rapl.h"
#include "root.h"

struct sm_powerpmu_domain {
	enum sm_rapl_kind kind;
	char label[32];          /* pkg-0, core-0 ... as rapl's */
	int cpu;                 /* of the cpumask */
	int package;             /* running number of its CPU in the mask */
	bool counted;
	int fd;
	int error;
	double joules;           /* since it was opened */
	uint64_t read_ns;
};

struct sm_powerpmu {
	struct sm_powerpmu_domain *domain;
	double scale[SM_RAPL_OTHER];
	unsigned int n;
	uint32_t type;
};

/* -ENOENT: no such PMU; -EACCES, -EPERM: not allowed. */
int sm_powerpmu_open(struct sm_powerpmu *p, const struct sm_root *root, enum sm_rapl_total rule)
	SM_MUST;
int sm_powerpmu_read(struct sm_powerpmu *p) SM_MUST;
void sm_powerpmu_close(struct sm_powerpmu *p);

#endif
