/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: pagemon's configuration, filled in by the option table.
 */
#ifndef PAGEMON_OPTS_H
#define PAGEMON_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"

#define OPTS_CHILDREN_MAX 256u /* descendants of COMMAND at a time */
#define OPTS_DELAY_US    100000u /* 10 refreshes a second */
#define OPTS_DELAY_MIN_US 1000u
#define OPTS_TICKS       10u
#define OPTS_TICKS_MAX   1000u
#define OPTS_ZOOM_MAX    (UINT64_C(1) << 40)

struct opts {
	struct sm_app_opts app;  /* must be first: filled in by the shared rows of the option table */
	/* processes: PIDs and names, as given */
	const char **targets;
	unsigned int ntargets;
	size_t targets_cap;
	/* the screen; 0: not given */
	bool auto_zoom;          /* -a */
	bool vm;                 /* -v */
	bool fold;               /* -e */
	bool no_hex;             /* -H */
	uint64_t delay_us;       /* -d */
	uint64_t ticks;          /* -t: refreshes; also turns dirty tracking on */
	uint64_t zoom;           /* -z: pages in a cell */
	/* batch */
	bool batch;              /* -b */
	bool mappings;           /* -m: a row for each mapping */
	bool runs;               /* -x: a row for each run of pages in the same state */
	/* both */
	bool dirty;              /* -D: soft-dirty bits are cleared, so that they show later writes */
	bool read_all;           /* -r: swapped-out pages are read in once */
	bool smaps;              /* --smaps: columns of /proc/PID/smaps */
	int method;              /* enum pass_method */
};

extern const struct opts opts_default;

/* Returns whether an option requires rows, so that they are printed even on a terminal. */
bool opts_want_batch(const struct opts *o);
/* Returns the first given option that applies only to the screen, such as "-a", or NULL. */
const char *opts_of_screen(const struct opts *o);

#endif
