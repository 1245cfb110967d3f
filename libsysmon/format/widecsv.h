/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widecsv: a CSV file with one column per task or event, which are known only at the end, and one row
 * per sample (-r FILE).
 *
 * Row 1 contains the first fields, then the names of the columns; row 2, if requested, their second
 * names.  PIDs are in a row of their own, or follow the names in parentheses.  The next row contains the
 * totals of the run.  The rows of the samples contain the seconds since the first sample, the time of day
 * if requested, and the values; a column without a value is empty, or 0.  If requested, rows with minimum,
 * maximum, mean and standard deviation of each column follow.  RFC 4180, LF; a name that begins with
 * = + - or @ is prefixed with '.
 *
 * Exited tasks with equal names share a column: its PID is "exited" if they are several.  Otherwise the
 * number of columns would grow with the run, and the file with its square.  Spreadsheets open 16,384
 * columns; all other tasks share "(others)".
 *
 * Memory is bounded.  Values are spooled to an unnamed file in FILE's directory, or in /tmp if that is
 * not writable.  Each task has an ID in the spool, and a second unnamed file has the place of each ID in the
 * table, which changes when the task exits.  FILE is opened at the start and replaced at the end
 * (endfile.h).
 */
#ifndef SM_WIDECSV_H
#define SM_WIDECSV_H

#include "base/base.h"

#define SM_WIDECSV_COLUMNS_MAX 16384 /* fields of a row, including time and "(others)" */
#define SM_WIDECSV_OTHERS      UINT32_MAX

struct sm_widecsv;

enum sm_widecsv_clock { /* the column with the time of day */
	SM_WIDECSV_NO_CLOCK,
	SM_WIDECSV_CLOCK_FIRST,  /* before the seconds: it contains the labels of rows */
	SM_WIDECSV_CLOCK_SECOND, /* after the seconds: empty in rows other than samples */
};

/* The task of a column; a PID of -1 is unknown.  tid -1 with a tgid: threads of that process. */
struct sm_widecsv_task {
	pid_t tid, tgid;
	uint64_t birth_ticks;  /* it started no later, in clock ticks since boot */
};

struct sm_widecsv_name {
	struct sm_str name;    /* arbitrary bytes */
	const char *second;    /* for row 2 if requested; otherwise NULL */
	struct sm_widecsv_task task;
};

struct sm_widecsv_want {       /* borrowed */
	const char *path;
	const char *names, *amounts; /* first fields of rows 1 and of the totals: "Task:", "Ticks:" */
	const char *second_names; /* first field of row 2; NULL: no such row */
	const char *pids;      /* first field of the row with PIDs; NULL: they follow the names */
	uint64_t amount_unit;  /* amounts are divided by this, and rounded */
	enum sm_widecsv_clock clock;
	bool zeros;            /* a column without a value is 0, not empty */
	bool sorted;           /* by amount, the largest first; otherwise in order of appearance */
	bool statistics;       /* the rows at the end; requires zeros and CLOCK_FIRST */
	/* open(2) with the permissions with which FILE is to be written: sm_priv_open_as_invoker().
	 * Returns a descriptor or -errno. */
	int (*open)(const char *path, int flags, mode_t mode);
	/* Returns true if a task with a tgid has exited.  NULL: unknown, so no column is shared. */
	bool (*exited)(void *ctx, const struct sm_widecsv_task *t);
	void *ctx;
};

int sm_widecsv_open(struct sm_widecsv **out, const struct sm_widecsv_want *want) SM_MUST;
/* Starts a sample at these times of CLOCK_MONOTONIC and CLOCK_REALTIME; its values follow, then
 * sm_widecsv_end().  Returns the -errno of an earlier sample, if any: this one is then lost as well. */
int sm_widecsv_begin(struct sm_widecsv *w, uint64_t t_ns, uint64_t wall_ns) SM_MUST;
/* Returns the seed for hashing keys, which must be spread over 64 bits and must not be 0. */
uint64_t sm_widecsv_seed(const struct sm_widecsv *w);
/* Finds the column with that key; -ENOENT: missing.  Its number is valid until the next call of
 * sm_widecsv_column() or sm_widecsv_end(). */
int sm_widecsv_find(const struct sm_widecsv *w, uint64_t key, uint32_t *column) SM_MUST;
/* Adds a column.  Returns its number, or SM_WIDECSV_OTHERS if the table is full. */
uint32_t sm_widecsv_column(struct sm_widecsv *w, uint64_t key, const struct sm_widecsv_name *name);
/* Adds a value, written with up to six decimals, and adds amount to the column's total. */
void sm_widecsv_value(struct sm_widecsv *w, uint32_t column, double value, uint64_t amount);
/* Sets the weight of this sample in mean and standard deviation (default 1).  rest: the sample is
 * shorter than the others and affects minimum and maximum only if there are no others. */
void sm_widecsv_weigh(struct sm_widecsv *w, double weight, bool rest);
/* Ends the sample, and looks for tasks without values that have exited.  Returns 0, or -errno: this sample
 * and all later ones are lost. */
int sm_widecsv_end(struct sm_widecsv *w) SM_MUST;
/* Returns true if FILE is written directly, so that writes may block (a FIFO, a terminal). */
bool sm_widecsv_may_wait(const struct sm_widecsv *w);
/* Writes the table of all spooled samples.  Returns 0 or the first -errno. */
int sm_widecsv_finish(struct sm_widecsv *w) SM_MUST;
void sm_widecsv_close(struct sm_widecsv *w);

#endif
