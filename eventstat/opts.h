/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: eventstat's configuration, as the option table fills it.
 */
#ifndef EVENTSTAT_OPTS_H
#define EVENTSTAT_OPTS_H

#include "cli/app_opts.h"
#include "out/table.h"

#define INTERVAL_MIN_NS (100 * SM_NSEC_PER_MSEC)

enum sort { SORT_EVENTS, SORT_WAKE, SORT_IDLE, SORT_CPU, SORT_PID, SORT_NAME };
enum group { GROUP_THREAD, GROUP_PROCESS, GROUP_COMM, GROUP_FUNCTION, GROUP_CGROUP };

/* Kinds of timers (-e), bits. */
enum { KIND_HRTIMER = 1, KIND_WHEEL = 2, KIND_ALL = 3 };

struct opts {
	struct sm_app_opts app;  /* first: the shared rows of the option table fill it */
	/* what to show */
	bool brief;            /* -b: rate, PID and name alone */
	bool extended;         /* -x: expiries, idle ones, kind */
	bool wakeups;          /* what ended the sleeps of CPUs, instead of timers */
	bool histogram;        /* of the lengths of these sleeps, at the end */
	bool cumulative;       /* -c: events since the start instead of rates */
	bool counts;           /* -C: counts instead of rates in the report */
	bool statistics;       /* -S: minimum, maximum ... in the report */
	bool tick;             /* rows of the tick, too */
	bool self;             /* eventstat's own, too */
	bool timer_id;         /* -i: timers one by one */
	bool stamp;            /* -w: a line with the time after each sample */
	bool tui;              /* -T */
	/* names */
	bool strip_path;       /* -d */
	bool full_command;     /* -l */
	bool short_name;       /* -s */
	/* which events */
	bool kernel, user;     /* -k, -u: only those */
	struct sm_opt_list pids, uids;
	const char *name_glob; /* --comm */
	const char *text;      /* of the screen: part of a name */
	const char *func_glob; /* --func */
	unsigned int kinds;    /* -e */
	uint64_t threshold_milli; /* -t: thousandths of an event per second */
	int group, sort;
	int method;            /* enum method of source.h */
	bool verbose;          /* -v */
	const char *report;    /* -r */
};

extern const struct opts opts_default;

#endif
