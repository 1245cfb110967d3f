/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powerpmu: RAPL energy through the perf "power" PMU, the way without root (CAP_PERFMON, or
 * kernel.perf_event_paranoid <= 0).
 *
 * /sys/bus/event_source/devices/power: type, cpumask (one CPU for each package or die), events/
 * energy-{pkg,cores,ram,gpu,psys} ("event=0x02"), their .scale (joules for a count) and .unit
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-events).  Packages and dies are
 * those of the CPU's topology.  The kernel keeps 64-bit sums: no wraps.
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
	int package;             /* of that CPU; where unknown, its running number in the mask */
	int die;                 /* -1: the package has but one CPU in the mask */
	bool counted;            /* in the total, also while it cannot be read (error) */
	int fd;                  /* -1: could not be opened */
	int error;               /* -errno of the last opening or reading; 0: fine */
	uint64_t count;          /* since it was opened, times scale[kind]: */
	double joules;
	uint64_t read_ns;        /* CLOCK_MONOTONIC of the last good reading */
};

struct sm_powerpmu {
	struct sm_powerpmu_domain *domain; /* sorted as rapl's zones */
	double scale[SM_RAPL_OTHER];       /* joules for a count; 0: no such event */
	unsigned int n;
	unsigned int counted;
	uint32_t type;
};

/* -ENOENT: no such PMU, or none of its events; -EACCES, -EPERM: not allowed.  0 when at least
 * one event was opened. */
int sm_powerpmu_open(struct sm_powerpmu *p, const struct sm_root *root, enum sm_rapl_total rule)
	SM_MUST;
/* One read for each domain.  How many gave a value; -ENODEV: none of the counted ones. */
int sm_powerpmu_read(struct sm_powerpmu *p) SM_MUST;
void sm_powerpmu_close(struct sm_powerpmu *p);

/* "2.3283064365386962890625e-10", whatever the locale; trailing newline allowed.  -EINVAL: not
 * a number above 0. */
int sm_powerpmu_parse_scale(const char *s, size_t n, double *out) SM_MUST;
/* "event=0x02" */
int sm_powerpmu_parse_event(const char *s, size_t n, uint64_t *out) SM_MUST;

#endif
