/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running powerstat, opened with privilege, then worked without.
 */
#ifndef PS_RUN_H
#define PS_RUN_H

#include "clock.h"
#include "collect.h"
#include "command.h"
#include "events.h"
#include "loop.h"
#include "metrics.h"
#include "outlet.h"
#include "power.h"
#include "statrows.h"
#include "view.h"

struct run {
	struct ps_opts opts;
	struct sm_root root;
	struct sm_loop loop;
	struct power power;
	struct events *events;       /* NULL: not watched */
	struct collect collect;
	struct ps_stats stats;
	struct metrics metrics;
	struct view view;
	struct sm_outlet outlet;
	struct sm_command command;
	struct sm_ticker ticker;
	uint64_t interval_ns, start_delay_ns, count;
	uint64_t end_ns;             /* --duration; SM_LOOP_FOREVER without */
	uint64_t poll_ns;            /* when the source must be read between samples */
	int64_t boot_offset_ns;      /* grows by the time spent suspended */
	uint64_t restarts_told;      /* of power.restarts */
	uint64_t skipped, missed;    /* samples discarded; slots that came too late */
	bool stop;
	bool measuring;              /* the start delay is over */
	bool ended;                  /* COMMAND has */
	int error;                   /* -errno that ended the run */
	const char *error_what;
};

/* Opens everything, then drops privileges.  0; or an exit code, and *done says that this is the
 * end (messages are out; --list is done). */
int run_open(struct run *r, char **command, bool *done) SM_MUST;
/* Until the end; returns the exit code. */
int run_work(struct run *r) SM_MUST;
void run_close(struct run *r);

#endif
