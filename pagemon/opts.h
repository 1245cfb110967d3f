/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: pagemon's configuration, as the option table fills it.
 */
#ifndef PAGEMON_OPTS_H
#define PAGEMON_OPTS_H

#include "cli/app_opts.h"
#include "out/table.h"

#define OPTS_TARGETS_MAX 256
#define OPTS_DELAY_US    100000u /* 10 refreshes a second */
#define OPTS_DELAY_MIN_US 1000u
#define OPTS_TICKS       10u
#define OPTS_TICKS_MAX   1000u
#define OPTS_ZOOM_MAX    (UINT64_C(1) << 40)

enum method { METHOD_AUTO, METHOD_SCAN, METHOD_READ };

struct opts {
	struct sm_app_opts app;  /* first: the shared rows of the option table fill it */
	/* which processes: PIDs and names, as given */
	const char *targets[OPTS_TARGETS_MAX];
	unsigned int ntargets;
	/* the screen; 0: not given */
	bool auto_zoom;          /* -a */
	bool vm;                 /* -v */
	bool fold;               /* -e */
	bool no_hex;             /* -H */
	uint64_t delay_us;       /* -d */
	uint64_t ticks;          /* -t: refreshes; also turns the tracking on */
	uint64_t zoom;           /* -z: pages in a cell */
	/* batch */
	bool batch;              /* -b */
	bool mappings;           /* -m: a row for each mapping */
	bool runs;               /* -x: a row for each run of pages in equal state */
	/* both */
	bool dirty;              /* -D: soft-dirty bits are cleared, so that they show what was written */
	bool read_all;           /* -r: pages in swap are read in, once */
	int method;              /* enum method */
};

extern const struct opts opts_default;

/* An option was given that only rows need: they are shown on a terminal, too. */
bool opts_want_batch(const struct opts *o);
/* The first option given that only the screen has ("-a"); NULL: none. */
const char *opts_of_screen(const struct opts *o);

#endif
