/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exited: the CPU time of children that started and exited between two samples.
 *
 * When a parent reaps a child, the kernel adds the child's whole CPU time, and that of the
 * children which the child had reaped itself, to the parent's cutime and cstime
 * (/proc/PID/stat, fields 16 and 17).  Their increase since the last sample, less what rows have
 * already reported of the reaped processes, was used by children that no sample saw.
 *
 * Example.  make (pid 10) runs gcc (20), which runs cc1 (30).
 *	sample 1: cc1 has used 700 ms and gcc 10 ms; each has a row.
 *	then:     cc1 uses 200 ms more and exits; gcc reaps it, uses 20 ms more and exits; make
 *	          reaps gcc.  make has also run and reaped a sh of 50 ms.
 *	sample 2: make's cutime + cstime grew by 900 + 30 + 50 = 980 ms.  cc1 and gcc have exited:
 *	          rows have reported 700 and 10 ms of them.  gcc, the parent of cc1, has exited as
 *	          well, so the nearest living ancestor of both is make: 980 - 700 - 10 = 270 ms
 *	          are in its row of exited children (200 of cc1, 20 of gcc, 50 of sh).
 *
 * Invariants:
 *  - The time of an exited process is charged only to living ancestors.  If its parent lives, that is
 *    the parent.  Otherwise either the exited parent had reaped it, and the time went up to the
 *    nearest living ancestor; or it became an orphan, which init or a subreaper, also an ancestor,
 *    reaped.  It is charged to the nearest ancestor whose newly reaped time covers it.  If no single
 *    one does, but all together do, it is divided among them: another orphan with about the same
 *    time was charged to the wrong one.
 *  - An ancestor is charged only when its stat was read after the child had been reaped; until
 *    then the child waits.
 *  - The kernel keeps nanoseconds and prints cutime and cstime rounded down to ticks, so a
 *    figure can be late by up to two ticks.  A reaper's balance below 0 is kept for the next sample
 *    but never below two ticks: children of a parent that ignores SIGCHLD are in no cutime.
 *  - A process that had reaped before the first sample brings its reaper what cutime and cstime were
 *    rounded down by at their first reading: from 0 to two ticks, a tick on average, which is
 *    subtracted.  Otherwise 20 shells that end would be 200 ms of a child that never was.
 * Times are nanoseconds.  Without memory the functions return -ENOMEM or NULL.
 */
#ifndef CPUSTAT_EXITED_H
#define CPUSTAT_EXITED_H

#include "base/base.h"

struct exited_child {
	pid_t pid, ppid;       /* ppid <= 0: unknown */
	uint32_t age;          /* samples that it has waited for its reaper's stat */
	bool charged;
	uint64_t total_ns;     /* what rows reported of it and of the children it had reaped */
	uint64_t rounding_ns;  /* in no row: the expected error of total_ns (above) */
};

/* A process that may have reaped since the last sample. */
struct exited_reaper {
	pid_t pid;
	uint32_t task;         /* the owner's */
	uint64_t usr_ticks, sys_ticks; /* newly reaped */
	int64_t ns;            /* of these and of the previous balance: not reported yet */
};

struct exited {
	struct exited_child *v;
	size_t n, cap;
	struct exited_reaper *reapers;
	size_t nreapers, reapers_cap;
};

void exited_fini(struct exited *e);
int exited_add(struct exited *e, pid_t pid, pid_t ppid, uint64_t total_ns) SM_MUST;
/* The reaper's entry of this sample; a new one starts with the balance of the last sample. */
struct exited_reaper *exited_reaper(
	struct exited *e, pid_t pid, uint32_t task, int64_t balance_ns);
struct exited_reaper *exited_find(const struct exited *e, pid_t pid);

/* What settling needs to know about a process that is not among the exited. */
enum exited_look {
	EXITED_DEAD,           /* no such process, or a zombie since an earlier sample */
	EXITED_UNREAD,         /* lives; its stat was not read in this sample */
	EXITED_READ,
	EXITED_ZOMBIE,         /* read; a zombie since this sample: it reaped its children or
	                          left them to an ancestor */
};
struct exited_process {
	enum exited_look look;
	pid_t ppid;            /* <= 0: none or unknown */
	uint32_t task;
	int64_t balance_ns;
};
/* Subtracts from each reaper what rows have reported of the processes that it reaped. */
void exited_settle(struct exited *e,
	struct exited_process (*look)(void *ctx, pid_t pid), void *ctx, uint64_t tick_ns);
/* Sorts the exited processes for exited_has(). */
void exited_sort(struct exited *e);
/* Has the process exited in this sample, or does it wait for its reaper's stat? */
bool exited_has(const struct exited *e, pid_t pid);
/* Forgets the reapers; an exited process waits at most three samples for its reaper's stat. */
void exited_next(struct exited *e);

#endif
