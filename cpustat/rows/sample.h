/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: the CPU time of all tasks between two instants, as the sampler returns it.
 *
 * All CPU times are nanoseconds within the row's own dt_ns, the time between the two readings of
 * that process; the percentage used_ns / dt_ns is calculated when it is printed.
 * used_ns is read from the process CPU clock (sum_exec_runtime, exact) or, in proc mode, from
 * ticks; usr_ns + sys_ns = used_ns always, divided in the ratio of the kernel's ticks.
 *
 * The sum of used_ns over ROW_PROCESS and ROW_EXITED rows is all the CPU time that could be
 * attributed; ROW_SOFTIRQ, ROW_IRQ and ROW_UNACCOUNTED are the rest of the busy time in /proc/stat.
 * ROW_THREAD rows (option -H) replace the row of their process.
 */
#ifndef CPUSTAT_SAMPLE_H
#define CPUSTAT_SAMPLE_H

#include "base/base.h"
#include "base/strpool.h"
#include "proc/procpid.h"
#include "proc/procstat.h"

enum row_kind {
	ROW_PROCESS,
	ROW_THREAD,
	ROW_EXITED,      /* children of pid that exited between samples */
	ROW_GROUP,       /* sum of rows, option -G */
	ROW_SOFTIRQ, ROW_IRQ, ROW_UNACCOUNTED,
	ROW_OTHERS,      /* tasks merged by a bounded table (totals.h) */
};

enum {
	ROW_KTHREAD = 1, /* name in [ ] */
	ROW_NEW = 2,     /* started since the previous sample: used_ns is its whole CPU time */
	ROW_SELF = 4,    /* cpustat itself */
	ROW_HAS_WAIT = 8,
	ROW_HAS_UID = 16,
};

/* Tag of a row's cmd: the command line was truncated. */
#define ROW_CMD_CUT 1u

#define ROW_NO_UID ((uid_t)-1)

/* Maximum number of programs in the list of a row's exited children (BPF). */
#define ROW_NAMES_MAX 16

struct row_name {
	char comm[SM_TASK_COMM_LEN]; /* NUL-terminated; hostile bytes */
	uint64_t count, ns;
	uid_t uid;             /* real user ID; ROW_NO_UID: several users */
};

struct row_names {
	size_t n;
	struct row_name v[ROW_NAMES_MAX]; /* most time first */
	struct row_name others;
};

struct row {
	uint8_t kind;          /* enum row_kind */
	uint8_t flags;
	char state;            /* R S D Z T t X I; 0 = no state */
	int32_t cpu;           /* CPU that the task ran on last; -1 = no CPU */
	pid_t pid;             /* process; ROW_THREAD: thread; ROW_EXITED: parent; 0 = no process */
	pid_t tgid;            /* process of the task; = pid, except for ROW_THREAD */
	pid_t ppid;            /* 0 = no parent, or unknown */
	uid_t uid;             /* real user ID, with ROW_HAS_UID */
	uint64_t start_ticks;  /* start time since boot; with pid and kind the identity of a task */
	uint64_t used_ns, usr_ns, sys_ns;
	uint64_t wait_ns;      /* time of all threads on the run queue, with ROW_HAS_WAIT */
	uint64_t dt_ns;
	uint64_t total_ns;     /* CPU time since the start; ROW_GROUP: sum */
	uint32_t members;      /* ROW_GROUP: number of rows merged; otherwise 1 */
	float min_pct, max_pct; /* percent of one CPU, over the sub-samples (option -m) */
	/* Bytes of other processes, borrowed from the sampler until its next sample. */
	struct sm_str comm;
	const struct sm_poolstr *cmd;    /* arguments, NUL after each; NULL = no arguments, or not read */
	const struct sm_poolstr *cgroup; /* path in the unified (or first) hierarchy; NULL = not read */
	const struct row_names *exited;  /* ROW_EXITED: programs; NULL = unknown */
};

struct sample {
	uint64_t t_ns;         /* end of the sample, CLOCK_MONOTONIC */
	uint64_t wall_ns;      /* end of the sample, since the epoch */
	uint64_t dt_ns;        /* time since the previous sample; 0: first sample, without rows */
	const char *source;    /* of CPU time, as option --source */
	bool partial;          /* shorter than the interval: the run ended */
	bool machine;          /* /proc/stat covers exactly the processes seen, and its busy time is known, so
	                          the residual below is valid (false in a container) */
	struct row *rows;   /* rows with used_ns > 0 (or wait_ns, option -W) */
	size_t nrows;
	uint64_t processes;    /* number of existing processes */
	bool counted;          /* created and exited are known */
	uint64_t created, exited; /* processes, since the previous sample (sampler/turnover.h) */
	uint64_t unreadable;   /* processes whose /proc/PID/stat could not be read, or reported an impossible
	                          time */
	uint64_t tasks_ns;     /* CPU time of all processes, including filtered ones */
	uint64_t exited_ns;    /* CPU time of all exited children */
	uint64_t self_ns;      /* CPU time of cpustat itself */
	uint64_t busy_ns;      /* /proc/stat: all time except idle, iowait and steal; if unknown, the time of
	                          all tasks */
	uint64_t irq_ns, softirq_ns; /* parts of busy_ns that do not belong to a task */
	int64_t unaccounted_ns;      /* busy - tasks - exited - irq - softirq */
	const struct sm_procstat *now, *before; /* NULL: unreadable */
	unsigned int online;   /* number of online CPUs */
	uint64_t uptime_ns;    /* time since boot, including suspend; 0: recorded tree without uptime */
	bool has_load;         /* load was read: for options that show it, or because that was free */
	struct sm_loadavg load;
	double capacity_cpus;  /* CPUs that -a shows as 100 %: online, or the cgroup's limit in a container */
};

static inline double share_pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static inline double percent(const struct row *r, uint64_t ns)
{
	return share_pct(ns, r->dt_ns);
}

#endif
