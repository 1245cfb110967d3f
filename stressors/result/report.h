/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the results as text, after the run.
 *
 * Without --metrics a line for each job; with it a table, and lines for the jobs that did not pass or
 * needed help of the supervisor.  Then metrics, figures, times, and one closing line.  Tables have a heading,
 * and one row for each thing: awk reads them.
 */
#ifndef STRESSORS_RESULT_REPORT_H
#define STRESSORS_RESULT_REPORT_H

#include "../opts.h"
#include "facts.h"

struct report_to {
	unsigned int columns;    /* of the terminal; 0: none, no limit */
	unsigned int text_flags; /* SM_TEXT_UTF8 */
	bool color, no_header;
};

void report_put(const struct result *r, size_t n, const struct config *c, const struct facts *f,
	const struct report_to *to, struct sm_buf *b);

#endif
