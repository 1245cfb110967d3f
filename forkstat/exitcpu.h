/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exitcpu: the CPU time of processes that ended, for the statistics (-S).
 *
 * It comes from the records of kernel/taskexit, which are exact but late: after the exit event, when
 * the parent has waited for the process.  So a process that ended waits here for its record, by pid.
 * Where the pid was used again, the record is of the process that waits if it started before that one
 * ended.  Processes without a record at the end of the run are counted as not known; the sum of a
 * program of which no process is known is not 0, but not known.
 *
 * One entry per pid; used entries are kept for later processes.
 */
#ifndef FORKSTAT_EXITCPU_H
#define FORKSTAT_EXITCPU_H

#include "base/map.h"
#include "kernel/taskexit.h"
#include "kernel/tasktable.h"

/* Of the processes of one program that ended. */
struct exitcpu_sum {
	uint64_t ended, known; /* processes */
	uint64_t ns;           /* CPU time of those known */
};

struct exitcpu {
	bool open;
	int err;                          /* why not; when open, -ENOMEM: a time was lost */
	struct sm_taskexit program;
	struct sm_map waiting;            /* pid -> struct exitcpu_wait */
	struct exitcpu_wait *free;
	struct sm_taskexit_record *early; /* read, to be settled */
	size_t n, cap;
	struct exitcpu_sum all;
};

/* 0 or -ENOMEM.  Where BPF cannot be used, *x has the reason and nothing is known. */
int exitcpu_open(struct exitcpu *x, const struct sm_root *root) SM_MUST;
void exitcpu_close(struct exitcpu *x);
/* The process of this leader ended at end_ns (CLOCK_BOOTTIME).  It is to be added to *sum, which stays
 * where it is until x is closed. */
void exitcpu_ended(struct exitcpu *x, const struct sm_task *p, uint64_t end_ns, struct exitcpu_sum *sum);
/* Before the exit events are read: takes the records that there are.  Their events are then among
 * those that exitcpu_settle() finds applied. */
void exitcpu_read(struct exitcpu *x);
/* One record. */
void exitcpu_record(struct exitcpu *x, const struct sm_taskexit_record *r);
/* After all events were applied that had come: adds up the records taken before. */
void exitcpu_settle(struct exitcpu *x);
/* At now_ns (CLOCK_BOOTTIME): is a record to come soon?  False a second after the last end. */
bool exitcpu_outstanding(const struct exitcpu *x, uint64_t now_ns);

#endif
