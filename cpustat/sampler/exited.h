/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exited: the CPU time of children that started and exited between two samples.
 *
 * When a parent reaps a child, the kernel adds the whole CPU time of the child, and of the children
 * that the child had reaped itself, to the parent's cutime and cstime (/proc/PID/stat, fields 16 and
 * 17).  Their increase since the last sample, less the time that rows have already reported for the
 * reaped processes, was used by children that no sample saw.
 *
 * Example.  make (pid 10) runs gcc (20), which runs cc1 (30).
 *	sample 1: cc1 has used 700 ms and gcc 10 ms; each has a row.
 *	then:     cc1 uses 200 ms more and exits; gcc reaps it, uses 20 ms more and exits; make
 *	          reaps gcc.  make has also run and reaped a sh of 50 ms.
 *	sample 2: make's cutime + cstime grew by 900 + 30 + 50 = 980 ms.  cc1 and gcc have exited:
 *	          rows have reported 700 and 10 ms for them.  gcc, the parent of cc1, has exited as
 *	          well, so the nearest living ancestor of both is make: 980 - 700 - 10 = 270 ms
 *	          are in its row of exited children (200 of cc1, 20 of gcc, 50 of sh).
 *
 * Invariants:
 *  - The time of an exited process is charged only to living ancestors.  If its parent lives, it
 *    is charged to the parent.  Otherwise either the exited parent had reaped it, and the time went up to the
 *    nearest living ancestor; or it became an orphan, which init or a subreaper, also an ancestor,
 *    reaped.  It is charged to the nearest ancestor whose newly reaped time covers it.  If only the times
 *    of all ancestors together cover it, it is divided among them: another orphan with about as much
 *    time was charged to the wrong one.
 *  - An ancestor is charged only when its stat was read after the child had been reaped; until
 *    then the child waits.
 *  - The kernel keeps nanoseconds and prints cutime and cstime rounded down to ticks, so a
 *    value can be late by up to two ticks.  A negative balance of a reaper is kept for the next sample,
 *    limited to two ticks: children of a parent that ignores SIGCHLD are not added to any cutime.
 *  - A process that had reaped before the first sample brings its reaper the amount by which cutime and
 *    cstime were rounded down at their first reading: 0 to two ticks, one on average, which is
 *    subtracted.  Otherwise 20 exiting shells would add 200 ms of a child that never existed.
 *  - The cutime and cstime of a process with a record of a walk are exact (walk.h): nothing of this applies.
 * Times are nanoseconds.  Without memory the functions return -ENOMEM or NULL.
 */
#ifndef CPUSTAT_EXITED_H
#define CPUSTAT_EXITED_H

#include "base/base.h"

struct exited_child {
	pid_t pid, ppid;       /* ppid <= 0: unknown */
	uint32_t age;          /* samples that it has waited for its reaper's stat */
	bool charged;
	uint64_t total_ns;     /* time that rows reported for it and for the children it had reaped */
	uint64_t rounding_ns;  /* expected error of total_ns, not in any row (above) */
};

/* A process that may have reaped since the last sample. */
struct exited_reaper {
	pid_t pid;
	uint32_t task;         /* record number, for the owner */
	uint64_t usr_ns, sys_ns; /* newly reaped time */
	bool exact;            /* this time is exact, not in ticks */
	int64_t ns;            /* part of this time and of the previous balance that is not reported yet */
};

struct exited {
	struct exited_child *v;
	size_t n, cap;
	struct exited_reaper *reapers;
	size_t nreapers, reapers_cap;
};

void exited_fini(struct exited *e);
int exited_add(struct exited *e, pid_t pid, pid_t ppid, uint64_t total_ns) SM_MUST;
/* Returns the reaper's entry of this sample, or NULL.  A new one starts with the balance of the last
 * sample. */
struct exited_reaper *exited_reaper(
	struct exited *e, pid_t pid, uint32_t task, bool exact, int64_t balance_ns);
struct exited_reaper *exited_find(const struct exited *e, pid_t pid);

/* The state of a process that is not among the exited, as exited_settle() needs it. */
enum exited_look {
	EXITED_DEAD,           /* no such process, or a zombie since an earlier sample */
	EXITED_UNREAD,         /* lives; its stat was not read in this sample */
	EXITED_READ,
	EXITED_ZOMBIE,         /* read; a zombie since this sample: it reaped its children or
	                          left them to an ancestor */
};
struct exited_process {
	enum exited_look look;
	pid_t ppid;            /* <= 0: no parent, or unknown */
	uint32_t task;
	bool exact;            /* as in struct exited_reaper */
	int64_t balance_ns;
};
/* Subtracts from each reaper the time that rows have reported for the processes that it reaped. */
void exited_settle(struct exited *e,
	struct exited_process (*look)(void *ctx, pid_t pid), void *ctx, uint64_t tick_ns);
/* Sorts the exited processes for exited_has(). */
void exited_sort(struct exited *e);
/* Returns whether the process has exited in this sample or waits for its reaper's stat. */
bool exited_has(const struct exited *e, pid_t pid);
/* Forgets the reapers; an exited process waits at most three samples for its reaper's stat. */
void exited_next(struct exited *e);

#endif
