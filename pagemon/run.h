/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running pagemon, opened with privileges and used without.
 */
#ifndef PAGEMON_RUN_H
#define PAGEMON_RUN_H

#include "base/clock.h"
#include "cli/app.h"
#include "opts.h"
#include "facts/pagefacts.h"
#include "batch/series.h"
#include "target/find.h"
#include "target/opener.h"

struct interactive;

struct run {
	struct sm_app app;
	struct opts opts;
	bool batch;                /* rows; otherwise the screen */
	struct snapshot *procs;    /* monitored processes, and data read about them */
	size_t nprocs;
	struct snapshot *command;  /* process of COMMAND, in procs, or NULL */
	unsigned int twins;        /* number of processes with the name of the screen's process */
	struct opener opener;
	int opener_source;         /* its handle in the loop */
	struct pagefacts_source source; /* for the screen and -r */
	struct peek peek;
	int self_pagemap_fd;       /* pagemap of this process; -1: not open */
	bool dirty_known;          /* the kernel keeps soft-dirty bits */
	struct series series;      /* for batch */
	struct interactive *screen; /* NULL: not open */
};

/* CPU time that the tool, which has one thread, has used.  If CPU time is limited (RLIMIT_CPU), the clock of
 * the process advances only at ticks (kernel/time/posix-cpu-timers.c); the clock of the thread is exact. */
static inline uint64_t run_cpu_ns(void)
{
	return sm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Selects the screen or rows.  Returns 0 or an exit code. */
int run_prepare(void *ctx) SM_MUST;
/* Finds and opens the processes (open.c).  Returns 0 or an exit code. */
int run_open(void *ctx) SM_MUST;
/* Opens a descendant of COMMAND after the drop; the result is in s->target.state. */
void run_open_child(struct run *r, struct snapshot *s, pid_t pid);
/* Prepares reading a descendant whose files were opened for the first time.  On an error, its state is
 * TARGET_DENIED. */
int run_attach_child(struct run *r, struct snapshot *s) SM_MUST;
/* Prepares reading a process that was just opened or executed another program.  Returns 0 or -errno. */
int run_attach(struct run *r, struct snapshot *s) SM_MUST;
/* Adds the opener to the loop, if it was started.  Returns 0 or -errno. */
int run_watch_opener(struct run *r, sm_loop_fn fn) SM_MUST;
/* Receives the replies of the opener.  Returns false, once, if it has ended. */
bool run_hear_opener(struct run *r);
#define OPENER_LOST "the process that keeps the privileges has ended"
/* Prints why a process is not, or no longer, monitored. */
void run_explain(const struct target *t);

#endif
