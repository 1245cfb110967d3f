/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: cpustat's configuration, as the option table fills it.
 */
#ifndef CS_OPTS_H
#define CS_OPTS_H

#include "opt_value.h"
#include "out.h"
#include "tty.h"

#define CS_INTERVAL_MIN_NS (10 * SM_NSEC_PER_MSEC) /* also of sub-samples */

enum cs_sort { CS_SORT_CPU, CS_SORT_USR, CS_SORT_SYS, CS_SORT_WAIT, CS_SORT_TIME, CS_SORT_PID,
	CS_SORT_NAME };
enum cs_group { CS_GROUP_NONE, CS_GROUP_COMM, CS_GROUP_USER, CS_GROUP_CGROUP, CS_GROUP_PARENT };
enum cs_source { CS_SOURCE_AUTO, CS_SOURCE_CLOCK, CS_SOURCE_PROC };

struct cs_opts {
	/* names */
	bool comm;             /* -c */
	bool strip_path;       /* -d: directory of argv[0] only */
	bool full_command;     /* -l */
	bool short_name;       /* -s: up to the first blank */
	bool no_cut;           /* -w */
	/* which tasks */
	struct sm_opt_list pids, uids;
	const char *name_glob; /* -C, --comm=GLOB */
	const char *cgroup;    /* -k: path prefix */
	bool ignore_self;      /* -i */
	uint64_t threshold_mticks;  /* -t: thousandths of USER_HZ ticks per second; 0 = none */
	uint32_t threshold_centi_pct; /* -t 5%: hundredths of a percent; 0 = none */
	uint64_t limit;        /* -n; 0 = all */
	/* what to show */
	bool all_cpus;         /* -a: percent of all CPUs */
	bool threads;          /* -H */
	int group;             /* -G, enum cs_group */
	int sort;              /* -o, enum cs_sort */
	bool wait;             /* -W */
	uint64_t subsamples;   /* -m; 0, 1 = one */
	bool total;            /* -T */
	bool system;           /* -x */
	bool summary;          /* -g: grand total at the end */
	bool distribution;     /* -D */
	bool heading_time;     /* -S */
	int time_style;        /* --timestamp on every row: enum sm_time_style */
	bool row_time;         /* --timestamp was given */
	bool quiet;            /* -q */
	bool no_header;        /* -N */
	bool tui;              /* -X */
	int color;             /* enum sm_color */
	/* outputs */
	struct sm_opt_to json, csv;
	const char *wide_csv;  /* -r: the original's CSV, written at the end */
	const char *output, *prom;
	bool line_buffered;
	/* run */
	uint64_t interval_ns;  /* DELAY, --interval */
	uint64_t count;        /* COUNT, --count; 0 = endless */
	uint64_t delay_ns, times; /* the operands, until they are interval_ns and count; 0 = none */
	uint64_t option_interval_ns, option_count; /* the options, in the same way */
	uint64_t duration_ns;  /* 0 = endless */
	int source;            /* enum cs_source */
	bool realtime, keep_privileges, strict;
	const char *root;
};

extern const struct cs_opts cs_opts_default;

#endif
