/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerperf: counts timer events of all tasks by perf (perf_event_open(2)), by the rules of timers.h, for
 * machines on which timercount's BPF programs are not allowed.
 *
 * Each CPU has one ring, in which the records of four tracepoints come, with each event (sample_period
 * 1), and those of tasks that are made, named and exit.  Nothing is visible to other users of the
 * tracepoints.  The rings are emptied by sm_timerperf_read(), which their user calls at the latest when
 * one is half full: sm_timerperf_fd() is then readable.  What the kernel had no room for is counted as
 * lost, once the next event of that CPU finds room.  In a pid namespace of its own perf has other pids
 * than the tracepoints, so that names are those of /proc, if it is that of the host, or not known.
 *
 * Needs tracefs for ids and field offsets, and CAP_PERFMON, CAP_SYS_ADMIN or kernel.perf_event_paranoid
 * -1.  Events of a CPU that comes online later are not counted; cpus (cpuwatch.h) names such CPUs.
 */
#ifndef SM_TIMERPERF_H
#define SM_TIMERPERF_H

#include "kernel/cpuwatch.h"
#include "kernel/perf.h"
#include "kernel/timerfeed.h"
#include "kernel/timerformat.h"

struct sm_timerperf {
	struct sm_timerfeed feed; /* feed.model has the counters */
	struct sm_timerformats formats;
	struct sm_perf_ring *ring; /* n of them, one per CPU */
	int (*event)[SM_TIMER_EVENTS];
	unsigned int n;
	struct sm_cpuwatch cpus;  /* open: they have a ring */
	bool own_pids;            /* the pids of this process are those of the initial namespace */
	size_t ring_bytes;        /* of each */
	uint64_t corrupt;         /* rings and records that made no sense */
};

#define SM_TIMERPERF_RING_BYTES ((size_t)1 << 20) /* 11,000 events; memory of the kernel */

/*
 * ring_bytes of each CPU; smaller ones where the limit of locked memory wants it.  root lives longer.
 * -ENOENT: no tracefs; -EACCES, -EPERM: not allowed; -EMFILE: five descriptors per CPU are too many.
 * After a failure only sm_timerperf_close() may follow.
 */
int sm_timerperf_open(struct sm_timerperf *t, const struct sm_root *root, size_t ring_bytes) SM_MUST;
void sm_timerperf_close(struct sm_timerperf *t);
/* To poll for POLLIN; ring < t->n. */
int sm_timerperf_fd(const struct sm_timerperf *t, unsigned int ring);
/* Counts what has happened so far. */
void sm_timerperf_read(struct sm_timerperf *t);
struct sm_timer_losses sm_timerperf_lost(const struct sm_timerperf *t);

#endif
