/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: cpustat's configuration, as the option table fills it.
 */
#ifndef CPUSTAT_OPTS_H
#define CPUSTAT_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"
#include "cli/tty.h"

#define INTERVAL_MIN_NS (10 * SM_NSEC_PER_MSEC) /* shortest sample or sub-sample */

enum sort { SORT_CPU, SORT_USR, SORT_SYS, SORT_WAIT, SORT_TIME, SORT_PID,
	SORT_NAME };
enum group { GROUP_NONE, GROUP_COMM, GROUP_USER, GROUP_CGROUP, GROUP_PARENT };
enum source { SOURCE_AUTO, SOURCE_BPF, SOURCE_CLOCK, SOURCE_PROC };

struct opts {
	struct sm_app_opts app;  /* first: filled by the shared rows of the option table */
	/* names */
	bool comm;             /* -c */
	bool strip_path;       /* -d: directory of argv[0] only */
	bool full_command;     /* -l */
	bool short_name;       /* -s: up to the first space */
	bool no_cut;           /* -w */
	/* which tasks */
	struct sm_opt_list pids, uids;
	const char *name_glob; /* -C, --comm=GLOB */
	const char *text;      /* filter of the screen: part of comm or of the command line */
	const char *cgroup;    /* -k: path prefix */
	bool ignore_self;      /* -i */
	uint64_t threshold_mticks;  /* -t: thousandths of USER_HZ ticks per second; 0 = no limit */
	uint32_t threshold_centi_pct; /* -t 5%: hundredths of a percent; 0 = no limit */
	/* what to show */
	bool all_cpus;         /* -a: percent of all CPUs */
	bool threads;          /* -H */
	int group;             /* -G, enum group */
	int sort;              /* -o, enum sort */
	bool wait;             /* -W */
	uint64_t subsamples;   /* -m; 0, 1 = one */
	bool total;            /* -T */
	bool system;           /* -x */
	bool distribution;     /* -D */
	bool heading_time;     /* -S */
	bool tui;              /* -X */
	const char *report;    /* -r: the original's CSV, written at the end */
	int source;            /* enum source */
};

extern const struct opts opts_default;

#endif
