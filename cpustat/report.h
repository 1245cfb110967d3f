/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the CSV file of option -r (format/widecsv.h) in the layout of the original, with percentages
 * of each sample (the original divides by the whole run).
 *
 * The file has a column "comm (pid)" or "comm (exited children) (pid)" for each task; exited tasks of one
 * name share a column, with "exited" for a PID.  The column has the
 * total of the run in row "Ticks:" and then the percentage of a CPU for each sample, empty if the task used
 * no CPU time.
 */
#ifndef CPUSTAT_REPORT_H
#define CPUSTAT_REPORT_H

#include "format/widecsv.h"
#include "opts.h"
#include "rows/sample.h"

/* Returns the description of the report for sm_app_report_open(). */
struct sm_widecsv_want report_want(const struct opts *o);
/* Adds the rows of a sample that pass the filters; only tasks and exited children have columns.  Returns 0 or
 * -errno, which is sticky: later samples are lost. */
int report_add(struct sm_widecsv *w, const struct sample *s, const struct row *rows, size_t n,
	double scale) SM_MUST;

#endif
