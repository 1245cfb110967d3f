/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track: kernel events in, named events out.
 *
 * Joins the connector's events with the captured arguments (capture.h) and the table of
 * tasks (procname.h).  For each event: track_apply() fills a struct fs_row whose pointers
 * are good until track_done(), which forgets what has ended.
 */
#ifndef FS_TRACK_H
#define FS_TRACK_H

#include "capture.h"
#include "cnproc.h"
#include "opts.h"
#include "procname.h"

enum fs_lost_source { FS_LOST_KERNEL, FS_LOST_PERF, FS_LOST_OUTPUT, FS_NLOST };

struct fs_row {
	enum fs_event kind;
	uint64_t time_ns;        /* CLOCK_MONOTONIC, when it happened */
	struct sm_proc *p;       /* whom it is about; fork, clone: the child */
	struct sm_proc *parent;  /* fork: the parent; clone: the process; ptrce: the tracer; or NULL */
	const struct sm_proc_event *ev; /* NULL for lost */
	uint64_t duration_ns;    /* exit: lifetime */
	bool has_duration;
	char old_comm[SM_TASK_COMM_LEN]; /* comm: before the change */
	uint64_t lost;           /* lost: how many */
	enum fs_lost_source lost_source;
};

struct track {
	struct sm_procs *procs;
	struct capture *capture; /* NULL: /proc only */
	bool stateless;          /* only exec is received: keep no entries */
	bool want_tty;           /* read the terminal again at exec */
	bool want_pgrp;          /* follow setpgid(2), which has no event */
};

/* Bits of enum sm_proc_what that rows of these kinds, and the names in them, need. */
uint32_t track_kernel_mask(uint32_t events, bool stateless, bool want_creds);

/* Will the name of this event's program have to come from /proc? */
bool track_asks_proc(const struct track *t, const struct sm_proc_event *ev);
/* later: does an exec of the same pid follow in the events at hand?  Then /proc already
 * tells about that one.  False when there is no memory for the task or the event is
 * none of ours. */
bool track_apply(struct track *t, const struct sm_proc_event *ev, bool later, struct fs_row *row)
	SM_MUST;
void track_done(struct track *t, struct fs_row *row);

/* exit_code of an exit event (a wait status): signal number or 0. */
static inline int fs_exit_signal(uint32_t status)
{
	return (int)(status & 0x7f);
}

static inline unsigned int fs_exit_status(uint32_t status)
{
	return (status >> 8) & 0xff;
}

static inline bool fs_exit_core(uint32_t status)
{
	return fs_exit_signal(status) && (status & 0x80);
}

#endif
