/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the column table of forkstat, for all formats.
 */
#ifndef FORKSTAT_COLUMNS_H
#define FORKSTAT_COLUMNS_H

#include "format/table.h"
#include "opts.h"

enum column {
	C_TIME,
	C_MONO,
	C_EVENT,
	C_PID,
	C_TGID,
	C_PPID,
	C_UID,
	C_EUID,
	C_USER,
	C_EUSER,
	C_TTY,
	C_PARENT,
	C_CGROUP,
	C_LOGINUID,
	C_ENV,
	C_SYMBOL,
	C_INFO,
	C_DURATION,
	C_STATUS,
	C_SIGNAL,
	C_SIGNAME,
	C_CORE,
	C_PROCESS_END,
	C_ERROR,
	C_TRACER,
	C_SID,
	C_RGID,
	C_EGID,
	C_COUNT,
	C_LOST_SOURCE,
	C_COMM,
	C_OLD_COMM,
	C_NAME_SOURCE,
	C_TRUNCATED,
	C_FILE,
	C_ARGV,
	C_PROCESS,
	C_N
};

extern const struct sm_column forkstat_columns[C_N];

/* Sets up the table of events: the columns that the options select, wide enough for pid_max, and on a
 * terminal with repeated headers. */
void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o, uint32_t pid_max);

/* Fits rows to the width of the terminal, unless --full-command is given: at startup and on SIGWINCH. */
void columns_fit(struct sm_table *out, const struct opts *o);

#endif
