/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series: takes the snapshots of a batch run, of each process in turn, in steps of the loop.
 *
 * A process whose new program the opener has not opened yet is read after the others.  When the next snapshot
 * is due, a row "waiting" takes its place; without a next one, it is lost after an interval.
 *
 * A snapshot that is due while another is being taken is missed, and counted.  After a snapshot, the series
 * pauses for nine times the CPU time of the snapshot, so that it uses at most a tenth of a CPU; snapshots
 * due in the pause are missed as well.  With a slow reader, a snapshot waits instead of losing rows: the
 * rows of a process come from memory, and the next row is printed when the queue has room.  A snapshot
 * whose rows are being printed when the run ends is printed to its end.
 */
#ifndef PAGEMON_SERIES_H
#define PAGEMON_SERIES_H

#include "view.h"
#include "proc/proctree.h"

struct run;

enum series_stage {
	STAGE_MAPPINGS,            /* its mappings have to be read */
	STAGE_FILL,                /* -r: its swapped pages are being read in */
	STAGE_PAGES,               /* a pass over its pages */
	STAGE_ROWS,                /* it has been read, and its rows are printed */
};

struct series {
	struct view view;
	uint64_t max;              /* number of snapshots; 0: no limit */
	struct view_sample sample; /* data of the snapshot in progress or of the last one */
	size_t at;                 /* index of the process that is being read */
	size_t alive;              /* number of monitored processes */
	bool reading;              /* a snapshot is in progress */
	enum series_stage stage;   /* stage of the process at `at` */
	bool starting;             /* COMMAND has not executed its program yet */
	size_t row;                /* the next row of the process at `at` */
	unsigned int tries;        /* attempts to read the process at `at` */
	size_t late;               /* number of processes that wait for their new program, if the others have
				    * been read */
	struct peek_fill fill;
	struct sm_proctree tree;          /* with COMMAND: finds its descendants */
	bool left_out_said;        /* a message about left-out descendants was printed */
	uint64_t not_before_ns;    /* CLOCK_MONOTONIC: earliest start of the next snapshot */
	uint64_t cpu_begin_ns;     /* CPU time at the start of the snapshot */
	int exits_fd;              /* an epoll of all pidfds */
};

/* Call this first. */
void series_init(struct run *r);
/* Call this when the processes are open, before the drop.  Returns 0 or an exit code. */
int series_open(struct run *r) SM_MUST;
void series_close(struct run *r);
/* After the drop: prints the header and begins the first snapshot. */
void series_begin(struct run *r);
/* Functions for struct sm_app_tool. */
uint64_t series_next(const struct run *r);
void series_iterate(struct run *r);
void series_sample(struct run *r);
/* Reports the exit of COMMAND at the end of the loop. */
void series_last(struct run *r);
int series_verdict(const struct run *r);

#endif
