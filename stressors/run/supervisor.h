/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * supervisor: starts the instances of a stage, waits for them, ends them, and says what each of them was.
 *
 * One poll set.  While a stage runs, the supervisor wakes up for --interval, and five times a second to read
 * the counts of ops (stall.h).  At the end of the time it sets a flag that the instances look at.  Those that
 * continue are ended by SIGTERM 0.3 s later, and by SIGKILL after a further second.  Instances die with it,
 * and so do their children, which it adopts and reaps.
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
	int forced;                /* SIGTERM or SIGKILL: the supervisor had to end it */
	bool too_slow;             /* it was not set up in time */
	uint64_t seen_ops, seen_ns; /* count of ops at the last reading, and the first reading that had it */
	uint64_t cpu_ns;           /* CPU time at the end of the run */
	bool stalled;              /* it made no progress, and did not end */
	bool starved;              /* it got no CPU in which to end */
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
	void (*asked)(void *ctx, const struct stage *g, uint64_t now_ns); /* SIGUSR1 */
};

struct supervisor {
	const struct plan *plan;
	const struct sm_root *root;
	const struct perf_events *perf; /* NULL: none */
	const struct supervisor_watch *watch;
	struct sm_loop loop;
	pid_t pid;                 /* its own */
	int ready_fd;
	int signal;                /* that ended the run; 0: none */
	bool asked;                /* SIGUSR1 has come, for an interim result */
	bool cancel;               /* the caller ends the run */
	bool aborted;              /* an instance has failed, with --abort */
	struct stage *stage;       /* that runs now */
};

int supervisor_open(struct supervisor *v) SM_MUST;
/* Runs those of the jobs that have no why_not.  -errno; the stage is to be freed in any case. */
int supervisor_run(struct supervisor *v, struct stage *g, struct job *j, size_t n) SM_MUST;
void supervisor_free(struct stage *g);
void supervisor_close(struct supervisor *v);

#endif
