/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: prints samples as table, line of -m, CSV or JSON lines, and the summary at the end.
 *
 * The table has the columns of the original at the same places, so that scripts which cut them
 * still work.  A number is never truncated: a wide one uses the blanks before the next values, and
 * widens its column at the next heading.  A missing value is "-".  After Watts there may be a
 * mark (sample.h).  On a terminal the heading repeats before it scrolls away, unless -n; with -N
 * there is neither heading nor preamble.  One sample is one write.
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
	const struct sm_source *power;  /* NULL: none */
	const char *boot_id;        /* may be NULL */
};

struct view {
	const struct opts *opts;
	const struct columns *columns;
	struct sm_outputs *outputs;
	bool tty;                   /* the human table is on a terminal */
	bool color;
	unsigned int noted;         /* enum view_skip: reasons printed since the last sample */
	bool line_open;             /* on a terminal: -m or the countdown has left the cursor on its
	                               line */
	struct sm_buf cell, line;   /* work space */
};

/* outputs: open. */
void view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs);
/* Prints "Running for ..." and the heading, JSON's header record, the header row of CSV.  0 or
 * -ENOMEM. */
int view_start(struct view *v, const struct columns *c, const struct view_run *run) SM_MUST;
/* Prints the rest of the start delay on a terminal; 0: it is over. */
void view_countdown(struct view *v, uint64_t seconds);
/* After SIGWINCH. */
void view_resized(struct view *v);
/* stats include the sample, for -m. */
void view_sample(struct view *v, const struct sample *s, const struct stats *stats);
/* A discarded sample: in the table a line for the first of a row and for each new reason, in JSON
 * a record for each.  reasons: enum view_skip. */
void view_skipped(struct view *v, const struct sample *s, unsigned int reasons);
/* Prints "--- text ---" (missed samples, a suspend); in JSON a record "note". */
void view_note(struct view *v, const char *text, uint64_t wall_ns);
/* The same for a run of COMMAND; in JSON a record "run". */
void view_repeat(struct view *v, const struct repeat_run *run, uint64_t wall_ns);
/* Prints lines of text (the process log); in JSON a record "log" for each line. */
void view_text(struct view *v, const struct sm_buf *b);
/* Prints statistic rows, summary, C-states, histograms; JSON's summary record. */
void view_end(struct view *v, const struct summary *s, uint64_t wall_ns);
void view_fini(struct view *v);

#endif
