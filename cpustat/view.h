/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: how samples become lines: the table, CSV, JSON lines; and what is told at the end.
 *
 * The table looks as the original's, so that scripts which cut its columns still work:
 *	  %CPU   %USR   %SYS   PID S  CPU    Time Task
 *	 29.13  26.21   2.91  5420 R    0   3.21s stress
 * one heading for each sample (-S adds the time of day to it, a sample that ended early its
 * length) and an empty line after it, none of both with -N.  Numbers are never cut: a wide one
 * pushes the rest.  Lines are cut at the width of standard output if that is a terminal, and
 * not with -w.  -q and --tui silence the table; what comes at the end is shown, and machine
 * faces are not concerned.  One sample is one write (the caller's outlet).
 */
#ifndef CS_VIEW_H
#define CS_VIEW_H

#include "faces.h"
#include "opts.h"
#include "rows.h"
#include "sample.h"
#include "system.h"

struct view {
	const struct cs_opts *opts;
	struct cs_system *system;   /* -x in JSON: set by the caller, or NULL */
	struct sm_faces faces;
	unsigned int columns;       /* of the terminal; 0 = no limit */
	bool color;
	double scale;               /* percentages are multiplied by it: -a; 1 after view_open() */
	uint64_t samples, rows;
	uint64_t t_ns, wall_ns;     /* of the last sample; the caller sets them for one not shown */
	struct sm_buf line, head, cut; /* work space */
};

/* Opens the output files with the invoking user's rights.  -errno, *what names the file. */
int view_open(struct view *v, const struct cs_opts *o, uint32_t pid_max, const char **what) SM_MUST;
/* JSON's header record and the header row of CSV. */
void view_start(struct view *v, const char *boot_id);
/* SIGWINCH. */
void view_resized(struct view *v);
/* One sample: -x lines (system: whole lines made by system.h, may be NULL), heading, the rows to
 * show, totals (-T); in JSON also a record {"type":"sample",...} after the rows.  The first
 * sample of a run (dt_ns 0) shows nothing. */
void view_sample(struct view *v, const struct cs_sample *s, const struct rows *r,
	const struct cs_row *rows, size_t n, const struct sm_buf *system);
/* "Grand Total (from 2 samples, 2.0 seconds):", the rows, with -T the total (may be NULL); JSON:
 * "type":"total" rows and a record "grand_total".  Not in CSV, whose rows are of samples. */
void view_grand_total(struct view *v, uint64_t samples, uint64_t span_ns, const struct cs_row *rows,
	size_t n, const struct cs_row *total);
/* Whole lines of text for the human face. */
void view_text(struct view *v, const struct sm_buf *b);
/* A whole JSON record for the JSON faces. */
void view_json(struct view *v, const struct sm_buf *b);
/* A row's name as people see it (-c -l -s -d; [kthread]; "NAME (exited children)"), sanitised. */
void view_name(const struct cs_opts *o, const struct cs_row *row, struct sm_buf *b);
void view_close(struct view *v);

#endif
