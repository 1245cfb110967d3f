/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfset: perf events (perf_event_open(2)) on all threads of a process, present and future.
 *
 *	user, kernel	PERF_COUNT_SW_PAGE_FAULTS of user mode and of kernel mode (exclude_kernel,
 *			exclude_user): exact, on every architecture, without tracefs
 *	alloc, free	the tracepoints kmem:mm_page_alloc and mm_page_free, in the context of
 *			its threads
 *
 * An event is opened on each thread of /proc/PID/task with inherit, so it also counts in the threads
 * that this thread starts later, and keeps the counts of those that have exited; from Linux 5.13 on
 * not in child processes (inherit_thread), before in these too.
 *
 * A thread that starts between listing and opening may have inherited the event or not, which nothing
 * tells: the list is read again, and when there are new threads the counter's events are opened anew,
 * for up to PERFSET_NS.  What is slow is the first event of a kind, and the last one to be closed (20
 * to 100 ms): one of the caller's own, which counts nothing, is open all the while.
 *
 * Each counter has its own error: -EACCES or -EPERM (perf_event_paranoid, no CAP_PERFMON), -ENOENT (no
 * tracefs), -EMFILE (too many threads), -ESRCH.
 */
#ifndef PAGEMON_PERFSET_H
#define PAGEMON_PERFSET_H

#include "base/base.h"
#include "kernel/root.h"

enum perf_counter { PERF_FAULTS_USER, PERF_FAULTS_KERNEL, PERF_PAGE_ALLOC, PERF_PAGE_FREE, PERF_COUNTERS };

#define PERFSET_NS (SM_NSEC_PER_SEC / 4)

struct perfset {
	int *fd[PERF_COUNTERS];        /* one per thread */
	size_t n[PERF_COUNTERS], cap[PERF_COUNTERS];
	int err[PERF_COUNTERS];        /* 0: it counts; otherwise it has no descriptors */
	bool children;                 /* child processes are counted, too */
	bool gaps;                     /* threads started during each try of some counter: those of the
				        * last one may be missing */
	int guard[PERF_COUNTERS];      /* the caller's own events; -1: none */
};

#define PERFSET_INIT { .guard = { -1, -1, -1, -1 } }

/* tracefs_fd: the result of sm_tracefs_open(), also an error.  0 also when every counter has an error.
 * -ENOMEM; -ESRCH: no such process. */
int perfset_open(struct perfset *s, const struct sm_root *root, int tracefs_fd, pid_t pid) SM_MUST;
/* The sum over all threads since the opening.  The counter's error, or one of read(2). */
int perfset_read(const struct perfset *s, enum perf_counter c, uint64_t *out) SM_MUST;
/* This counter does not count, for this reason; 0: none of its events is open. */
void perfset_drop(struct perfset *s, enum perf_counter c, int err);
void perfset_close(struct perfset *s);

#endif
