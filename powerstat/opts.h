/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: powerstat's configuration, filled by the option table.
 */
#ifndef POWERSTAT_OPTS_H
#define POWERSTAT_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"
#include "power/source.h"
#include "cli/tty.h"

struct opts {
	struct sm_app_opts app;  /* first: filled by the shared rows of the option table */
	/* what to measure */
	int source;              /* -P, enum sm_source_kind; -R is SM_SOURCE_RAPL */
	const char *sensors;     /* -P hwmon:LIST: labels of the sensors to add up; NULL: not given */
	bool rapl;               /* -R */
	bool no_power;           /* -z: run even if no power source is found */
	int total;               /* --total, enum sm_rapl_total */
	bool from_start;         /* -S: average the fall of the level since the start */
	bool domains;            /* -D: show a column for each domain */
	bool joules;             /* -J */
	bool cstates;            /* -c */
	bool freq;               /* -f */
	bool gpu;                /* -g */
	bool thermal;            /* -t */
	bool hist;               /* -H */
	/* which samples to discard */
	bool redo_busy;          /* -b */
	uint32_t idle_centi_pct; /* -i: threshold, hundredths of a percent; default 9800 */
	bool redo_procs;         /* -p */
	bool procs, no_procs;    /* neither: count process events if the kernel does it */
	bool proc_log;           /* -s */
	/* outputs */
	bool minmax;             /* -m */
	bool list;               /* -l */
	bool no_repeat;          /* -n: print the header once */
	/* run */
	uint64_t start_delay_ns; /* -d */
	uint64_t idle_ns;        /* --baseline: measure the idle machine so long before COMMAND; 0: do not */
	uint64_t repeat;         /* --repeat: runs of COMMAND; 0: one run, which is not reported separately */
	bool have_start_delay;   /* false: 180 s on battery unless RAPL has columns, otherwise 0 */
	const char *load_modules; /* --load-modules[=LIST]; "": the default list */
};

extern const struct opts opts_default;

#endif
