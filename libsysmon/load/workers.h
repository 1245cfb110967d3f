/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers: processes that load CPUs, one pinned to each, with a share of its time (duty.h) and a kind
 * of work (ops.h) that can be changed at any time.
 *
 *	sm_workers_open()     starts, checks and pins all workers; they sleep
 *	sm_workers_set(), sm_workers_go()   give new orders, which all start at one moment
 *	sm_workers_read()     returns the requested and the used CPU time, from the worker's own clocks
 *	sm_workers_check()    reports a worker that has exited or lost its CPU
 *	sm_workers_close()    ends all workers
 *
 * Workers are controlled through shared memory, so that a process that has given up the privilege to
 * send signals (cli/sandbox) can end them.  A worker with the share 0 sleeps without wakeups.  A worker
 * is killed when the thread that created it exits for any reason (PR_SET_PDEATHSIG).  It ignores
 * signals sent to the process group, holds only one end of a pipe, and never writes output.
 *
 * The process must have a single thread when it forks, as for sm_child.  Times are in nanoseconds of
 * CLOCK_MONOTONIC and of CPU time; shares are in parts per million (SM_DUTY_FULL).  Errors: -errno,
 * with a struct sm_workers_fault.
 */
#ifndef SM_WORKERS_H
#define SM_WORKERS_H

#include "base/base.h"
#include "load/duty.h"
#include "load/ops.h"
#include "proc/cpulist.h"

enum sm_workers_what {
	SM_WORKERS_FORK,    /* could not be started; err: -errno */
	SM_WORKERS_NO_CPU,  /* could not be pinned; err: -errno */
	SM_WORKERS_SETUP,   /* no memory, or `prepare` failed; err: -errno */
	SM_WORKERS_WRONG,   /* its CPU computes wrong results; err: index in sm_ops_table */
	SM_WORKERS_EXITED,  /* err: exit status */
	SM_WORKERS_KILLED,  /* err: signal */
	SM_WORKERS_AWAY,    /* the kernel moved it, and it sleeps; err: its current CPU */
	SM_WORKERS_OFFLINE, /* its CPU went offline */
};

struct sm_workers_fault {
	unsigned int cpu;
	enum sm_workers_what what;
	int err;
};

struct sm_workers_config {
	const struct sm_root *root; /* to notice CPUs that go offline; NULL: only moved workers are noticed */
	uint64_t period_ns;         /* 0: SM_DUTY_PERIOD_NS */
	size_t mem_bytes;           /* memory of each worker for the kernel mem; 0: mem is not used */
	/* Called in each worker before it is ready, to drop privileges.  -errno ends the worker. */
	int (*prepare)(void *ctx);
	void *prepare_ctx;
};

struct sm_workers_one {
	unsigned int cpu;
	pid_t pid;              /* 0: reaped */
	uint64_t from_ns;       /* start of the current order */
	uint64_t asked_before_ns; /* CPU time requested by all earlier orders */
	uint32_t ppm, next_ppm;
	uint16_t op, next_op;
	bool changed;           /* set since the last sm_workers_go() */
};

struct sm_workers {
	struct sm_workers_one *one;
	unsigned int n;
	uint64_t period_ns;
	void *shared;           /* worker.h */
	size_t shared_bytes;
	int life_fd;            /* becomes readable when the last worker exits */
	struct sm_cpulist online;
};

struct sm_workers_reading {
	uint64_t at_ns;     /* time of the report; of a running worker at most 1 ms ago (a chunk of work) */
	uint64_t asked_ns;  /* CPU time requested since the start; differences between readings at least one
	                       period apart are exact */
	uint64_t given_ns;  /* CPU time used */
	uint64_t ops;       /* operations of all kernels */
	bool follows;       /* it has read the last order */
};

/* Starts one worker on each of n different CPUs.  If this returns 0, all are ready; otherwise no worker is
 * left, and *why is the reason. */
int sm_workers_open(struct sm_workers *w, const unsigned int *cpu, unsigned int n,
	const struct sm_workers_config *c, struct sm_workers_fault *why) SM_MUST;
/* Sets the next order of worker i.  op: index in sm_ops_table. */
void sm_workers_set(struct sm_workers *w, unsigned int i, unsigned int op, uint32_t ppm);
/* Makes the orders set since the last call effective at the returned time. */
uint64_t sm_workers_go(struct sm_workers *w);
void sm_workers_read(const struct sm_workers *w, unsigned int i, struct sm_workers_reading *out);
/* Returns 0 if all workers are working, 1 if not: *why then describes the first that is not.  One
 * system call per worker. */
int sm_workers_check(struct sm_workers *w, struct sm_workers_fault *why) SM_MUST;
pid_t sm_workers_pid(const struct sm_workers *w, unsigned int i);
/* Ends and reaps all workers.  Returns the number of those that could not be ended: stopped workers
 * that this process may not signal; they end when it exits. */
unsigned int sm_workers_close(struct sm_workers *w);

/* Writes "the load of CPU 3 was killed by SIGKILL" or another reason to buf: NUL-terminated, truncated
 * to cap. */
void sm_workers_reason(const struct sm_workers_fault *why, char *buf, size_t cap);

#endif
