/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live: which processes there are, sorted by pid, 24 bytes each.
 *
 * Births are found without looking through /proc: the last field of /proc/loadavg is the newest
 * pid.  Unchanged: nothing was born.  Changed: just the pids in between are tried, by their CPU
 * clock, which only the leader of a live thread group has.  A pid is given out before its process
 * can be found (its fork is not done yet), so the newest ones are tried again at the next look.
 * A whole scan (getdents64) is made at the start, every 16th sample, when many more pids passed
 * than there are processes, and always where the clocks or a true loadavg cannot be had (--root,
 * a foreign pid namespace, lxcfs).
 */
#ifndef CS_LIVE_H
#define CS_LIVE_H

#include "file.h"
#include "root.h"

struct live {
	const struct sm_root *root;
	bool clocks;           /* CPU clocks can be read */
	/* Parallel arrays, ascending by pid. */
	pid_t *pid;            /* negative: has gone, until live_sweep() */
	uint64_t *ns;          /* CPU time at the last reading */
	uint32_t *task;        /* the owner's: 0 = none */
	pid_t *ppid;           /* at the last look; 0 = not known yet */
	uint32_t *child_ticks; /* cutime + cstime at the last look; valid with ppid */
	size_t n, cap;

	pid_t *born;           /* pids of the last live_births(), ascending, not yet in the list */
	size_t nborn, born_cap;
	pid_t *scan;           /* what a scan found */
	size_t nscan, scan_cap;
	struct sm_file loadavg;
	bool have_loadavg;     /* true, of a real procfs of our pid namespace */
	pid_t last_pid;
	uint32_t again;        /* so many pids up to last_pid are tried again */
	uint32_t pid_max;
	unsigned int since_scan;
	bool fixed;            /* only the pids of live_only() */
	bool rescan;           /* the next look is a whole scan */
};

int live_open(struct live *l, const struct sm_root *root, bool clocks) SM_MUST;
void live_close(struct live *l);
/* Watch these pids and no other. */
int live_only(struct live *l, const uint32_t *pids, size_t n) SM_MUST;
/* Finds what was born: fills born[].  After a whole scan *gone is called for each pid of the list
 * that was not seen, where the clocks cannot tell.  0 or -errno. */
int live_births(struct live *l, void (*gone)(void *ctx, size_t i), void *ctx) SM_MUST;
/* Merges born[] into the list, with zeroes.  -ENOMEM. */
int live_admit(struct live *l) SM_MUST;
/* Entry i has gone; it keeps its place, and is found no more. */
static inline void live_bury(struct live *l, size_t i)
{
	l->pid[i] = -l->pid[i];
}
/* Takes out the entries that have gone. */
void live_sweep(struct live *l);
/* Index of a pid that lives, or -1. */
ssize_t live_find(const struct live *l, pid_t pid);

#endif
