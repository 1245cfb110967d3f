/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads: CPU and run-queue time of each thread of a process.
 *
 * /proc/PID/task/TID/schedstat has both in nanoseconds.  If the kernel does not have this file, CPU time is
 * read from stat, in ticks, and the waiting time is missing.
 */
#ifndef SM_THREADS_H
#define SM_THREADS_H

#include "base/split.h"
#include "proc/procpid.h"

struct sm_thread_wait {
	uint64_t ns;           /* time on the run queue since the thread started */
	uint64_t since_ns;     /* no current wait began earlier */
};

struct sm_thread {
	pid_t tid;
	bool fresh, seen;      /* new in this reading; found by this reading */
	bool have_wait;
	char state;
	uint8_t comm_len;
	char comm[SM_PIDSTAT_COMM_MAX + 1];
	int cpu;
	uint64_t start_ticks;
	uint64_t ns;           /* CPU time since its start */
	struct sm_thread_wait wait;
	uint64_t utime_ticks, stime_ticks;
	struct sm_split split;
	/* Time since the previous reading; for a new thread, see struct sm_threads_look. */
	uint64_t used_ns, waited_ns;
};

struct sm_threads {
	struct sm_thread *v;   /* ascending by tid */
	size_t n, cap;
	int64_t carry_ns;      /* time that the process used beyond its threads, not reported yet; below 0:
	                          threads reported it before the clock of their process did */
};

struct sm_threads_look {
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
	uint64_t now_ns, dt_ns; /* time of the sample, and since the previous sample */
};

void sm_threads_free(struct sm_threads *t);
/* Reads all threads; *t is allocated if it is NULL. */
int sm_threads_read(struct sm_threads **t, const struct sm_threads_look *look) SM_MUST;
/* Sets the time on the run queue since the last reading, or 0, if counts is false or the counter jumped; then
 * it returns false. */
bool sm_threads_wait(struct sm_thread_wait *w, uint64_t ns, bool counts, uint64_t now_ns, uint64_t dt_ns,
	uint64_t *waited_ns);
/* Forgets the last reading, which is too old to be the base of the next. */
void sm_threads_forget(struct sm_threads *t);

#endif
