/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: forkstat's one column table, for people and for machines.
 */
#ifndef FS_COLUMNS_H
#define FS_COLUMNS_H

#include "out.h"

enum fs_column {
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
	C_GLYPH,
	C_INFO,
	C_DURATION,
	C_STATUS,
	C_SIGNAL,
	C_SIGNAME,
	C_CORE,
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
	C_ARGV,
	C_PROCESS,
	C_N
};

extern const struct sm_col fs_columns[C_N];

#endif
