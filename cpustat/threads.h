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
#include "task.h"

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
	struct split split;
	/* Since the reading before; of a thread first seen: its whole life if `born`. */
	uint64_t used_ns, waited_ns;
};

struct threads {
	struct thread *v;      /* ascending by tid */
	size_t n, cap;
	int64_t carry_ns;      /* what the process used beyond its threads and was not shown; below
	                          0: what threads showed before their process's clock did */
};

struct threads_look {
	const struct sm_root *root;
	pid_t pid;
	/* The process was born since the reading before, or there is none: threads first seen
	 * count whole; otherwise those that started at since_ticks or later do, older ones count
	 * from now on. */
	bool whole;
	bool want_stat;        /* names, states, CPUs */
	uint64_t since_ticks, tick_ns;
	/* No thread can have used more since.  Who did became the leader by exec, with the time
	 * it had before: it counts from now on. */
	uint64_t most_ns;
};

void threads_free(struct threads *t);
/* Reads them all. */
int threads_read(struct threads **t, const struct threads_look *look) SM_MUST;
/* What was read is too old to count from. */
void threads_forget(struct threads *t);

#endif
