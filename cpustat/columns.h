/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: cpustat's one column table, for people and for machines.
 *
 * The order is that of the original as far as its Time, so that scripts which cut columns
 * still find them: $1 %CPU, $2 %USR, $3 %SYS, $4 PID, $5 S, $6 CPU, $7 Time.  What an option
 * adds stands between Time and Task; only --timestamp (before all) and the PID of a thread's
 * process (after the TID) move the rest.
 */
#ifndef CS_COLUMNS_H
#define CS_COLUMNS_H

#include "out.h"

enum cs_column {
	C_TIME,     /* human: --timestamp; machine faces always */
	C_MONO,     /* machine: the same in CLOCK_MONOTONIC */
	C_DT,       /* machine: what the percentages are of */
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
	C_TOTAL,    /* Time: CPU time since birth */
	C_WAIT_PCT, /* %WAIT, with -W */
	C_MIN_PCT,  /* %MIN, with -m */
	C_MAX_PCT,  /* %MAX */
	C_MEMBERS,  /* with -G: Tasks */
	C_USED,     /* machine: cpu_ns: the exact figure */
	C_COMM,     /* machine */
	C_CGROUP,   /* machine, where read */
	C_ARGV,     /* JSON: argv */
	C_COMMAND,  /* CSV: command, joined */
	C_TRUNCATED, /* machine: true where argv or command had more */
	C_TASK,     /* human: Task */
	C_N
};

extern const struct sm_col cs_columns[C_N];

#endif
