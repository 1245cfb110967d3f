/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf: counts of the events that an instance and its children cause while it runs (perf_event_open(2)).
 *
 * Each instance opens its own counters before the start and reads them at its end, without the supervisor.
 * An event that shares a hardware counter is scaled by the share of time in which it was counted.
 *
 * Closing the last descriptor of a tracepoint takes the kernel 10 ms or more.  The supervisor therefore keeps
 * one descriptor of each event, which counts nothing, until the end of the program.
 */
#ifndef STRESSORS_RUN_PERF_H
#define STRESSORS_RUN_PERF_H

#include "base/base.h"
#include "base/root.h"

#define PERF_EVENTS 28

struct perf_counts {
	uint64_t value[PERF_EVENTS];
	uint64_t enabled_ns[PERF_EVENTS], running_ns[PERF_EVENTS]; /* 0: not counted */
	uint32_t missing; /* bit set: events that could not be counted, although the machine can */
};
_Static_assert(PERF_EVENTS <= 32, "a bit for each event");

struct perf_events {
	uint32_t type[PERF_EVENTS];
	uint64_t config[PERF_EVENTS];
	unsigned int n;
	const char *name[PERF_EVENTS];
	bool user_only;               /* events in kernel mode may not be counted */
	int kept_fd[PERF_EVENTS];     /* disabled descriptors of the supervisor */
};

struct perf_fds {
	int fd[PERF_EVENTS];
};

/* Finds the events that this machine can count, by opening them for this process.  *why: the reason why
 * hardware events, or others that the machine supports, are missing; else "".  -ENOENT: no event can be
 * counted; -EACCES. */
int perf_find(struct perf_events *e, const struct sm_root *root, const char **why) SM_MUST;
/* Called at the end of the program, because it takes the kernel about 0.5 s. */
void perf_close(struct perf_events *e);
/* Opens disabled counters.  Returns 0, or the first error; events that could not be opened are missing. */
int perf_open(const struct perf_events *e, struct perf_fds *f) SM_MUST;
void perf_start(const struct perf_events *e, const struct perf_fds *f);
/* Stops and reads the counters.  The end of the process closes the descriptors. */
int perf_stop(const struct perf_events *e, const struct perf_fds *f,
	struct perf_counts *c) SM_MUST;
/* Adds up the counts of an event; false: no instance counted it, or one could not.  *share: the share of the
 * time in which it was counted. */
bool perf_sum(const struct perf_counts *const *c, size_t n, unsigned int event, double *value,
	double *share) SM_MUST;

#endif
