/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running forkstat.
 */
#ifndef FORKSTAT_RUN_H
#define FORKSTAT_RUN_H

#include "cli/app.h"
#include "facts.h"
#include "filter.h"
#include "rates.h"
#include "source.h"
#include "summary.h"
#include "track.h"
#include "view.h"

struct run {
	struct sm_app app;
	struct opts opts;
	struct sm_tasktable procs;
	struct capture capture;
	struct execfail failed;
	struct source source;
	struct track track;
	struct facts facts;
	struct view view;
	struct exitcpu exitcpu;
	struct exitbpf exits;
	struct summary summary;
	struct rates rates;
	int socket, failed_socket; /* handles in the loop */
	bool have_capture;
	bool deaf;  /* the kernel has stopped sending events */
	bool task_ended; /* a task of --pid or --ppid has exited since the last check */
	bool all_ended;  /* all of them have: their PIDs may belong to others now */
	uint64_t settle_ns; /* COMMAND has exited: wait until then for the exits of its tree */
	uint64_t start_ns;  /* earlier events are not shown */
	uint64_t found[LOST_SOURCES]; /* losses since startup, starting with LOST_ARGUMENTS */
	uint64_t moves_lost;     /* last value of capture_moves_lost() */
	uint64_t failed_lost;    /* lost records of failed execs, as reported */
	uint64_t names_shown_ns; /* time of the last rows about these losses */
};

/* open.c: opens the table of tasks, the rings and the socket.  Returns 0 or an exit code. */
int run_open(void *ctx) SM_MUST;

/* pipeline.c: source -> track -> filter -> view, once for each batch of events. */
uint64_t run_next(void *ctx);
void run_iterate(void *ctx, uint64_t now_ns);
/* COMMAND has exited; exit events of its tree may still arrive. */
void run_child_ended(void *ctx, uint64_t now_ns);
/* Has the process of this exec executed another program since? */
bool run_overtaken(void *ctx, const struct sm_proc_event *ev);
void run_rows_lost(void *ctx, uint64_t rows);
/* Shows the events that were held back and all events up to now. */
void run_last(void *ctx);

/* selected.c: the end of the run with the last process of --pid, or the last of a tree of --ppid. */
/* Returns 0, or an exit code after a message if one of the processes does not exist. */
int run_find_selected(const struct run *r) SM_MUST;
/* Takes an exit after its row was shown. */
void run_selected_exit(struct run *r, const struct row *row);
/* Takes an exec before the table does.  The ID of the thread that calls it vanishes without an exit event. */
void run_selected_exec(struct run *r, const struct sm_proc_event *ev);
/* Returns true if no selected process is left. */
bool run_selected_ended(struct run *r);

#endif
