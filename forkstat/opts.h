/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: the configuration of forkstat, filled by the option table.
 */
#ifndef FORKSTAT_OPTS_H
#define FORKSTAT_OPTS_H

#include "cli/app_opts.h"
#include "format/table.h"
#include "cli/tty.h"

/* Kinds of events; bit numbers of opts.events. */
enum event {
	EVENT_FORK,
	EVENT_EXEC,
	EVENT_EXIT,
	EVENT_CORE,
	EVENT_COMM,
	EVENT_CLONE,
	EVENT_PTRCE,
	EVENT_UID,
	EVENT_GID,
	EVENT_SID,
	EVENT_LOST,
	EVENT_KINDS
};

#define EVENT_BIT(e) (1u << (e))
#define EVENTS_ALL   (EVENT_BIT(EVENT_KINDS) - 1)
#define EVENTS_DEFAULT                                                                 \
	(EVENT_BIT(EVENT_FORK) | EVENT_BIT(EVENT_EXEC) | EVENT_BIT(EVENT_EXIT) |       \
		EVENT_BIT(EVENT_CLONE) | EVENT_BIT(EVENT_PTRCE) | EVENT_BIT(EVENT_LOST))

/* Optional data about a task (facts.h); bit numbers of opts.facts. */
enum fact { FACT_CGROUP, FACT_LOGINUID, FACT_ENV, FACTS };

const char *event_name(enum event e);

enum exit_filter { EXIT_ANY, EXIT_NONZERO, EXIT_ZERO, EXIT_SIGNAL, EXIT_CORE, EXIT_STATUS };
enum exec_source { SOURCE_AUTO, SOURCE_BPF, SOURCE_PERF, SOURCE_PROC };

struct opts {
	struct sm_app_opts app;  /* first: the shared rows of the option table fill it */
	uint32_t events;         /* bits of enum event; 0 = not given */
	/* names */
	bool comm, strip_path, short_name, full_command, quote;
	/* columns */
	bool glyphs, extra, show_ppid, show_tid, parent;
	uint32_t facts;          /* bits of enum fact */
	const char *env;         /* name of the variable of FACT_ENV */
	bool usec;               /* times have microseconds */
	/* filters */
	struct sm_opt_list pids, ppids, pgrps, uids;
	const char *name_glob, *args_glob, *comm_glob, *cgroup;
	bool failed;             /* show failed execs */
	int exit_filter;         /* enum exit_filter */
	unsigned int exit_status; /* for EXIT_STATUS, as a shell reports it */
	uint64_t min_duration_ns, max_duration_ns;
	/* statistics */
	bool by_command;         /* count command lines, not programs */
	/* run */
	uint64_t buffer_bytes, ring_bytes;
	int source;              /* enum exec_source */
};

extern const struct opts opts_default;

#endif
