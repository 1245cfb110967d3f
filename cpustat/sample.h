/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: who used the CPU between two instants; what the sampler gives and everything after
 * it takes.
 *
 * All CPU figures are nanoseconds within the row's own dt_ns, the time between the two
 * readings of that process; a percentage is used_ns / dt_ns and is made when it is printed.
 * used_ns comes from the process CPU clock (sum_exec_runtime, exact) or, in proc mode, from
 * ticks; usr_ns + sys_ns = used_ns always, split in the proportion of the kernel's ticks.
 *
 * The sum of used_ns over CS_PROCESS and CS_EXITED rows is all the CPU time that could be
 * attributed; CS_SOFTIRQ, CS_IRQ and CS_UNACCOUNTED are what /proc/stat has beyond that.
 * CS_THREAD rows (option -H) stand for their process's row, never beside it.
 */
#ifndef CS_SAMPLE_H
#define CS_SAMPLE_H

#include "base.h"
#include "intern.h"
#include "procpid.h"
#include "procstat.h"

enum cs_kind {
	CS_PROCESS,
	CS_THREAD,
	CS_EXITED,      /* children of pid that lived and died between samples */
	CS_GROUP,       /* sum of rows, option -G */
	CS_SOFTIRQ, CS_IRQ, CS_UNACCOUNTED,
	CS_OTHERS,      /* what a bounded table had to merge */
};

enum {
	CS_KTHREAD = 1, /* name in [ ] */
	CS_NEW = 2,     /* born since the sample before: used_ns is its whole life */
	CS_SELF = 4,    /* cpustat itself */
	CS_HAS_WAIT = 8,
	CS_HAS_UID = 16,
};

struct cs_row {
	uint8_t kind;          /* enum cs_kind */
	uint8_t flags;
	char state;            /* R S D Z T t X I; 0 = none */
	int32_t cpu;           /* where it ran last; -1 = none */
	pid_t pid;             /* process; thread of CS_THREAD; parent of CS_EXITED; 0 = none */
	pid_t tgid;            /* its process; = pid but for CS_THREAD */
	pid_t ppid;            /* 0 = none or not known */
	uid_t uid;             /* with CS_HAS_UID: real uid */
	uint64_t start_ticks;  /* since boot; with pid and kind the identity of a task */
	uint64_t used_ns, usr_ns, sys_ns;
	uint64_t wait_ns;      /* with CS_HAS_WAIT: time on the run queue, all threads */
	uint64_t dt_ns;
	uint64_t total_ns;     /* CPU time since birth (of a group: sum) */
	uint32_t members;      /* of a CS_GROUP: rows merged; else 1 */
	float min_pct, max_pct; /* of one CPU, over the sub-samples (option -m) */
	/* Hostile bytes, borrowed from the sampler until its next sample. */
	struct sm_str comm;
	const struct sm_istr *cmd;    /* arguments, NUL after each; NULL = none or not read */
	const struct sm_istr *cgroup; /* path in the unified (or first) hierarchy; NULL = not read */
};

struct cs_sample {
	uint64_t t_ns;         /* CLOCK_MONOTONIC of the end */
	uint64_t wall_ns;      /* the same instant since the epoch */
	uint64_t dt_ns;        /* since the sample before; 0: the first, without rows */
	bool partial;          /* ended before its time */
	bool machine;          /* /proc/stat and the processes seen belong together: the residual
	                          below means something (false in a container) */
	struct cs_row *rows;   /* only those with used_ns > 0 (or wait_ns, option -W) */
	size_t nrows;
	uint64_t live;         /* processes that exist */
	uint64_t births, deaths; /* seen since the sample before */
	uint64_t unreadable;   /* processes whose /proc/PID/stat could not be read */
	uint64_t tasks_ns;     /* sum over processes, filtered ones included */
	uint64_t exited_ns;    /* sum over exited children */
	uint64_t self_ns;      /* cpustat's own */
	uint64_t busy_ns;      /* /proc/stat: all but idle, iowait and steal */
	uint64_t irq_ns, softirq_ns; /* of busy_ns, what no task accounts for */
	int64_t unaccounted_ns;      /* busy - tasks - exited - irq - softirq */
	const struct sm_procstat *now, *before; /* NULL: not readable */
	unsigned int online;   /* CPUs */
	double capacity_cpus;  /* CPUs that -a takes for 100 %: online, or the cgroup's limit in
	                          a container */
};

static inline double cs_pct(const struct cs_row *r, uint64_t ns)
{
	return r->dt_ns ? 100.0 * (double)ns / (double)r->dt_ns : 0;
}

#endif
