/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the parts of a running forkstat, opened with privilege, then worked without.
 */
#ifndef FS_RUN_H
#define FS_RUN_H

#include "command.h"
#include "filter.h"
#include "loop.h"
#include "outlet.h"
#include "rates.h"
#include "source.h"
#include "summary.h"
#include "track.h"
#include "view.h"

struct run {
	struct fs_opts opts;
	struct sm_root root;
	struct sm_loop loop;
	struct sm_procs procs;
	struct capture capture;
	struct source source;
	struct track track;
	struct view view;
	struct summary summary;
	struct rates rates;
	struct sm_command command;
	int socket;             /* handle in the loop */
	bool have_capture;
	bool stop;
	uint64_t settle_ns;     /* COMMAND has ended: wait for its tree's exits until then */
	uint64_t start_ns;      /* events from before are not shown */
	uint64_t end_ns;        /* --duration; SM_LOOP_FOREVER without */
	uint64_t perf_lost_seen, perf_lost_shown_ns, output_lost_seen;
	struct sm_outlet outlet;
	int error;              /* -errno that ended the run */
	const char *error_what;
};

/* Opens everything, then drops privileges.  0, or an exit code; messages are out then. */
int run_open(struct run *r, char **command) SM_MUST;
/* Until the end; returns the exit code. */
int run_work(struct run *r) SM_MUST;
void run_close(struct run *r);

#endif
