/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfset: events of the perf window, on all threads of a process (events/perfthreads.h).
 *
 *	user, kernel	PERF_COUNT_SW_PAGE_FAULTS in user mode and in kernel mode (exclude_kernel,
 *			exclude_user): exact, on every architecture, without tracefs
 *	alloc, free	the tracepoints kmem:mm_page_alloc and mm_page_free, in the context of
 *			its threads
 */
#ifndef PAGEMON_PERFSET_H
#define PAGEMON_PERFSET_H

#include "events/perfthreads.h"

enum perf_counter { PERF_FAULTS_USER, PERF_FAULTS_KERNEL, PERF_PAGE_ALLOC, PERF_PAGE_FREE, PERF_COUNTERS };

struct perfset {
	struct sm_perfthreads counter[PERF_COUNTERS];
};

/* Counts since the opening; err: errors of sm_perfthreads_open(), or -ENOENT (no tracefs). */
struct perf_counts {
	uint64_t ns;             /* time of the reading, CLOCK_MONOTONIC */
	int err[PERF_COUNTERS];
	uint64_t count[PERF_COUNTERS];
};

#define PERFSET_INIT { .counter = { SM_PERFTHREADS_INIT, SM_PERFTHREADS_INIT, SM_PERFTHREADS_INIT, \
	SM_PERFTHREADS_INIT } }

/* tracefs_fd: the result of sm_tracefs_open(), which may be an error.  Each counter has its own error. */
void perfset_open(struct perfset *s, const struct sm_root *root, int tracefs_fd, pid_t pid);
void perfset_read(const struct perfset *s, struct perf_counts *out);
void perfset_close(struct perfset *s);

#endif
