/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widecsv: a CSV file with a column for each task or event, which are known only at the end, and
 * a row for each sample (-r FILE).
 *
 * Row 1: the first fields, then the names of the columns; if wanted, row 2: their second names.  Then the
 * totals of the run, and for each sample: seconds since the first, the time of day if requested, and the
 * values; empty, or 0, if a column has none.  If wanted, rows with minimum, maximum, mean and standard
 * deviation of each column at the end.  RFC 4180, LF; a name that begins with = + - or @ gets a ' in front.
 *
 * Memory is bounded: values are spooled to an unnamed file in FILE's directory, or in /tmp if that
 * is not writable; columns beyond SM_WIDECSV_COLUMNS_MAX share "(others)".  FILE is opened at
 * the start and replaced at the end (endfile.h).
 */
#ifndef SM_WIDECSV_H
#define SM_WIDECSV_H

#include "base/base.h"

#define SM_WIDECSV_COLUMNS_MAX 65536
#define SM_WIDECSV_OTHERS      UINT32_MAX

struct sm_widecsv;

enum sm_widecsv_clock { /* the column with the time of day */
	SM_WIDECSV_NO_CLOCK,
	SM_WIDECSV_CLOCK_FIRST,  /* before the seconds: the labels of rows begin with it */
	SM_WIDECSV_CLOCK_SECOND, /* behind them: empty in rows that are no samples */
};

struct sm_widecsv_want {       /* borrowed */
	const char *path;
	const char *names, *amounts; /* first fields of rows: "Task:", "Ticks:" */
	const char *second_names; /* the same; NULL: no such row */
	uint64_t amount_unit;  /* an amount is shown as a number of these, rounded */
	enum sm_widecsv_clock clock;
	bool zeros;            /* a column without a value has 0 */
	bool sorted;           /* by amount, the largest first; otherwise in order of appearance */
	bool statistics;       /* the rows at the end; with zeros and CLOCK_FIRST */
	/* open(2) with the rights that FILE is to be written with: sm_priv_open_as_invoker().  fd or
	 * -errno. */
	int (*open)(const char *path, int flags, mode_t mode);
};

int sm_widecsv_open(struct sm_widecsv **out, const struct sm_widecsv_want *want) SM_MUST;
/* A sample at that time of CLOCK_MONOTONIC and of CLOCK_REALTIME; its values follow, then
 * sm_widecsv_end().  The -errno of an earlier sample: this one is lost, too. */
int sm_widecsv_begin(struct sm_widecsv *w, uint64_t t_ns, uint64_t wall_ns) SM_MUST;
/* To hash keys with, which must be spread over 64 bits, and not 0. */
uint64_t sm_widecsv_seed(const struct sm_widecsv *w);
/* The column of that key; -ENOENT: none. */
int sm_widecsv_find(const struct sm_widecsv *w, uint64_t key, uint32_t *column) SM_MUST;
/* Adds a column named by n arbitrary bytes, and second, if that row is wanted; SM_WIDECSV_OTHERS: no
 * room. */
uint32_t sm_widecsv_column(
	struct sm_widecsv *w, uint64_t key, const char *name, size_t n, const char *second);
/* A value, with up to six decimals, and what it adds to the column's total. */
void sm_widecsv_value(struct sm_widecsv *w, uint32_t column, double value, uint64_t amount);
/* The weight of this sample in mean and standard deviation, otherwise 1.  rest: it is shorter than the
 * others, so that it is not in minimum and maximum while there are others. */
void sm_widecsv_weigh(struct sm_widecsv *w, double weight, bool rest);
/* 0; or -errno: this sample and all later ones are lost. */
int sm_widecsv_end(struct sm_widecsv *w) SM_MUST;
/* Is FILE written directly, so that writes may block (a FIFO, a terminal)? */
bool sm_widecsv_may_wait(const struct sm_widecsv *w);
/* Writes the table of all spooled samples; 0 or the first -errno. */
int sm_widecsv_finish(struct sm_widecsv *w) SM_MUST;
void sm_widecsv_close(struct sm_widecsv *w);

#endif
