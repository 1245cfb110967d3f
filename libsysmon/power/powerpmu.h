/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powerpmu: RAPL energy from the perf "power" PMU, which needs CAP_PERFMON or
 * kernel.perf_event_paranoid <= 0 instead of root.
 *
 * /sys/bus/event_source/devices/power: type, cpumask (one CPU for each package or die), events/
 * energy-{pkg,cores,ram,gpu,psys} ("event=0x02"), their .scale (joules per count) and .unit
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-events).  Packages and dies are
 * read from the CPU's topology.  The kernel keeps 64-bit sums, which do not wrap.
 *
 * Sums start at 0 at the opening; rapl_counter.h describes the rules for glitches and for counters that
 * do not advance.  Two dies of a package repeat one counter if their sums and their last steps are
 * equal within the time of an update; the second is then not included in the total.
 */
#ifndef SM_POWERPMU_H
#define SM_POWERPMU_H

#include "base/base.h"
#include "power/rapl_zones.h"
#include "base/root.h"

struct sm_powerpmu_domain {
	enum sm_rapl_kind kind;
	char label[32];          /* pkg-0, core-0 ... as in rapl_zones.h */
	int cpu;                 /* CPU of the cpumask */
	int package;             /* package of this CPU; if unknown, its index in the mask */
	int die;                 /* -1: the package has only one CPU in the mask */
	bool asked;              /* selected by enum sm_rapl_total */
	bool mirror;             /* repeats the counter of another die of its package */
	bool counted;            /* in the total, even while unreadable: asked, not a mirror, and
	                            it has advanced */
	struct sm_rapl_counter counter; /* its raw is the energy since the opening */
	struct sm_rapl_sums sums;
};

struct sm_powerpmu {
	struct sm_powerpmu_domain *domain; /* in the order of rapl_zones.h */
	double scale[SM_RAPL_OTHER];       /* joules per count; 0: there is no such event */
	unsigned int n;
	unsigned int counted;
	uint32_t type;
};

/* Returns 0 if at least one event was opened; -ENOENT: no such PMU or event; -EACCES, -EPERM. */
int sm_powerpmu_open(struct sm_powerpmu *p, const struct sm_root *root, enum sm_rapl_total rule)
	SM_MUST;
/* Reads each domain by one call.  Returns the number of values; -ENODEV: no counted domain can be
 * read. */
int sm_powerpmu_read(struct sm_powerpmu *p) SM_MUST;
/* The time since the last reading is not counted. */
void sm_powerpmu_rebase(struct sm_powerpmu *p);
void sm_powerpmu_close(struct sm_powerpmu *p);

/* Parses "2.3283064365386962890625e-10" in any locale; a trailing newline is allowed.  -EINVAL: not a
 * number above 0. */
int sm_powerpmu_parse_scale(const char *s, size_t n, double *out) SM_MUST;
/* Parses "event=0x02". */
int sm_powerpmu_parse_event(const char *s, size_t n, uint64_t *out) SM_MUST;

#endif
