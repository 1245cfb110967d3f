/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples as table, line of -m, CSV or JSON lines, and the summary at the end.
 *
 * The table has the columns of the original at their original places, so that scripts which cut them out
 * continue to work; on a terminal, columns of low priority are left out until a row fits.  A number is
 * never truncated: a wide number uses the spaces before the next values, and its column is wider from the
 * next header.  A missing value is "-".  A mark can follow the watts (sample.h).  On a terminal the header
 * is repeated before it scrolls away, unless -n is given; -N suppresses header and preamble.  Each sample
 * is written by one call.
 */
#ifndef POWERSTAT_VIEW_H
#define POWERSTAT_VIEW_H

#include "cli/outputs.h"
#include "columns.h"
#include "opts.h"
#include "power/source.h"
#include "sample.h"
#include "stats.h"
#include "summary.h"

enum view_skip { VIEW_LOW_IDLE = 1, VIEW_PROCESSES = 2 }; /* why a sample was discarded */

struct view_run { /* contents of the preamble and the header record */
	uint64_t interval_ns, start_delay_ns;
	uint64_t count;             /* 0: until interrupted */
	const struct sm_source *power;  /* NULL: no source */
	const char *boot_id;        /* may be NULL */
};

struct view {
	const struct opts *opts;
	const struct columns *columns;
	struct sm_outputs *outputs;
	bool tty;                   /* the table is printed on a terminal */
	bool color;
	unsigned int noted;         /* enum view_skip: reasons printed since the last sample */
	bool line_open;             /* -m or the countdown has left the terminal's cursor on its line */
	struct sm_buf cell, line;   /* buffers */
};

/* outputs must be open. */
void view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs);
/* Prints "Running for ..." and the header of the table, the header record of JSON, the header row of CSV.
 * Returns 0 or -ENOMEM. */
int view_start(struct view *v, const struct columns *c, const struct view_run *run) SM_MUST;
/* Prints the rest of the start delay on a terminal; seconds 0: the delay is over. */
void view_countdown(struct view *v, uint64_t seconds);
/* Called after SIGWINCH. */
void view_resized(struct view *v);
/* Prints a sample; stats include it (for -m). */
void view_sample(struct view *v, const struct sample *s, const struct stats *stats);
/* Reports a discarded sample: in the table only the first of consecutive samples and each new reason,
 * in JSON every sample.  reasons: enum view_skip. */
void view_skipped(struct view *v, const struct sample *s, unsigned int reasons);
/* Prints "--- text ---" (missed samples, a suspend); in JSON a record "note". */
void view_note(struct view *v, const char *text, uint64_t wall_ns);
/* Prints a line for a run of COMMAND; in JSON a record "run". */
void view_repeat(struct view *v, const struct repeat_run *run, uint64_t wall_ns);
/* Prints lines of text (the process log); in JSON a record "log" for each line. */
void view_text(struct view *v, const struct sm_buf *b);
/* Prints the rows of statistics, summary, C-states and histograms; in JSON the summary record. */
void view_end(struct view *v, const struct summary *s, uint64_t wall_ns);
void view_fini(struct view *v);

#endif
