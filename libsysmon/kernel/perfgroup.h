/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfgroup: a few events of perf_event_open(2) that are counted together, of one task or one CPU.
 *
 * All events of a group are on the counters at the same time or not at all, so that their ratios are
 * true (PERF_FORMAT_GROUP).  If other groups compete for the counters, this one counts only for
 * time_running of its time_enabled: differences are scaled up by that ratio (sm_perfgroup_delta()).
 * Opened once and read by one system call.  Times in nanoseconds.
 */
#ifndef SM_PERFGROUP_H
#define SM_PERFGROUP_H

#include "base/base.h"
#include "kernel/root.h"

#define SM_PERFGROUP_MAX 4u

struct sm_perfgroup_event {
	uint32_t type;   /* PERF_TYPE_HARDWARE ... */
	uint64_t config;
};

struct sm_perfgroup {
	int fd[SM_PERFGROUP_MAX];  /* -errno: this event cannot be counted here */
	unsigned int n;
	bool user_only;            /* without the kernel's part: perf_event_paranoid is 2 */
};

struct sm_perfgroup_values {
	uint64_t enabled_ns, running_ns;
	uint64_t value[SM_PERFGROUP_MAX]; /* by number of the event; 0 where it cannot be counted */
};

/* pid 0: this task; pid -1: all of a cpu; cpu -1: wherever it runs.  The first event must be there,
 * others may be missing.  -ENOENT, -EOPNOTSUPP: the machine does not count it; -EACCES, -EPERM. */
int sm_perfgroup_open(struct sm_perfgroup *g, const struct sm_perfgroup_event *e, unsigned int n,
	pid_t pid, int cpu) SM_MUST;
int sm_perfgroup_read(const struct sm_perfgroup *g, struct sm_perfgroup_values *v) SM_MUST;
void sm_perfgroup_close(struct sm_perfgroup *g);
/* Does it count the event? */
static inline bool sm_perfgroup_has(const struct sm_perfgroup *g, unsigned int event)
{
	return event < g->n && g->fd[event] >= 0;
}

/* What an event counted between two readings, scaled.  -ENODATA: the group was not on the counters at
 * all in that time, or is not of later date. */
int sm_perfgroup_delta(const struct sm_perfgroup_values *now,
	const struct sm_perfgroup_values *before, unsigned int event, double *out) SM_MUST;

/*
 * On a machine with unlike CPUs (cpu_core and cpu_atom, big.LITTLE) each kind has a PMU of its own, and
 * PERF_TYPE_HARDWARE means one of them.  The type of the PMU whose list
 * /sys/bus/event_source/devices/NAME/cpus has the cpu; -ENOENT: there are no such lists.
 */
int sm_perfgroup_pmu_type(const struct sm_root *root, unsigned int cpu, uint32_t *type) SM_MUST;
/* PERF_TYPE_HARDWARE events of that PMU (Linux 5.13); others stay. */
void sm_perfgroup_of_pmu(struct sm_perfgroup_event *e, unsigned int n, uint32_t type);

#endif
