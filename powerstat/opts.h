/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: powerstat's configuration, filled by the option table.
 */
#ifndef POWERSTAT_OPTS_H
#define POWERSTAT_OPTS_H

#include "cli/app_opts.h"
#include "out/table.h"
#include "power/source.h"
#include "cli/tty.h"

struct opts {
	struct sm_app_opts app;  /* first: filled by the shared rows of the option table */
	/* what to measure */
	int source;              /* -P, enum sm_source_kind; -R is SM_SOURCE_RAPL */
	bool rapl;               /* -R */
	bool no_power;           /* -z: run without a power source if there is none */
	int total;               /* --total, enum sm_rapl_total */
	bool from_start;         /* -S: capacity drain averaged since the start */
	bool domains;            /* -D: a column for each domain */
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
	bool procs, no_procs;    /* neither: if they cost nothing */
	bool proc_log;           /* -s */
	/* outputs */
	bool minmax;             /* -m */
	bool list;               /* -l */
	bool no_repeat;          /* -n: one heading only */
	/* run */
	uint64_t start_delay_ns; /* -d */
	uint64_t idle_ns;        /* --baseline: time of the idle machine before COMMAND; 0: none */
	uint64_t repeat;         /* --repeat: runs of COMMAND; 0: one, without a report of its own */
	bool have_start_delay;   /* else 180 s on battery, else 0 */
	const char *load_modules; /* --load-modules[=LIST]; "": the default list */
};

extern const struct opts opts_default;

#endif
