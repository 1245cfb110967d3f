/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exited: the CPU time of children that lived and died between two samples.
 *
 * When a child is reaped its whole CPU time, and that of the children it had reaped itself, goes
 * into its parent's cutime and cstime (/proc/PID/stat, fields 16 and 17).  What went in there
 * since the last look, less what was shown in rows of the children's own, is the time of
 * children that nobody saw.  Reaping costs the parent CPU, so its stat is read anyway.
 *
 * The kernel keeps nanoseconds and prints them floored to ticks of 10 ms: a figure can be late by
 * up to two ticks, which do not add up.  Children whose parent ignores SIGCHLD are in nobody's
 * cutime: they stay unaccounted.
 */
#ifndef CS_EXITED_H
#define CS_EXITED_H

#include "base.h"

/* A process that has gone, with all that its parent's cutime has got for it. */
struct exited_gone {
	pid_t pid, ppid;       /* ppid 0: not known */
	uint32_t age;          /* samples that it waited for its parent's stat */
	bool homeless;         /* nobody is known who has its time */
	uint64_t total_ns;     /* own and of the children it had reaped */
};

/* A process whose cutime or cstime grew. */
struct exited_reaper {
	pid_t pid;
	uint32_t task;         /* the owner's; 0 when made by exited_settle() */
	uint64_t usr_ticks, sys_ticks; /* newly reaped */
	int64_t ns;            /* of it, not shown before */
	int64_t indirect_ns;   /* subtracted for descendants whose own parent has gone */
};

struct exited {
	struct exited_gone *gone;
	size_t ngone, gone_cap;
	struct exited_reaper *reapers;
	size_t nreapers, reapers_cap;
};

void exited_fini(struct exited *e);
int exited_add_gone(struct exited *e, pid_t pid, pid_t ppid, uint64_t total_ns) SM_MUST;
/* The reaper's entry of this sample, made if there is none; NULL without memory. */
struct exited_reaper *exited_reaper(struct exited *e, pid_t pid, uint32_t task);
struct exited_reaper *exited_find(const struct exited *e, pid_t pid);

/* What settling needs to know about a process that may have reaped. */
enum exited_look {
	EXITED_DEAD,           /* no such process (any more), or one that reaps no more */
	EXITED_UNREAD,         /* lives; its stat was not read in this sample */
	EXITED_READ,
	EXITED_BASED,          /* read; what it has reaped before this sample is not known */
};
/* Subtracts from each reaper what its gone children had shown.  look() tells about a pid;
 * cap_ns is the most CPU time that can have been used since the sample before; room_ns what the
 * machine says was used beyond the rows of tasks (INT64_MAX: not known).  Time whose reaper is not
 * known is taken from somebody only where the sum would else be more than that. */
void exited_settle(struct exited *e, enum exited_look (*look)(void *ctx, pid_t pid), void *ctx,
	uint64_t tick_ns, uint64_t cap_ns, int64_t room_ns);
/* After settling: has it gone in this sample or lately? */
bool exited_has_gone(const struct exited *e, pid_t pid);
/* Forgets the reapers; gone ones wait for their parent at most three samples. */
void exited_next(struct exited *e);

#endif
