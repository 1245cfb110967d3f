/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * supervisor: starts the instances of a stage, ends them, and notes how each of them ended.
 *
 * It never waits: the caller's loop calls supervisor_step() whenever a descriptor of the loop is ready,
 * SIGCHLD has come, or the time of supervisor_next().  While a stage runs, that is at each `every_ns`, and
 * five times a second to read the counts of ops (stall.h).  At the end of the time it sets a flag that the
 * instances look at.  Those that continue are ended by SIGTERM 0.3 s later, and by SIGKILL after a further
 * second.  Instances die with it, and so do their children, which it adopts and reaps.
 */
#ifndef STRESSORS_RUN_SUPERVISOR_H
#define STRESSORS_RUN_SUPERVISOR_H

#include <sys/resource.h>

#include "cli/loop.h"
#include "instance.h"
#include "kernel/root.h"
#include "plan.h"

struct worker {
	pid_t pid;                 /* 0: it does not run */
	const struct job *job;
	unsigned int number;       /* of its job's instances */
	struct stress_slot *slot;
	struct sm_loghist *histogram; /* NULL: the stressor has none */
	uint64_t fork_ns, end_ns;
	uint64_t again_ns;         /* when it is started again; 0: it is not */
	int wstatus;               /* of wait(2) */
	struct rusage usage;
	int start_err;             /* -errno: it could not be forked */
	unsigned int oom_kills;
	bool forced;               /* the supervisor sent SIGTERM or SIGKILL: it had to end it */
	bool too_slow;             /* it was not set up in time */
	uint64_t seen_ops, seen_ns; /* count of ops at the last reading, and the first reading that had it */
	uint64_t cpu_ns;           /* CPU time at the end of the run */
	bool stalled;              /* it made no progress, and did not end */
	bool starved;              /* it got no CPU, or its disk did not answer in time */
};

struct stage {
	struct job *job;
	size_t n_jobs;
	struct worker *worker;     /* in the order of the jobs */
	size_t n, alive;
	struct stress_board *board; /* and, behind its slots, a histogram of each worker that has one */
	size_t board_bytes;
	uint64_t go_ns, stop_ns;   /* 0: not yet */
	uint64_t look_ns;          /* time of the next reading of all ops */
	uint64_t oom_kills;        /* sm_memfree_kills() at the last look */
};

/* What happens beside the instances, all may be NULL. */
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
	SUPERVISOR_KILLS,          /* SIGKILL was sent; those that do not end are left behind */
	SUPERVISOR_REAPS,          /* children of instances that were killed */
};

struct supervisor {
	const struct plan *plan;
	const struct sm_root *root;
	const struct perf_events *perf; /* NULL: none */
	const struct supervisor_watch *watch;
	pid_t pid;                 /* its own */
	int ready_fd;              /* instances write to it when they are set up */
	int scratch_fd;            /* the directory of the stage; -1: none */
	enum supervisor_phase phase;
	uint64_t until_ns;         /* end of the phase, at the latest */
	uint64_t tick_ns;          /* of watch; SM_LOOP_FOREVER: none */
	uint64_t again_ns;         /* when the next instance is started again; SM_LOOP_FOREVER: none */
	bool cut;                  /* supervisor_stop() was called */
	bool aborted;              /* an instance has failed, with --abort */
	struct stage *stage;       /* the last one that was started */
};

/* ready_fd -1.  -errno. */
int supervisor_open(struct supervisor *v, struct sm_loop *loop) SM_MUST;
/* Forks the instances of those of the jobs that have no why_not; without any the phase remains
 * SUPERVISOR_IS_OVER.  -errno; the stage is to be freed in any case. */
int supervisor_start(struct supervisor *v, struct stage *g, struct job *j, size_t n) SM_MUST;
void supervisor_step(struct supervisor *v, uint64_t now_ns);
/* CLOCK_MONOTONIC time of the next step. */
uint64_t supervisor_next(const struct supervisor *v);
/* Ends the stage, as at the end of its time; at_once: by SIGKILL. */
void supervisor_stop(struct supervisor *v, bool at_once, uint64_t now_ns);
void supervisor_free(struct stage *g);
void supervisor_close(struct supervisor *v);

#endif
