/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples and the results at the end as table, CSV and JSON lines.
 *
 * The table has the layout of the original, because scripts select its columns:
 *	  %CPU   %USR   %SYS   PID S  CPU    Time Task
 *	 29.13  26.21   2.91  5420 R    0   3.21s stress
 * Each sample has a header (with the time of day for -S, and with its length if it ended early) and is
 * followed by an empty line; -N omits both.  Numbers are not truncated: a wide one moves the next columns.
 * Lines are truncated at the width of a terminal, unless -w is given.  -q and --tui suppress the table
 * except the results at the end; they do not affect CSV and JSON.  One sample is one write.
 */
#ifndef CPUSTAT_VIEW_H
#define CPUSTAT_VIEW_H

#include "cli/outputs.h"
#include "opts.h"
#include "rows/rows.h"
#include "rows/sample.h"
#include "sysline.h"
#include "view_name.h"

struct view {
	const struct opts *opts;
	struct sysline *system;   /* -x in JSON: set by the caller, or NULL */
	struct sm_outputs *outputs;
	bool color;
	double scale;               /* factor of percentages (-a); 1 after view_init() */
	uint64_t samples, rows;
	uint64_t t_ns, wall_ns;     /* times of the last sample; set by the caller if it is not shown */
	struct sm_buf head;         /* scratch: the header of Task */
	struct view_scratch scratch;
};

/* outputs must be open. */
void view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs);
/* Writes the header record of JSON and the header row of CSV. */
void view_start(struct view *v, const char *boot_id);
/* Adapts the table to the new size of the terminal (SIGWINCH). */
void view_resized(struct view *v);
/* Prints one sample: lines of -x (system, see sysline.h; NULL: omitted), header, rows and totals (-T); in
 * JSON, also a record {"type":"sample",...} after the rows.  The first sample of a run (dt_ns 0) prints
 * nothing. */
void view_sample(struct view *v, const struct sample *s, const struct rows *r,
	const struct row *rows, size_t n, const struct sm_buf *system);
/* Prints "Grand Total (from 2 samples, 2.0 seconds):", the rows and, with -T, the total (may be NULL); in
 * JSON, rows of "type":"total" and a record "grand_total".  CSV has only rows of samples. */
void view_grand_total(struct view *v, uint64_t samples, uint64_t span_ns, const struct row *rows,
	size_t n, const struct row *total);
/* Prints whole lines of text in the table format. */
void view_text(struct view *v, const struct sm_buf *b);
/* Prints a whole record in the JSON format. */
void view_json(struct view *v, const struct sm_buf *b);
void view_fini(struct view *v);

#endif
