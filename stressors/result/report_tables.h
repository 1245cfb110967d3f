/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_tables: the tables of the report.  For report.c.
 */
#ifndef STRESSORS_RESULT_REPORT_TABLES_H
#define STRESSORS_RESULT_REPORT_TABLES_H

#include "../coverage/coverage.h"
#include "report.h"

/* brief: without CPU % and resident set. */
void report_results(const struct result *r, size_t n, bool brief, const struct report_to *to,
	struct sm_buf *b);
void report_metrics(const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b);
/* Samples and maximum by CPU, of jobs with a histogram whose instances were pinned. */
void report_cpus(const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b);
/* Figures of perf, energy and temperature; those that this machine does not have are named once. */
void report_figures(const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b);
/* System calls, and the number of those that were lost. */
void report_coverage(const struct coverage_result *r, const struct report_to *to, struct sm_buf *b);
void report_histograms(const struct result *r, size_t n, struct sm_buf *b);

#endif
