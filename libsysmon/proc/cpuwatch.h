/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuwatch: the CPUs that came online after the start of a run, from /sys/devices/system/cpu/online.
 *
 * A perf event of a CPU requires privileges to open, and ends when its CPU goes offline.  After the drop of
 * privileges, events of a CPU that comes online, for the first time or again, cannot be opened and are
 * missed.  A CPU that comes and goes between two readings of the list is not detected.
 */
#ifndef SM_CPUWATCH_H
#define SM_CPUWATCH_H

#include "base/buf.h"
#include "proc/cpulist.h"

struct sm_cpuwatch {
	struct sm_cpulist list;  /* last reading */
	bool *open;              /* by CPU number, `cpus` elements: online since the start */
	unsigned int cpus;
	bool *missed;            /* by CPU number, `seen` elements: online later, not since the start */
	size_t seen, cap;
	unsigned int n;          /* CPUs that are missed */
};

#define SM_CPUWATCH_INIT {.list = SM_CPULIST_INIT}

/* Marks the CPUs that are online now in w->open.  Returns their number, or -errno; then the caller may only
 * call sm_cpuwatch_close(). */
int sm_cpuwatch_open(struct sm_cpuwatch *w, const struct sm_root *root) SM_MUST;
/* Reads the list of online CPUs and updates open and missed, which are unchanged after an error. */
int sm_cpuwatch_look(struct sm_cpuwatch *w) SM_MUST;
/* Appends the numbers of the CPUs that were missed: "1,3". */
void sm_cpuwatch_put(const struct sm_cpuwatch *w, struct sm_buf *text);
void sm_cpuwatch_close(struct sm_cpuwatch *w);

#endif
