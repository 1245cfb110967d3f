/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track: kernel events in, named events out.
 *
 * Joins the connector's events with the captured arguments (capture.h) and the table of
 * tasks (tasktable.h).  For each event: track_apply() fills a struct row whose pointers
 * are valid until track_done(), which drops exited tasks.
 */
#ifndef FORKSTAT_TRACK_H
#define FORKSTAT_TRACK_H

#include "capture.h"
#include "execfail.h"
#include "exits.h"
#include "kernel/cnproc.h"
#include "opts.h"
#include "kernel/tasktable.h"

/* Events; rows; argument lists of execs, and names of tasks, that are not whole; rows without a fact that
 * was asked for (facts.h), or left out because a filter could not decide without it; statuses of
 * processes that ended. */
enum lost_source {
	LOST_KERNEL,
	LOST_OUTPUT,
	LOST_ARGUMENTS,
	LOST_NAMES,
	LOST_FACTS,
	LOST_STATUS,
	LOST_SOURCES
};

const char *track_lost_name(enum lost_source s);

struct row {
	enum event kind;
	uint64_t time_ns;	/* CLOCK_MONOTONIC, when it happened */
	struct sm_task *p;	/* the task; fork, clone: the child; exit that ends a
				   process: its leader */
	struct sm_task *exited; /* exit: the thread */
	struct sm_task *parent; /* fork: the parent; clone: the process; ptrce: the
				   tracer; or NULL */
	const struct sm_proc_event *ev; /* NULL for lost */
	uint64_t duration_ns; /* exit: lifetime, of the process or of a thread */
	uint64_t end_ns;      /* exit: CLOCK_BOOTTIME */
	bool has_duration;
	struct exits_status exit;
	bool lacks_arguments;	 /* exec: the argument list is not whole */
	bool lacks_facts;	 /* exec, fork, clone: a fact that is wanted is not known */
	uint32_t error;		 /* exec: the errno with which it failed, else 0 */
	struct sm_poolstr *file; /* exec that failed: the file name, or NULL */
	char old_comm[SM_TASK_COMM_LEN]; /* comm: before the change */
	uint64_t lost;			 /* lost: how many */
	enum lost_source lost_source;
};

struct facts;

struct track {
	struct sm_tasktable *procs;
	struct capture *capture; /* NULL: /proc only */
	struct facts *facts;	 /* NULL: none is wanted */
	struct exitbpf *exits;	 /* NULL: not open */
	bool stateless;		 /* only exec is received: keep no entries */
	bool want_tty;		 /* read the terminal again at exec */
	bool want_pgrp;		 /* follow setpgid(2), which has no event */
	/* Has the process of this exec executed another program since?  May be NULL: no.
	 */
	bool (*overtaken)(void *ctx, const struct sm_proc_event *ev);
	void *overtaken_ctx;
};

/* Bits of enum sm_proc_what that rows of these kinds, and the names in them, need. */
uint32_t track_kernel_mask(uint32_t events, bool stateless, bool want_creds);

/* Does the name of this event's program have to be read from /proc? */
bool track_asks_proc(const struct track *t, const struct sm_proc_event *ev);
/* later: another exec of the same pid follows in this batch, so /proc already shows that
 * one.  False without memory for the task, or for an event of another kind. */
bool track_apply(struct track *t, const struct sm_proc_event *ev, bool later,
	struct row *row) SM_MUST;
void track_done(struct track *t, struct row *row);

/* A wait status, as exit_code of an exit event: signal number or 0. */
static inline int row_exit_signal(uint32_t status)
{
	return (int)(status & 0x7f);
}

static inline unsigned int row_exit_status(uint32_t status)
{
	return (status >> 8) & 0xff;
}

/* As a shell gives it: 128 + N for signal N. */
static inline unsigned int row_exit_shell(uint32_t status)
{
	int signal = row_exit_signal(status);

	return signal ? 128 + (unsigned int)signal : row_exit_status(status);
}

/* The end of a process whose status is not known. */
static inline bool row_lacks_status(const struct row *row)
{
	return row->exit.process_end && !row->exit.known;
}

static inline bool row_exit_core(uint32_t status)
{
	return row_exit_signal(status) && (status & 0x80);
}

#endif
