/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the column table of eventstat, for all formats.  The columns of the original keep their
 * order, because scripts select them by number.
 */
#ifndef EVENTSTAT_COLUMNS_H
#define EVENTSTAT_COLUMNS_H

#include "format/table.h"
#include "opts.h"

enum column {
	C_TIME,     /* table: with --timestamp; machine formats: always */
	C_MONO,     /* machine: CLOCK_MONOTONIC */
	C_DT,       /* machine: length of the interval */
	C_RATE,     /* Event/s; with -c Events, machine: starts_per_s */
	C_STARTS,   /* machine */
	C_EXPIRIES, /* machine */
	C_IDLE,     /* machine */
	C_WOKEN_RATE, /* first of --wakeups: Wakeup/s; with -c Wakeups */
	C_WOKEN,    /* machine */
	C_SHARE,    /* Share */
	C_SLEPT,    /* machine */
	C_SLEPT_MEAN, /* Slept ms; last of --wakeups */
	C_PID,      /* PID */
	C_TGID,     /* machine */
	C_UID,      /* machine */
	C_CPU_PCT,  /* %CPU */
	C_PR,       /* PR: real-time priority */
	C_NI,       /* NI */
	C_MEMBERS,  /* with -g: Rows */
	C_WAKE_RATE, /* -x: Wake/s */
	C_IDLE_RATE, /* -x: Idle/s */
	C_KIND,     /* -x: T; machine: kind */
	C_KTHREAD,  /* machine */
	C_COMM,     /* machine */
	C_CGROUP,   /* machine, if read */
	C_ARGV,     /* JSON */
	C_COMMAND,  /* CSV */
	C_TASK,     /* table: Task */
	C_CAUSE,    /* --wakeups: Cause */
	C_WOKE,     /* --woke */
	C_WOKE_KTHREAD, /* --woke, machine */
	C_IRQ,      /* --wakeups, machine */
	C_DEVICE,   /* --wakeups, machine */
	C_WHAT,     /* --wakeups, table: Callback or device */
	C_TIMER,    /* -i: Timer ID */
	C_FUNC,     /* Callback */
	C_WORK,     /* machine */
	C_N
};

extern const struct sm_column eventstat_columns[C_N];
/* Columns that only timers or only wakeups have; the others are common to both. */
#define COLUMNS_OF_TIMERS                                                                 \
	(SM_COLUMN_BITS(C_RATE, C_IDLE) | SM_COLUMN_BITS(C_CPU_PCT, C_NI) |               \
		SM_COLUMN_BITS(C_WAKE_RATE, C_KIND) | SM_COLUMN_BITS(C_TIMER, C_TIMER))
#define COLUMNS_OF_WAKEUPS (SM_COLUMN_BITS(C_WOKEN_RATE, C_SLEPT_MEAN) | SM_COLUMN_BITS(C_CAUSE, C_WHAT))

void columns_set_up(
	struct sm_table *out, enum sm_format format, struct sm_sink *sink, const struct opts *o);
/* Divides the width that the other columns leave between Task and Callback, once the terminal is known. */
void columns_fit(struct sm_table *out);

#endif
