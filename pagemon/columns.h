/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the one column table of pagemon's rows, for all formats.  A row is a process, with -m a
 * mapping, with -x a run of pages in equal state.
 */
#ifndef PAGEMON_COLUMNS_H
#define PAGEMON_COLUMNS_H

#include "opts.h"

enum column {
	C_TIME,
	C_MONO,      /* machine: the same in CLOCK_MONOTONIC */
	C_PID,
	C_MAPPINGS,  /* a process, from here; human: maps */
	C_RANGE,     /* human, -m and -x, from here: address */
	C_START,     /* machine */
	C_END,       /* machine */
	C_PERMS,
	C_OFFSET,    /* human: hexadecimal */
	C_OFFSET_BYTES, /* machine */
	C_DEVICE,
	C_INODE,     /* to here */
	C_MAPPED,    /* of a run: its size */
	C_PRESENT,   /* but of a run, from here */
	C_SWAP,
	C_FILE,
	C_ANON,
	C_ZERO,
	C_HUGE,
	C_GUARD,
	C_DIRTY,
	C_EXCL,      /* to here */
	C_MINFLT,    /* a process, from here */
	C_MAJFLT,
	C_COMM,      /* to here */
	C_STATE,     /* -x */
	C_NAME,      /* -m and -x */
	C_N
};

extern const struct sm_column pagemon_columns[C_N];

void columns_set_up(
	struct sm_table *out, enum sm_format format, struct sm_sink *sink, const struct opts *o);

#endif
