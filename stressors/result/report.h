/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the results as text, after the run.
 *
 * Without --metrics there is a line for each job; with it, a table, and lines for jobs that did not pass or
 * that the supervisor had to restart or kill.  Metrics, figures, times and one closing line follow.  Each
 * table has a header and one row per item, so that awk can read it.
 */
#ifndef STRESSORS_RESULT_REPORT_H
#define STRESSORS_RESULT_REPORT_H

#include "../opts.h"
#include "facts.h"

struct report_to {
	unsigned int columns;    /* width of the terminal; 0: no limit */
	unsigned int text_flags; /* SM_TEXT_UTF8 */
	bool color, no_header;
};

void report_put(const struct result *r, size_t n, const struct config *c, const struct facts *f,
	const struct report_to *to, struct sm_buf *b);

#endif
