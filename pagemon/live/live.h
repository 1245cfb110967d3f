/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live: the state of the screen's loop, which interactive, frame and asks share. */
#ifndef PAGEMON_LIVE_H
#define PAGEMON_LIVE_H

#include <errno.h>

#include "budget.h"
#include "pages/cells.h"
#include "pages/census.h"
#include "rest.h"
#include "../run.h"
#include "screen/screen.h"
#include "seek.h"

struct interactive {
	struct screen *screen;
	struct screen_input in;
	struct snapshot *proc;      /* the monitored process */
	struct budget budget;
	struct cells cells;
	struct census census;
	struct vmfacts vm;
	struct faults faults;
	struct pagefacts page;
	struct seek seek;
	struct peek_fill fill;
	bool filling;
	bool fill_later;            /* pages will be read in when mem is open */
	bool counting;              /* the census is in progress */
	bool listed;                /* the census also counts each mapping */
	bool check;                 /* the process may have exited or executed another program */
	bool keyed;                 /* a key has changed something since the last refresh */
	uint64_t refresh_ns;        /* time of the next refresh */
	uint64_t refreshes;         /* number of refreshes since the start or the last exec */
	struct vm_activity activity;      /* at this refresh */
	struct rest walk_rest;      /* of the cells */
	struct rest count_rest;     /* of the census */
	uint64_t maps_ns;           /* earliest time of the next reading of the mappings */
	uint64_t marked_ns;         /* end of the marks of changed cells */
	bool keys;                  /* keys are waiting */
	uint64_t usages_ns;         /* earliest time of the next reading of smaps (--smaps) */
	uint64_t rollup_ns;         /* earliest time of the next reading of smaps_rollup */
	char note[40];
	struct sm_buf last;         /* the last map, for the terminal */
};

/* Returns whether the files of a new program are being opened, so that nothing can be read. */
static inline bool live_waits(const struct interactive *w)
{
	return w->proc->target.state == TARGET_WAITING;
}

/* Handles an error of reading; -ESRCH: the process will be checked. */
static inline void live_failed(struct run *r, int err)
{
	if (err == -ESRCH)
		r->screen->check = true;
	else
		sm_app_fail(&r->app, "/proc", err);
}

#endif
