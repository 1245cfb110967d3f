/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exitcpu: the CPU time of processes that exited, for the statistics (-S).
 *
 * It comes from the records of events/taskexit.  These are exact, but arrive only after the exit event,
 * when the parent has reaped the process.  Until then there is an entry for each process, by pid.  If
 * the pid was reused, a record belongs to the process of the entry if it starts before that process
 * ended.  The CPU time of processes without a record at the end of the run is unknown.  The sum of a
 * program is unknown, not 0, if the time of all its processes is unknown.
 */
#ifndef FORKSTAT_EXITCPU_H
#define FORKSTAT_EXITCPU_H

#include "base/map.h"
#include "events/taskexit.h"
#include "proc/tasktable.h"

/* Sums over the exited processes of one program. */
struct exitcpu_sum {
	uint64_t ended, known; /* processes */
	uint64_t ns;           /* CPU time of the known ones */
};

struct exitcpu {
	bool open;
	int err;                          /* reason if not open; if open, -ENOMEM: a time was lost */
	struct sm_taskexit program;
	struct sm_map waiting;            /* pid -> struct exitcpu_wait */
	struct sm_taskexit_record *early; /* records that were read and not settled yet */
	size_t n, cap;
	struct exitcpu_sum all;
};

/* Returns 0 or -ENOMEM.  If BPF cannot be used, x->err has the reason and all times are unknown. */
int exitcpu_open(struct exitcpu *x, const struct sm_root *root) SM_MUST;
void exitcpu_close(struct exitcpu *x);
/* Adds the process of this leader, which ended at end_ns (CLOCK_BOOTTIME), to *sum, which must remain valid
 * until x is closed. */
void exitcpu_ended(struct exitcpu *x, const struct sm_task *p, uint64_t end_ns, struct exitcpu_sum *sum);
/* Reads the available records.  Must be called before the exit events are read, so that the events of these
 * records are applied when exitcpu_settle() is called. */
void exitcpu_read(struct exitcpu *x);
/* Adds one record. */
void exitcpu_record(void *exitcpu, const struct sm_taskexit_record *r);
/* Adds the records that exitcpu_read() has read to the sums.  Must be called after all available events
 * were applied. */
void exitcpu_settle(struct exitcpu *x);
/* Is a record expected soon after now_ns (CLOCK_BOOTTIME)?  Returns false a second after the last exit. */
bool exitcpu_outstanding(const struct exitcpu *x, uint64_t now_ns);

#endif
