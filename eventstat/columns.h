/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the one column table of eventstat, for all formats.  The table has the columns of the
 * original in its order, because scripts select them by number.
 */
#ifndef EVENTSTAT_COLUMNS_H
#define EVENTSTAT_COLUMNS_H

#include "opts.h"
#include "out/table.h"

enum column {
	C_TIME,     /* human: --timestamp; machine formats always */
	C_MONO,     /* machine: the same in CLOCK_MONOTONIC */
	C_DT,       /* machine: the time that the rates refer to */
	C_RATE,     /* Event/s; with -c Events, machine: starts_per_s */
	C_STARTS,   /* machine */
	C_EXPIRIES, /* machine */
	C_IDLE,     /* machine */
	C_WOKEN_RATE, /* --wakeups, from here: Wakeup/s; with -c Wakeups */
	C_WOKEN,    /* machine */
	C_SHARE,    /* Share */
	C_SLEPT,    /* machine */
	C_SLEPT_MEAN, /* Slept ms; to here */
	C_PID,      /* PID: of the thread (-g thread) */
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
	C_CGROUP,   /* machine, where read */
	C_ARGV,     /* JSON */
	C_COMMAND,  /* CSV */
	C_TASK,     /* human: Task */
	C_CAUSE,    /* --wakeups: Cause */
	C_IRQ,      /* --wakeups, machine */
	C_DEVICE,   /* --wakeups, machine */
	C_WHAT,     /* --wakeups, human: Callback or device */
	C_TIMER,    /* -i: Timer ID */
	C_FUNC,     /* Callback */
	C_N
};

extern const struct sm_column eventstat_columns[C_N];

void columns_set_up(
	struct sm_table *out, enum sm_format format, struct sm_sink *sink, const struct opts *o);
/* Once the terminal is known: divides what the other columns leave between Task and Callback. */
void columns_fit(struct sm_table *out);

#endif
