/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live: the state of the screen's loop, which interactive, frame and asks share. */
#ifndef PAGEMON_LIVE_H
#define PAGEMON_LIVE_H

#include <errno.h>

#include "budget.h"
#include "pages/cells.h"
#include "pages/census.h"
#include "../run.h"
#include "screen/screen.h"
#include "seek.h"

struct interactive {
	struct screen *screen;
	struct screen_input in;
	struct snapshot *proc;      /* what is watched */
	struct budget budget;
	struct cells *cells;
	struct census *census;
	struct there there;
	struct vmfacts vm;
	struct faults faults;
	struct pagefacts page;
	struct seek seek;
	struct peek_fill fill;
	bool filling;
	bool counting;              /* the census is in progress */
	bool listed;                /* of each mapping, too */
	bool folding;               /* the search for empty ranges is in progress */
	bool check;                 /* the process may have ended, or execute another program */
	bool keyed;                 /* a key has changed something since the last refresh */
	uint64_t refresh_ns;        /* of the next one */
	uint64_t refreshes;         /* since the start, or the last program */
	uint64_t count_ns;          /* when the totals are counted again, at the earliest */
	uint64_t count_cpu_ns;      /* that the present counting has taken */
	uint64_t maps_ns;           /* the same of the mappings; */
	uint64_t walk_ns;           /* of the cells; */
	uint64_t walk_cpu_ns;       /* that the present walk has taken */
	uint64_t marked_ns;         /* until then the screen marks what has changed */
	bool keys;                  /* some are waiting */
	uint64_t rollup_ns;         /* the same of smaps_rollup */
	char note[40];
	struct sm_buf last;         /* the screen's last lines, for the terminal */
};

/* An error of reading; -ESRCH: the process is looked at. */
static inline void live_failed(struct run *r, int err)
{
	if (err == -ESRCH)
		r->screen->check = true;
	else
		sm_app_fail(&r->app, "/proc", err);
}

#endif
