/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts: forkstat's configuration, as the option table fills it.
 */
#ifndef FS_OPTS_H
#define FS_OPTS_H

#include "opt_value.h"
#include "out.h"
#include "tty.h"

/* What a row can be about; bit numbers of fs_opts.events. */
enum fs_event {
	FS_FORK,
	FS_EXEC,
	FS_EXIT,
	FS_CORE,
	FS_COMM,
	FS_CLONE,
	FS_PTRCE,
	FS_UID,
	FS_GID,
	FS_SID,
	FS_LOST,
	FS_NEVENTS
};

#define FS_BIT(e)         (1u << (e))
#define FS_EVENTS_ALL     (FS_BIT(FS_NEVENTS) - 1)
#define FS_EVENTS_DEFAULT                                                                 \
	(FS_BIT(FS_FORK) | FS_BIT(FS_EXEC) | FS_BIT(FS_EXIT) | FS_BIT(FS_CLONE) |          \
		FS_BIT(FS_PTRCE) | FS_BIT(FS_LOST))

const char *fs_event_name(enum fs_event e);

enum fs_exit_filter { FS_EXIT_ANY, FS_EXIT_NONZERO, FS_EXIT_ZERO, FS_EXIT_SIGNAL, FS_EXIT_CORE };
enum fs_source { FS_SOURCE_AUTO, FS_SOURCE_BPF, FS_SOURCE_PERF, FS_SOURCE_PROC };

struct fs_opts {
	uint32_t events;         /* bits of enum fs_event; 0 = not given */
	/* names */
	bool comm, strip_path, short_name, full_command;
	/* columns */
	bool glyphs, extra, show_ppid, show_tid, no_header;
	int time_style;          /* enum sm_time_style */
	uint64_t time_decimals;
	int color;               /* enum sm_color */
	/* outputs */
	struct sm_opt_to json, csv;
	bool quiet, summary, line_buffered;
	const char *output, *prom;
	uint64_t limit;          /* rows of the top lists and the statistics */
	/* filters */
	struct sm_opt_list pids, ppids, pgrps, uids;
	const char *name_glob, *comm_glob;
	int exit_filter;         /* enum fs_exit_filter */
	uint64_t min_duration_ns, max_duration_ns;
	/* run */
	uint64_t duration_ns, interval_ns, count;
	uint64_t buffer_bytes, ring_bytes, queue_bytes;
	int source;              /* enum fs_source */
	bool realtime, strict, keep_privileges;
	const char *root;
};

extern const struct fs_opts fs_opts_default;

#endif
