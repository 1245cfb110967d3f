/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: how samples become lines: the table, the one line of -m, CSV, JSON lines; and what is
 * told at the end.
 *
 * The table looks as the original's, so that scripts which cut its columns still work.  A number
 * is never cut: one wider than its column takes the blanks before the next values, and widens
 * its column at the next heading.  A missing value is "-".  After Watts stands a mark: E for an
 * estimate, * when something that belongs to the total could not be read.  The heading comes again
 * only on a terminal, before it scrolls away (a row wider than the terminal takes several of its
 * lines), and not with -n; with -N there is none, and no preamble.
 * One sample is one write (the caller's outlet).
 */
#ifndef PS_VIEW_H
#define PS_VIEW_H

#include "faces.h"
#include "opts.h"
#include "power.h"
#include "sample.h"
#include "statrows.h"
#include "summary.h"

enum view_skip { VIEW_LOW_IDLE = 1, VIEW_PROCESSES = 2 }; /* why a sample was discarded */

struct view_run { /* what the preamble and the header record tell */
	uint64_t interval_ns, start_delay_ns;
	uint64_t count;             /* 0: until stopped */
	const struct power *power;  /* NULL: none */
	const char *boot_id;        /* may be NULL */
};

struct view {
	const struct ps_opts *opts;
	struct ps_table *table;     /* widths of columns change at headings */
	struct sm_faces faces;
	bool tty;                   /* the human face is a terminal ... */
	unsigned int columns, rows; /* ... of this size; else 0 */
	bool color;
	unsigned int time_width;
	unsigned int since_heading; /* lines of the screen, without the heading's first */
	bool heading_done;
	unsigned int said;          /* enum view_skip of the discarded ones since the last sample */
	bool line_open;             /* -m on a terminal: the cursor is behind a line, or the
	                               countdown */
	struct sm_buf cell;         /* work space */
};

/* Opens the output files with the invoking user's rights.  -errno, *what names the file. */
int view_open(struct view *v, const struct ps_opts *o, const char **what) SM_MUST;
/* "Running for ..." and the heading, JSON's header record, the header row of CSV. */
void view_start(struct view *v, struct ps_table *t, const struct view_run *run);
/* On a terminal, a second of the start delay; 0: it is over. */
void view_countdown(struct view *v, uint64_t seconds);
/* SIGWINCH. */
void view_resized(struct view *v);
/* A sample that counts; stats with it already, for -m. */
void view_sample(struct view *v, const struct ps_sample *s, const struct ps_stats *stats);
/* A sample that was discarded: one line for each run of them (and one more when a reason comes
 * up that was not told in it), a record for each in JSON.  reasons: enum view_skip. */
void view_skipped(struct view *v, const struct ps_sample *s, unsigned int reasons);
/* "--- text ---", ours: missed slots, a suspend.  In JSON a record "note". */
void view_note(struct view *v, const char *text, uint64_t wall_ns);
/* Whole lines of text (the process log); in JSON a record "log" for each line. */
void view_text(struct view *v, const struct sm_buf *b);
/* Statistic rows, summary, C-states, histograms; JSON's summary record. */
void view_end(struct view *v, const struct summary *s, uint64_t wall_ns);
void view_close(struct view *v);

#endif
