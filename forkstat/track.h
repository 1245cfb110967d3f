/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track: turns kernel events into events with names.
 *
 * Joins the events of the connector with the captured arguments (capture.h) and the table of
 * tasks (tasktable.h).  For each event, track_apply() fills a struct row whose pointers are
 * valid until track_done(), which drops exited tasks.
 */
#ifndef FORKSTAT_TRACK_H
#define FORKSTAT_TRACK_H

#include "capture.h"
#include "execfail.h"
#include "exits.h"
#include "events/cnproc.h"
#include "opts.h"
#include "proc/tasktable.h"

enum lost_source {
	LOST_KERNEL,    /* events */
	LOST_OUTPUT,    /* rows */
	LOST_ARGUMENTS, /* argument lists of execs that are truncated or unknown, and rows excluded for
			   lack of them */
	LOST_NAMES,     /* rows with an unknown name */
	LOST_FACTS,     /* rows without a wanted fact (facts.h), or excluded because a filter lacked it */
	LOST_STATUS,    /* processes that exited with an unknown status, shown or excluded for lack of it */
	LOST_TRUNCATED, /* rows other than execs with a truncated name */
	LOST_SOURCES
};

const char *track_lost_name(enum lost_source s);

struct row {
	enum event kind;
	uint64_t time_ns;	/* time of the event, CLOCK_MONOTONIC */
	struct sm_task *p;	/* the task; fork, clone: the child; exit that ends a
				   process: its leader */
	struct sm_task *exited; /* exit: the thread */
	struct sm_task *parent; /* fork: the parent; clone: the process; ptrce: the
				   tracer; or NULL */
	const struct sm_proc_event *ev; /* NULL for lost */
	uint64_t duration_ns; /* exit: lifetime of the process or thread */
	uint64_t end_ns;      /* exit: time of the event, CLOCK_BOOTTIME */
	bool has_duration;
	struct exits_status exit;
	bool lacks_arguments;	 /* exec: the argument list is truncated or unknown */
	bool lacks_facts;	 /* exec, fork, clone: a wanted fact is unknown */
	uint32_t error;		 /* failed exec: the errno, else 0 */
	struct sm_poolstr *file; /* failed exec: the file name, or NULL */
	char old_comm[SM_TASK_COMM_LEN]; /* comm: comm before the change */
	uint64_t lost;			 /* lost: number of losses */
	enum lost_source lost_source;
};

struct facts;

struct track {
	struct sm_tasktable *procs;
	struct capture *capture; /* NULL: /proc only */
	struct facts *facts;	 /* NULL: no facts are wanted */
	struct exitbpf *exits;	 /* NULL: not open */
	bool stateless;		 /* only exec events are received: keep no entries */
	bool want_tty;		 /* read the terminal again at each exec */
	bool want_pgrp;		 /* read the process group, because setpgid(2) sends no event */
	/* Has the process of this exec executed another program since then?  NULL means no. */
	bool (*overtaken)(void *ctx, const struct sm_proc_event *ev);
	void *overtaken_ctx;
};

/* Returns the bits of enum sm_proc_what that rows of these kinds, and the names in them, need. */
uint32_t track_kernel_mask(uint32_t events, bool stateless, bool want_creds);

/* Must the name of this event's program be read from /proc? */
bool track_asks_proc(const struct track *t, const struct sm_proc_event *ev);
/* Applies the event and fills *row.  later: another exec of this pid follows in the batch, so /proc already
 * shows the later program.  Returns false if the kind of the event is unknown or memory is lacking. */
bool track_apply(struct track *t, const struct sm_proc_event *ev, bool later,
	struct row *row) SM_MUST;
void track_done(struct track *t, struct row *row);

/* These decode a wait status, such as exit_code of an exit event.  Returns the signal number or 0. */
static inline int row_exit_signal(uint32_t status)
{
	return (int)(status & 0x7f);
}

static inline unsigned int row_exit_status(uint32_t status)
{
	return (status >> 8) & 0xff;
}

/* Returns the status as a shell reports it: 128 + N for signal N. */
static inline unsigned int row_exit_shell(uint32_t status)
{
	int signal = row_exit_signal(status);

	return signal ? 128 + (unsigned int)signal : row_exit_status(status);
}

/* Is this the exit of a process with an unknown status? */
static inline bool row_lacks_status(const struct row *row)
{
	return row->exit.process_end && !row->exit.known;
}

static inline bool row_exit_core(uint32_t status)
{
	return row_exit_signal(status) && (status & 0x80);
}

#endif
