/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfgroup: a few events of perf_event_open(2) that are counted together, for one task or one CPU.
 *
 * All events of a group are on the counters at the same time or not at all, so that their ratios are exact
 * (PERF_FORMAT_GROUP).  If other groups compete for the counters, this group counts only for time_running
 * of its time_enabled; sm_perfgroup_delta() scales differences up by this ratio.  A group is opened once
 * and read with one system call.  Times are in nanoseconds.
 */
#ifndef SM_PERFGROUP_H
#define SM_PERFGROUP_H

#include "base/base.h"
#include "base/root.h"

#define SM_PERFGROUP_MAX 4u

struct sm_perfgroup_event {
	uint32_t type;   /* PERF_TYPE_HARDWARE ... */
	uint64_t config;
};

struct sm_perfgroup {
	int fd[SM_PERFGROUP_MAX];  /* -errno: this event cannot be counted here */
	unsigned int n;
	bool user_only;            /* user mode only, because perf_event_paranoid is 2 */
};

struct sm_perfgroup_values {
	uint64_t enabled_ns, running_ns;
	uint64_t value[SM_PERFGROUP_MAX]; /* by number of the event; 0 if it cannot be counted */
};

/* Opens a group.  pid 0: this task; pid -1: all tasks of a CPU; cpu -1: any CPU.  The first event is
 * required, others may be missing.  -ENOENT, -EOPNOTSUPP: the machine does not count the first event;
 * -EACCES, -EPERM. */
int sm_perfgroup_open(struct sm_perfgroup *g, const struct sm_perfgroup_event *e, unsigned int n,
	pid_t pid, int cpu) SM_MUST;
int sm_perfgroup_read(const struct sm_perfgroup *g, struct sm_perfgroup_values *v) SM_MUST;
void sm_perfgroup_close(struct sm_perfgroup *g);
/* True if the group counts the event. */
static inline bool sm_perfgroup_has(const struct sm_perfgroup *g, unsigned int event)
{
	return event < g->n && g->fd[event] >= 0;
}

/* Computes the scaled count of an event between two readings.  -ENODATA: the group was not on the counters in
 * that time, or `now` is not the later reading. */
int sm_perfgroup_delta(const struct sm_perfgroup_values *now,
	const struct sm_perfgroup_values *before, unsigned int event, double *out) SM_MUST;

/*
 * Finds the type of the PMU of a CPU, whose list /sys/bus/event_source/devices/NAME/cpus contains the CPU;
 * -ENOENT: there is no such list.  On a machine with different kinds of CPUs (cpu_core and cpu_atom,
 * big.LITTLE), each kind has its own PMU, and PERF_TYPE_HARDWARE selects one of them.
 */
int sm_perfgroup_pmu_type(const struct sm_root *root, unsigned int cpu, uint32_t *type) SM_MUST;
/* Assigns the PERF_TYPE_HARDWARE events to that PMU (Linux 5.13); others are unchanged. */
void sm_perfgroup_of_pmu(struct sm_perfgroup_event *e, unsigned int n, uint32_t type);

#endif
