/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads: CPU and run-queue time of each thread of a process that ran (options -H and -W).
 *
 * /proc/PID/task/TID/schedstat has both in nanoseconds.  If the kernel does not have this file, CPU time is
 * read from stat, in ticks, and the waiting time is missing.
 */
#ifndef CPUSTAT_THREADS_H
#define CPUSTAT_THREADS_H

#include "kernel/procpid.h"
#include "split.h"

struct thread {
	pid_t tid;
	bool fresh, seen;      /* new in this reading; found by this reading */
	bool have_wait;
	char state;
	uint8_t comm_len;
	char comm[SM_PIDSTAT_COMM_MAX + 1];
	int cpu;
	uint64_t start_ticks;
	uint64_t ns, wait_ns;  /* since its start */
	uint64_t utime_ticks, stime_ticks;
	struct split split;
	/* Time since the previous reading; for a new thread, see struct threads_look. */
	uint64_t used_ns, waited_ns;
};

struct threads {
	struct thread *v;      /* ascending by tid */
	size_t n, cap;
	int64_t carry_ns;      /* time that the process used beyond its threads, not reported yet; below 0:
	                          threads reported it before the clock of their process did */
};

struct threads_look {
	const struct sm_root *root;
	pid_t pid;
	/* The process is new: its new threads count whole.  Otherwise new threads that started at since_ticks
	 * or later count whole, and older threads are counted from this reading. */
	bool whole;
	bool want_stat;        /* names, states, CPUs */
	uint64_t since_ticks, tick_ns;
	/* The most that a thread can have used since the previous reading.  A thread above it became the
	 * leader by exec and kept its time; it is counted from this reading. */
	uint64_t max_ns;
};

void threads_free(struct threads *t);
/* Reads all threads; *t is allocated if it is NULL. */
int threads_read(struct threads **t, const struct threads_look *look) SM_MUST;
/* Forgets the last reading, which is too old to be the base of the next. */
void threads_forget(struct threads *t);

#endif
