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
	bool deaf;  /* the kernel sends no events any more */
	uint64_t settle_ns; /* COMMAND has ended: wait for its tree's exits until then */
	uint64_t start_ns;  /* earlier events are not shown */
	uint64_t arguments_lost; /* execs since the start whose row lacks_arguments */
	uint64_t facts_lost;     /* rows of LOST_FACTS since the start, */
	uint64_t moves_lost;     /* capture_moves_lost(), which is a part of that */
	uint64_t status_lost;    /* ends of processes, shown or not to be filtered without a status */
	uint64_t failed_lost;    /* records of failed execs, as reported */
	uint64_t names_shown_ns; /* the last row about arguments and names */
};

/* open.c: the table of tasks, the rings, the socket.  0 or an exit code. */
int run_open(void *ctx) SM_MUST;

/* pipeline.c: source -> track -> filter -> view, once for each batch of events. */
uint64_t run_next(void *ctx);
void run_iterate(void *ctx, uint64_t now_ns);
/* COMMAND has ended; its tree's exit events may still come. */
void run_child_ended(void *ctx, uint64_t now_ns);
/* Has the process of this exec executed another program since? */
bool run_overtaken(void *ctx, const struct sm_proc_event *ev);
void run_rows_lost(void *ctx, uint64_t rows);
/* Events held back and events up to now. */
void run_last(void *ctx);

#endif
