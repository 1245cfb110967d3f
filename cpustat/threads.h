/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads: CPU and run-queue time of each thread of a process that ran (options -H and -W).
 *
 * /proc/PID/task/TID/schedstat has both in nanoseconds; where the kernel keeps no such
 * figures, CPU time is that of stat, in ticks, and there is no waiting time.
 */
#ifndef CS_THREADS_H
#define CS_THREADS_H

#include "procpid.h"

struct thread {
	pid_t tid;
	bool fresh, seen;      /* first seen in this reading; still there */
	bool have_wait;
	char state;
	uint8_t comm_len;
	char comm[SM_PIDSTAT_COMM_MAX + 1];
	int cpu;
	uint64_t start_ticks;
	uint64_t ns, wait_ns;  /* since its birth */
	uint64_t utime_ticks, stime_ticks;
	/* Since the reading before; of a thread first seen: its whole life if `born`. */
	uint64_t used_ns, waited_ns;
	uint64_t usr_ticks, sys_ticks;
};

struct threads {
	struct thread *v;      /* ascending by tid */
	size_t n, cap;
	int64_t carry_ns;      /* what threads showed before their process's clock did */
};

void threads_free(struct threads *t);
/* Reads them all.  whole: the process was born since the reading before (or there is none that
 * reading before), so first-seen threads count whole; otherwise those that started at
 * since_ticks or later do, older ones count from now on.  want_stat: names, states, CPUs. */
int threads_read(struct threads **t, const struct sm_root *root, pid_t pid, bool whole,
	uint64_t since_ticks, uint64_t tick_ns, bool want_stat) SM_MUST;

#endif
