/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timerperf: counts timer events of all tasks with perf (perf_event_open(2)) by the rules of timers.h, for
 * machines on which timercount's BPF programs are not allowed.
 *
 * Each CPU has one ring buffer for the records of four tracepoints, one for each event (sample_period 1),
 * and for the records of tasks that are created, are named and exit.  Other users of the tracepoints do not
 * notice this.  sm_timerperf_read() empties the rings; the caller calls it at the latest when a ring is
 * half full, which makes sm_timerperf_fd() readable.  Records without room are counted as lost when the
 * next event of that CPU finds room.  In a PID namespace other than the initial one, the PIDs of perf
 * differ from the PIDs of the tracepoints; names are then read from /proc if it is the host's, and are
 * otherwise unknown.
 *
 * Requires tracefs for IDs and field offsets, and CAP_PERFMON, CAP_SYS_ADMIN or kernel.perf_event_paranoid
 * -1.  Events of a CPU that comes online later are not counted; cpus (cpuwatch.h) lists such CPUs.
 */
#ifndef SM_TIMERPERF_H
#define SM_TIMERPERF_H

#include "events/perf.h"
#include "proc/cpuwatch.h"
#include "timers/timerfeed.h"
#include "timers/timerformat.h"

struct sm_timerperf {
	struct sm_timerfeed feed; /* feed.model contains the counters */
	struct sm_timerformats formats;
	struct sm_perf_ring *ring; /* n rings, one per CPU */
	int (*event)[SM_TIMER_EVENTS];
	unsigned int n;
	struct sm_cpuwatch cpus;  /* open: CPUs with a ring */
	bool own_pids;            /* this process is in the initial PID namespace */
	size_t ring_bytes;        /* size of each ring */
	uint64_t corrupt;         /* invalid rings and records */
};

#define SM_TIMERPERF_RING_BYTES ((size_t)1 << 20) /* 11,000 events; kernel memory */

/*
 * Starts counting with rings of ring_bytes for each CPU, or smaller ones if the limit of locked memory
 * requires it.  root must outlive t.  -ENOENT: no tracefs; -EACCES, -EPERM: not allowed; -EMFILE: five
 * descriptors per CPU are too many.  After an error the caller may only call sm_timerperf_close().
 */
int sm_timerperf_open(struct sm_timerperf *t, const struct sm_root *root, size_t ring_bytes) SM_MUST;
void sm_timerperf_close(struct sm_timerperf *t);
/* Returns the fd to poll for POLLIN; ring < t->n. */
int sm_timerperf_fd(const struct sm_timerperf *t, unsigned int ring);
/* Counts the events so far. */
void sm_timerperf_read(struct sm_timerperf *t);
struct sm_timer_losses sm_timerperf_lost(const struct sm_timerperf *t);

#endif
