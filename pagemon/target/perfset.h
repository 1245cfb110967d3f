/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfset: perf events (perf_event_open(2)) on all current and future threads of a process.
 *
 *	user, kernel	PERF_COUNT_SW_PAGE_FAULTS in user mode and in kernel mode (exclude_kernel,
 *			exclude_user): exact, on every architecture, without tracefs
 *	alloc, free	the tracepoints kmem:mm_page_alloc and mm_page_free, in the context of
 *			its threads
 *
 * An event is opened on each thread of /proc/PID/task with inherit, so it also counts in threads that this
 * thread starts later, and keeps the counts of exited threads.  Before Linux 5.13 (inherit_thread), it also
 * counts in child processes.
 *
 * A thread that starts between listing and opening may or may not have inherited the event, and this cannot
 * be detected.  Therefore the list is read again; if there are new threads, the counter's events are opened
 * again, for up to PERFSET_NS; after that, some threads may be missing.  Opening the first event of a kind
 * and closing the last one take 20 to 100 ms, so a disabled event on the caller stays open as a guard.
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
	int guard[PERF_COUNTERS];      /* events on the caller; -1: not open */
};

#define PERFSET_INIT { .guard = { -1, -1, -1, -1 } }

/* tracefs_fd: the result of sm_tracefs_open(), which may be an error.  Returns 0 even if every counter has
 * an error.  -ENOMEM; -ESRCH: no such process. */
int perfset_open(struct perfset *s, const struct sm_root *root, int tracefs_fd, pid_t pid) SM_MUST;
/* Reads the sum over all threads since the opening.  Returns the counter's error, or an error of read(2). */
int perfset_read(const struct perfset *s, enum perf_counter c, uint64_t *out) SM_MUST;
/* Closes the counter's events and sets its error. */
void perfset_drop(struct perfset *s, enum perf_counter c, int err);
void perfset_close(struct perfset *s);

#endif
