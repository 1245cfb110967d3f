/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers: processes that load CPUs, one pinned to each, with a share of its time (duty.h) and a kind of
 * work (ops.h) that can be changed at any time.
 *
 *	sm_workers_open()     all are there, checked, pinned and asleep
 *	sm_workers_set(), sm_workers_go()   new orders, which all begin at the same moment
 *	sm_workers_read()     what one was asked for and gave, by its own clocks
 *	sm_workers_check()    has one ended, or lost its CPU?
 *	sm_workers_close()    all have ended
 *
 * They are commanded through shared memory, so that they can be ended by a process that has given up the
 * right to send signals (cli/sandbox).  A worker with the share 0 sleeps without wake-ups.  A worker dies
 * with the thread that opened it, however that ends (PR_SET_PDEATHSIG); it ignores what is sent to the
 * process group, keeps no descriptor but the end of a pipe, and never writes.
 *
 * Fork while the process has one thread, as sm_child does.  Times in nanoseconds of CLOCK_MONOTONIC and
 * of CPU; shares in parts per million (SM_DUTY_FULL).  Errors: -errno, with a struct sm_workers_fault.
 */
#ifndef SM_WORKERS_H
#define SM_WORKERS_H

#include "base/base.h"
#include "kernel/cpulist.h"
#include "load/duty.h"
#include "load/ops.h"

enum sm_workers_what {
	SM_WORKERS_FORK,    /* could not be started: err */
	SM_WORKERS_NO_CPU,  /* could not be pinned: err */
	SM_WORKERS_SETUP,   /* no memory, or `prepare` failed: err */
	SM_WORKERS_WRONG,   /* its CPU computes wrong results: err is the kernel in sm_ops_table */
	SM_WORKERS_EXITED,  /* err: exit status */
	SM_WORKERS_KILLED,  /* err: signal */
	SM_WORKERS_AWAY,    /* the kernel moved it: err is the CPU where it is, asleep */
	SM_WORKERS_OFFLINE, /* its CPU went offline */
};

struct sm_workers_fault {
	unsigned int cpu;
	enum sm_workers_what what;
	int err;
};

struct sm_workers_config {
	const struct sm_root *root; /* for CPUs that go offline; NULL: only moved workers are noticed */
	uint64_t period_ns;         /* 0: SM_DUTY_PERIOD_NS */
	size_t mem_bytes;           /* of each, for the kernel mem; 0: it is not to be used */
	/* Called in each worker before it is ready, to drop rights.  -errno ends it. */
	int (*prepare)(void *ctx);
	void *prepare_ctx;
};

struct sm_workers_one {
	unsigned int cpu;
	pid_t pid;              /* 0: reaped */
	uint64_t from_ns;       /* of the present order */
	uint64_t asked_before_ns; /* by all earlier ones */
	uint32_t ppm, next_ppm;
	uint16_t op, next_op;
	bool changed;           /* sm_workers_set() since sm_workers_go() */
};

struct sm_workers {
	struct sm_workers_one *one;
	unsigned int n;
	uint64_t period_ns;
	void *shared;           /* worker.h */
	size_t shared_bytes;
	int life_fd;            /* becomes readable at the end of the last worker */
	struct sm_cpulist online;
};

struct sm_workers_reading {
	uint64_t at_ns;     /* when the worker said so, at most a chunk of work (1 ms) ago while it runs */
	uint64_t asked_ns;  /* CPU time that was asked for since the start; the differences of two
	                       readings, at least one period apart, are exact */
	uint64_t given_ns;  /* CPU time that it has used */
	uint64_t ops;       /* operations of all kernels */
	bool follows;       /* it has seen the last order */
};

/* One worker on each of n different CPUs.  All are ready when this returns 0, or none is left: *why. */
int sm_workers_open(struct sm_workers *w, const unsigned int *cpu, unsigned int n,
	const struct sm_workers_config *c, struct sm_workers_fault *why) SM_MUST;
/* op: number in sm_ops_table. */
void sm_workers_set(struct sm_workers *w, unsigned int i, unsigned int op, uint32_t ppm);
/* What was set takes effect, at the time that it returns. */
uint64_t sm_workers_go(struct sm_workers *w);
void sm_workers_read(const struct sm_workers *w, unsigned int i, struct sm_workers_reading *out);
/* 0: all work as they should; 1: *why has the first that does not.  One system call for each. */
int sm_workers_check(struct sm_workers *w, struct sm_workers_fault *why) SM_MUST;
pid_t sm_workers_pid(const struct sm_workers *w, unsigned int i);
/* Ends and reaps all.  Returns how many could not be ended: stopped ones that this process may not
 * signal; they end with it. */
unsigned int sm_workers_close(struct sm_workers *w);

/* "the load of CPU 3 was killed by SIGKILL": NUL-terminated, cut off at cap. */
void sm_workers_reason(const struct sm_workers_fault *why, char *buf, size_t cap);

#endif
