/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taskwalk_raw: the records that the BPF program of taskwalk.h writes. */
#ifndef SM_TASKWALK_RAW_H
#define SM_TASKWALK_RAW_H

#include <stdint.h>

struct sm_taskwalk_raw {
	/* The members that a walk compares are in one or two cache lines. */
	uint64_t ns;               /* CPU time, if there is one thread */
	uint64_t cutime_ns, cstime_ns; /* CPU time of reaped children */
	int pid, ppid;             /* thread groups */
	uint32_t threads;          /* 0: the process is exiting, or the sums changed during the reading */
	uint32_t cpu;
	uint64_t utime_ns, stime_ns; /* samples of the ticks, of the leader and of threads that have exited */
	uint64_t start_ns;         /* CLOCK_BOOTTIME */
	uint32_t flags;            /* PF_* */
	uint32_t state, exit_state; /* bits of TASK_* and EXIT_* of include/linux/sched.h */
	char comm[16];
};

struct sm_taskwalk_head {
	uint64_t begun_ns, ended_ns; /* CLOCK_MONOTONIC */
	uint32_t n;
	uint32_t full;               /* 1: there was no room for all */
};

#endif
