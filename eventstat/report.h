/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the CSV file of option -r (out/widecsv.h) in the layout of the original.
 *
 * Rows "Time:,Task:" with the names of the tasks, ",Callback:" with the functions, ",Total:" with the
 * events of the run, then for each sample the time of day, seconds since the first sample, and events per
 * second of its own interval, or with -C their number; 0 for a task that armed no timer.  With -S the
 * minimum, maximum, mean and standard deviation follow.  The mean is weighted by time, so that it is
 * the events of the run by its time; it is of counts with -C.
 */
#ifndef EVENTSTAT_REPORT_H
#define EVENTSTAT_REPORT_H

#include "event.h"
#include "opts.h"
#include "out/widecsv.h"

/* For sm_app_report_open(). */
struct sm_widecsv_want report_want(const struct opts *o);
/* Adds the rows of a sample that pass the filters, also those that -n and -t do not show.  -errno is
 * sticky: later samples are lost. */
int report_add(struct sm_widecsv *w, const struct opts *o, const struct sample *s,
	const struct event *rows, size_t n) SM_MUST;

#endif
