/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfthreads: an event of perf_event_open(2) on all current and future threads of a process.
 *
 * The event is opened on each thread of /proc/PID/task with inherit, so it also counts in threads that this
 * thread starts later, and keeps the counts of exited threads.  Before Linux 5.13 (inherit_thread), it also
 * counts in child processes.
 *
 * A thread that starts between listing and opening may or may not have inherited the event, and this cannot
 * be detected.  Therefore the list is read again; if there are new threads, the event is opened again, for
 * up to SM_PERFTHREADS_NS; after that, some threads may be missing.  Opening the first event of a kind and
 * closing the last one take 20 to 100 ms, so a disabled event on the caller stays open as a guard.
 */
#ifndef SM_PERFTHREADS_H
#define SM_PERFTHREADS_H

#include <errno.h>
#include <linux/perf_event.h>
#include "base/base.h"
#include "base/root.h"

#define SM_PERFTHREADS_NS (SM_NSEC_PER_SEC / 4)

struct sm_perfthreads {
	int *fd;         /* one per thread */
	size_t n, cap;
	int guard;       /* event on the caller; -1: not open */
	int err;         /* 0: the event counts; otherwise nothing is open */
};

#define SM_PERFTHREADS_INIT { .guard = -1, .err = -ENODATA }

/* Opens the event of a, in which size and inherit are set here.  Returns 0 or p->err: -EACCES or -EPERM
 * (perf_event_paranoid, no CAP_PERFMON), -EMFILE (too many threads), -ESRCH, -ENOMEM. */
int sm_perfthreads_open(struct sm_perfthreads *p, const struct sm_root *root, pid_t pid,
	const struct perf_event_attr *a) SM_MUST;
/* Reads the sum over all threads since the opening.  Returns 0, p->err, or an error of read(2). */
int sm_perfthreads_read(const struct sm_perfthreads *p, uint64_t *out) SM_MUST;
void sm_perfthreads_close(struct sm_perfthreads *p);

#endif
