/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the column table of pagemon's rows, for all formats.  A row is a process or, with -m, a mapping
 * or, with -x, a run of pages in the same state.
 */
#ifndef PAGEMON_COLUMNS_H
#define PAGEMON_COLUMNS_H

#include "opts.h"

enum column {
	C_TIME,
	C_MONO,      /* machine formats only */
	C_PID,
	C_MAPPINGS,  /* rows of processes only */
	C_RANGE,     /* table only; first column for -m and -x */
	C_START,     /* machine formats only */
	C_END,       /* machine formats only */
	C_PERMS,
	C_OFFSET,    /* table only */
	C_OFFSET_BYTES, /* machine formats only */
	C_DEVICE,
	C_INODE,     /* last column for -m and -x */
	C_MAPPED,
	C_PRESENT,   /* first column for processes and -m */
	C_SWAP,
	C_FILE,
	C_ANON,
	C_ZERO,
	C_HUGE,
	C_GUARD,
	C_DIRTY,
	C_EXCL,
	C_OTHER,     /* machine formats only; last column for processes and -m */
	C_PSS,       /* first column of --smaps, in the order of enum usage_key */
	C_SWAP_PSS,
	C_REFERENCED,
	C_LAZY_FREE,
	C_LOCKED,
	C_DELETED,   /* last column of --smaps */
	C_MINFLT,    /* first column for processes */
	C_MAJFLT,
	C_PEAK,      /* CSV, with COMMAND: the last row only */
	C_COMM,      /* last column for processes */
	C_STATE,     /* -x */
	C_NAME,      /* -m and -x */
	C_N
};

/* Columns that each kind of row lacks. */
#define COLUMNS_NOT_OF_PROCESS (SM_COLUMN_BITS(C_RANGE, C_INODE) | SM_COLUMN_BITS(C_STATE, C_NAME))
#define COLUMNS_NOT_OF_MAPPING (SM_COLUMN_BITS(C_MAPPINGS, C_MAPPINGS) | SM_COLUMN_BITS(C_MINFLT, C_STATE))
#define COLUMNS_NOT_OF_RUN (SM_COLUMN_BITS(C_MAPPINGS, C_MAPPINGS) | SM_COLUMN_BITS(C_PRESENT, C_COMM))

extern const struct sm_column pagemon_columns[C_N];

void columns_set_up(
	struct sm_table *out, enum sm_format format, struct sm_sink *sink, const struct opts *o,
	bool command);

#endif
