/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pidlist: the list of all processes, sorted by pid, 33 bytes each.
 *
 * New processes are found without a scan of /proc: the last field of /proc/loadavg is the newest
 * pid.  If it is unchanged, no process was created.  Otherwise only the pids in between are probed,
 * by their CPU clock, which only the leader of an existing thread group has.  A pid is allocated
 * before its process can be found (fork is not complete yet), so the newest ones are probed again
 * the next time.  /proc is scanned (getdents64) at the start, every 16th sample, when many more pids
 * were allocated than processes exist, and always if the clocks or a true loadavg are unavailable
 * (--root, a foreign pid namespace, lxcfs).
 */
#ifndef CPUSTAT_PIDLIST_H
#define CPUSTAT_PIDLIST_H

#include "base/file.h"
#include "base/root.h"
#include "proc/procstat.h"

/* ppid of a process whose stat was not read at the start. */
#define PIDLIST_UNREAD (-1)

struct pidlist {
	const struct sm_root *root;
	bool clocks;           /* CPU clocks can be read */
	/* Parallel arrays, ascending by pid. */
	pid_t *pid;            /* negative: exited, until pidlist_sweep() */
	uint64_t *ns;          /* CPU time at the last reading */
	uint32_t *task;        /* record number, for the owner; 0 = no record */
	pid_t *ppid;           /* at the last reading; 0 = no parent, or not read yet */
	uint64_t *child_ns;    /* cutime + cstime at the last reading; valid with ppid */
	uint32_t *record;      /* in the last walk (walk.h), plus 1; 0 = no record */
	bool *had_children;    /* it had reaped before the first sample: cutime was rounded down */
	size_t n, cap;

	pid_t *created;        /* new processes, ascending, not yet in the list */
	size_t ncreated, created_cap;
	pid_t *scan;           /* pids found by a scan */
	size_t nscan, scan_cap;
	struct sm_file loadavg;
	struct sm_loadavg load;
	bool load_read;        /* the last pidlist_created() has read load */
	bool have_loadavg;     /* loadavg is from a real procfs of this PID namespace */
	pid_t last_pid;
	uint32_t again;        /* number of pids up to last_pid to probe again */
	uint32_t pid_max;
	unsigned int since_scan;
	bool fixed;            /* the list has only the PIDs of pidlist_only() */
	bool rescan;           /* the next pidlist_created() scans */
};

int pidlist_open(struct pidlist *l, const struct sm_root *root, bool clocks) SM_MUST;
void pidlist_close(struct pidlist *l);
/* Restricts the list to these pids. */
int pidlist_only(struct pidlist *l, const uint32_t *pids, size_t n) SM_MUST;
/* Finds new processes and fills created[].  Without clocks, missing() is called for each entry of the list
 * that a scan did not find.  Returns 0 or -errno. */
int pidlist_created(struct pidlist *l, void (*missing)(void *ctx, size_t i), void *ctx) SM_MUST;
/* Adds a process to created[].  Returns 0 or -ENOMEM. */
int pidlist_add(struct pidlist *l, pid_t pid) SM_MUST;
/* Sorts created[] and merges it into the list; the other fields of new entries are 0.  Returns 0 or
 * -ENOMEM. */
int pidlist_admit(struct pidlist *l) SM_MUST;
/* Marks the process of entry i as exited: the entry keeps its place but is no longer found. */
static inline void pidlist_exited(struct pidlist *l, size_t i)
{
	l->pid[i] = -l->pid[i];
}
/* Removes the entries whose processes have exited. */
void pidlist_sweep(struct pidlist *l);
/* Returns the index of an existing process, or -1. */
ssize_t pidlist_find(const struct pidlist *l, pid_t pid);

#endif
