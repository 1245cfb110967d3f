/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: powerstat's configuration, as the option table fills it.
 */
#ifndef PS_OPTS_H
#define PS_OPTS_H

#include "opt.h"
#include "out.h"
#include "rapl.h"
#include "tty.h"

enum ps_procs { PS_PROCS_AUTO, PS_PROCS_YES, PS_PROCS_NO }; /* or-ed while parsing */

#define PS_EXIT_SOURCE_LOST 3 /* in mid run */

enum ps_source { PS_AUTO, PS_BATTERY, PS_RAPL, PS_PERF, PS_HWMON, PS_NONE };

struct ps_opts {
	/* what to measure */
	int source;              /* -P, enum ps_source; -R is PS_RAPL, -z PS_NONE as last resort */
	bool rapl;               /* -R: forced, falls to the perf PMU when energy_uj is unreadable */
	bool no_power;           /* -z: go on without power */
	int total;               /* --total, enum sm_rapl_total */
	bool from_start;         /* -S: capacity drain averaged since the start */
	bool domains;            /* -D: a column for each domain; implies -R unless battery */
	bool joules;             /* -J */
	bool cstates;            /* -c */
	bool freq;               /* -f */
	bool gpu;                /* -g */
	bool thermal;            /* -t */
	bool hist;               /* -H */
	/* which samples count */
	bool redo_busy;          /* -b */
	uint32_t idle_centi_pct; /* -i: threshold, hundredths of a percent; default 9800 */
	bool redo_procs;         /* -p */
	int procs;               /* --procs, --no-procs: enum ps_procs */
	bool proc_log;           /* -s */
	/* outputs */
	bool minmax;             /* -m */
	bool list;               /* -l */
	struct sm_opt_to json, csv;
	const char *output, *prom;
	bool no_header;          /* -n: one heading only; --no-header none */
	bool no_heading_at_all;
	int time_style;          /* enum sm_time_style of the machine faces and the Time column */
	bool row_time;
	int color;
	/* run */
	uint64_t interval_ns;    /* 0 = the source's default: 10 s, RAPL 1 s */
	bool have_count;
	uint64_t count;          /* 0 = until stopped; without one: the default run's */
	uint64_t first_ns, second; /* while parsing: the operands DELAY and COUNT, until it is */
	bool have_second;          /* known that no option says the same */
	uint64_t start_delay_ns; /* -d */
	bool have_start_delay;   /* else 180 s on battery, 0 with RAPL and -z */
	uint64_t duration_ns;
	bool realtime;           /* --rt[=PRIO] */
	uint64_t rt_priority;
	const char *load_modules; /* --load-modules[=LIST]; "" = the default list */
	bool keep_privileges, strict;
	const char *root;
};

extern const struct ps_opts ps_opts_default;

#endif
