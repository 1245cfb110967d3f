/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: the configuration of eventstat, which the option table fills.
 */
#ifndef EVENTSTAT_OPTS_H
#define EVENTSTAT_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"

enum sort { SORT_EVENTS, SORT_WAKE, SORT_IDLE, SORT_CPU, SORT_PID, SORT_NAME };
enum group { GROUP_THREAD, GROUP_PROCESS, GROUP_COMM, GROUP_FUNCTION, GROUP_CGROUP };

/* Kinds of timers (-e), bits. */
enum { KIND_HRTIMER = 1, KIND_WHEEL = 2, KIND_ALL = 3 };

struct opts {
	struct sm_app_opts app;  /* first: the shared rows of the option table fill it */
	/* what to show */
	bool brief;            /* -b: only rate, PID and name */
	bool extended;         /* -x: columns for expiries and kind */
	bool wakeups;          /* show wakeups instead of timers */
	bool woke;             /* rows have the task that ran first */
	bool histogram;        /* print a histogram of idle periods at the end */
	bool cumulative;       /* -c: events since the start instead of rates */
	bool counts;           /* -C: counts instead of rates in the report */
	bool statistics;       /* -S: minimum, maximum ... in the report */
	bool tick;             /* include rows of the tick */
	bool self;             /* include timers of eventstat itself */
	bool timer_id;         /* -i: a row for each timer */
	bool stamp;            /* -w: a line with the time after each sample */
	bool tui;              /* -T */
	/* names */
	bool strip_path;       /* -d */
	bool full_command;     /* -l */
	bool short_name;       /* -s */
	/* which events */
	bool kernel, user;     /* -k, -u */
	struct sm_opt_list pids, uids;
	const char *name_glob; /* --comm */
	const char *text;      /* part of a name, typed on the screen */
	const char *func_glob; /* --func */
	unsigned int kinds;    /* -e */
	uint64_t threshold_milli; /* -t: thousandths of an event per second */
	int group, sort;
	int method;            /* enum method (source.h) */
	bool verbose;          /* -v */
	const char *report;    /* -r */
};

extern const struct opts opts_default;

#endif
