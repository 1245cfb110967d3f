/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the CSV file of option -r (out/widecsv.h) in the layout of the original, with percentages
 * of each sample (the original divides by the whole run).
 *
 * It has a column "comm (pid)" for each task ("comm (exited children) (pid)"): its total of the run in
 * row "Ticks:", then the percentage of a CPU for each sample, empty if the task used none.
 */
#ifndef CPUSTAT_REPORT_H
#define CPUSTAT_REPORT_H

#include "opts.h"
#include "out/widecsv.h"
#include "sample.h"

/* For sm_app_report_open(). */
struct sm_widecsv_want report_want(const struct opts *o);
/* Adds the rows of a sample that pass the filters; only tasks and exited children have columns.
 * -errno is sticky: later samples are lost. */
int report_add(struct sm_widecsv *w, const struct sample *s, const struct row *rows, size_t n,
	double scale) SM_MUST;

#endif
