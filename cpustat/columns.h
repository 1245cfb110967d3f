/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: the one column table of cpustat, for all formats.
 *
 * The first seven columns have the order of the original, because scripts select them by number:
 * $1 %CPU, $2 %USR, $3 %SYS, $4 PID, $5 S, $6 CPU, $7 Time.  Columns of options are between Time
 * and Task; only --timestamp (first) and the PID of a thread's process (after the TID) move the
 * rest.
 */
#ifndef CPUSTAT_COLUMNS_H
#define CPUSTAT_COLUMNS_H

#include "format/table.h"
#include "opts.h"

enum column {
	C_TIME,     /* human: with --timestamp; machine formats: always */
	C_MONO,     /* machine: end of the sample, CLOCK_MONOTONIC */
	C_DT,       /* machine: interval of the percentages */
	C_KIND,     /* machine: process thread exited group softirq irq unaccounted others */
	C_CPU_PCT,  /* %CPU */
	C_USR_PCT,  /* %USR */
	C_SYS_PCT,  /* %SYS */
	C_PID,      /* PID (TID with -H) */
	C_TGID,     /* machine; human PID with -H */
	C_PPID,     /* machine */
	C_UID,      /* machine, where known */
	C_STATE,    /* S */
	C_CPU,      /* CPU */
	C_TOTAL,    /* Time: CPU time since the start */
	C_WAIT_PCT, /* %WAIT, with -W */
	C_MIN_PCT,  /* %MIN, with -m */
	C_MAX_PCT,  /* %MAX */
	C_MEMBERS,  /* with -G: Tasks */
	C_USED,     /* machine: cpu_ns, exact */
	C_COMM,     /* machine */
	C_CGROUP,   /* machine, where read */
	C_ARGV,     /* JSON: argv */
	C_COMMAND,  /* CSV: command, joined */
	C_TRUNCATED, /* machine: argv or command was truncated */
	C_EXITED,   /* JSON: programs of exited children */
	C_TASK,     /* human: Task */
	C_N
};

extern const struct sm_column cpustat_columns[C_N];

/* Initialises the table of one format: the columns that the options select, as wide as pid_max
 * needs; the human table fits its terminal. */
void columns_set_up(struct sm_table *out, enum sm_format format, struct sm_sink *sink,
	const struct opts *o, uint32_t pid_max);
/* Fits the human table to the current width of its terminal, unless -w. */
void columns_fit(struct sm_table *out, const struct opts *o);

#endif
