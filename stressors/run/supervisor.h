/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * supervisor: starts the instances of a stage, stops them, and records how each of them ended.
 *
 * It never waits: the caller's loop calls supervisor_step() whenever a descriptor of the loop is ready,
 * SIGCHLD has arrived, or the time of supervisor_next() has come.  While a stage runs, that is every
 * `every_ns`, and five times a second to read the counts of ops (stall.h).  At the end of the time it sets a
 * flag, which the instances check.  Instances that continue receive SIGTERM 0.3 s later, and SIGKILL after
 * another second.  Instances die with the supervisor, and so do their children, which it adopts and reaps.
 */
#ifndef STRESSORS_RUN_SUPERVISOR_H
#define STRESSORS_RUN_SUPERVISOR_H

#include <sys/resource.h>

#include "base/root.h"
#include "cli/loop.h"
#include "instance.h"
#include "plan.h"

struct worker {
	pid_t pid;                 /* 0: not running */
	const struct job *job;
	unsigned int number;       /* number of the instance in its job */
	struct stress_slot *slot;
	struct sm_loghist *histogram; /* NULL: not used by the stressor */
	uint64_t fork_ns, end_ns;
	uint64_t again_ns;         /* time of its restart; 0: not to be restarted */
	int wstatus;               /* status of wait(2) */
	struct rusage usage;
	int start_err;             /* -errno of fork(2), or 0 */
	unsigned int oom_kills;
	bool forced;               /* the supervisor had to send SIGTERM or SIGKILL */
	bool too_slow;             /* it was not set up in time */
	uint64_t seen_ops, seen_ns; /* ops at the last reading; first reading with this count */
	uint64_t cpu_ns;           /* CPU time at the end of the run */
	bool stalled;              /* it made no progress and did not stop */
	bool starved;              /* it got no CPU, or its disk did not answer in time */
};

struct stage {
	struct job *job;
	size_t n_jobs;
	struct worker *worker;     /* in the order of the jobs */
	size_t n, alive;
	struct stress_board *board; /* followed by a histogram for each worker that uses one */
	size_t board_bytes;
	uint64_t go_ns, stop_ns;   /* 0: not yet */
	uint64_t look_ns;          /* time of the next reading of all ops */
	uint64_t oom_kills;        /* sm_memfree_kills() at the last look */
};

/* Functions that are called while a stage runs; each may be NULL. */
struct supervisor_watch {
	void *ctx;
	uint64_t every_ns;         /* 0: never */
	void (*go)(void *ctx, const struct stage *g);
	void (*tick)(void *ctx, const struct stage *g, uint64_t now_ns);
};

enum supervisor_phase {
	SUPERVISOR_IS_OVER,        /* no stage runs */
	SUPERVISOR_SETTLES,        /* until all instances are set up or have ended */
	SUPERVISOR_RUNS,
	SUPERVISOR_STOPS,          /* the flag is set */
	SUPERVISOR_TERMINATES,     /* SIGTERM was sent */
	SUPERVISOR_KILLS,          /* SIGKILL was sent; instances that still do not end are abandoned */
	SUPERVISOR_REAPS,          /* waits for the children of killed instances */
};

struct supervisor {
	const struct plan *plan;
	const struct sm_root *root;
	const struct perf_events *perf; /* NULL: not used */
	const struct supervisor_watch *watch;
	pid_t pid;                 /* the supervisor's pid */
	int ready_fd;              /* instances write to it when they are set up */
	int scratch_fd;            /* the directory of the stage; -1: not needed */
	enum supervisor_phase phase;
	uint64_t until_ns;         /* the latest end of the phase */
	uint64_t tick_ns;          /* time of the next tick of watch, or SM_LOOP_FOREVER */
	uint64_t again_ns;         /* time of the next restart, or SM_LOOP_FOREVER */
	bool cut;                  /* supervisor_stop() was called */
	bool aborted;              /* an instance has failed, with --abort */
	struct stage *stage;       /* the stage that was started last */
};

/* ready_fd must be -1. 0 or -errno. */
int supervisor_open(struct supervisor *v, struct sm_loop *loop) SM_MUST;
/* Forks the instances of all jobs whose why_not is NULL; without such a job, the phase remains
 * SUPERVISOR_IS_OVER. 0 or -errno; the caller must free the stage in either case. */
int supervisor_start(struct supervisor *v, struct stage *g, struct job *j, size_t n) SM_MUST;
void supervisor_step(struct supervisor *v, uint64_t now_ns);
/* Returns the CLOCK_MONOTONIC time of the next step. */
uint64_t supervisor_next(const struct supervisor *v);
/* Stops the stage as at the end of its time; at_once: with SIGKILL. */
void supervisor_stop(struct supervisor *v, bool at_once, uint64_t now_ns);
void supervisor_free(struct stage *g);
void supervisor_close(struct supervisor *v);

#endif
