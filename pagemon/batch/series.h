/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series: the snapshots of batch, one after the other: of each process in turn, in steps of the loop.
 *
 * A snapshot that is due while another is being taken is missed, and counted. After a snapshot nine times
 * the CPU time that it took passes before the next one, so that the series uses at most a tenth of a CPU:
 * what is due before is missed, too. With a slow reader a snapshot waits, too, instead of losing rows.
 */
#ifndef PAGEMON_SERIES_H
#define PAGEMON_SERIES_H

#include "view.h"

struct run;

enum series_stage {
	STAGE_MAPPINGS,            /* its mappings are to be read */
	STAGE_FILL,                /* -r: its swapped pages are being read in */
	STAGE_PAGES,               /* a pass over its pages */
};

struct series {
	struct view view;
	uint64_t max;              /* snapshots; 0: until the end */
	struct view_sample sample; /* of the snapshot that is being taken, or was last complete */
	size_t at;                 /* the process that is being read */
	size_t alive;              /* processes that are watched */
	bool reading;
	enum series_stage stage;   /* of the process at `at` */
	bool starting;             /* COMMAND has not executed its program yet */
	unsigned int tries;        /* of the process at `at` */
	struct peek_fill fill;
	uint64_t not_before_ns;    /* CLOCK_MONOTONIC: of the next one */
	uint64_t cpu_begin_ns;
	int exits_fd;              /* an epoll of all pidfds */
};

#define SERIES_INIT { .exits_fd = -1 }

/* Before all else. */
void series_init(struct run *r);
/* The processes are open; before the drop.  0 or an exit code. */
int series_open(struct run *r) SM_MUST;
void series_close(struct run *r);
/* After the drop: headings, the first snapshot. */
void series_begin(struct run *r);
/* For struct sm_app_tool. */
uint64_t series_next(const struct run *r);
void series_iterate(struct run *r);
void series_sample(struct run *r);
/* The loop has ended: what COMMAND became of. */
void series_last(struct run *r);
void series_summary(struct run *r);
int series_verdict(const struct run *r);

#endif
