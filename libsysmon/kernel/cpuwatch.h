/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuwatch: the CPUs that came online after the start of a run, by /sys/devices/system/cpu/online.
 *
 * A perf event of a CPU is opened with privileges, and ends when its CPU goes offline.  After the drop a
 * CPU that comes online, for the first time or again, cannot be opened: its events are missed.  What comes
 * and goes between two looks is not seen.
 */
#ifndef SM_CPUWATCH_H
#define SM_CPUWATCH_H

#include "base/buf.h"
#include "kernel/cpulist.h"

struct sm_cpuwatch {
	struct sm_cpulist list;  /* of the last look */
	bool *open;              /* cpus of them: online since the start */
	unsigned int cpus;
	bool *missed;            /* seen of them: online in a look, but not since the start */
	size_t seen, cap;
	unsigned int n;          /* how many are missed */
};

#define SM_CPUWATCH_INIT {.list = SM_CPULIST_INIT}

/* Takes the CPUs that are online now, which w->open then has.  How many they are, or -errno; then only
 * sm_cpuwatch_close() may follow. */
int sm_cpuwatch_open(struct sm_cpuwatch *w, const struct sm_root *root) SM_MUST;
/* Looks which CPUs are online.  0, or -errno: nothing is known of this look. */
int sm_cpuwatch_look(struct sm_cpuwatch *w) SM_MUST;
/* Appends the numbers of those that were missed: "1,3". */
void sm_cpuwatch_put(const struct sm_cpuwatch *w, struct sm_buf *text);
void sm_cpuwatch_close(struct sm_cpuwatch *w);

#endif
