/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: the CSV file of option -r (format/widecsv.h) in the layout of the original.
 *
 * The first rows are "Time:,Task:" with the names of the tasks, ",Callback:" with the functions,
 * ",PID:" with the threads, or "exited" for several exited ones, and ",Total:" with the events of the run.
 * The row of a sample has the time of day, the seconds since the first sample, and the events per second
 * of its interval, or with -C their number; 0 for a task that armed
 * no timer.  With -S, minimum, maximum, mean and standard deviation follow.  The mean of rates is weighted by
 * time, so that it is the number of events divided by the length of the run.
 */
#ifndef EVENTSTAT_REPORT_H
#define EVENTSTAT_REPORT_H

#include "rows/event.h"
#include "format/widecsv.h"
#include "opts.h"
#include "tasks.h"

/* Returns the options of sm_app_report_open(). */
struct sm_widecsv_want report_want(const struct opts *o);
/* Adds the rows of a sample that pass the filters, including rows that -n and -t do not show.  After an
 * error (-errno), all later samples are lost.  t: where rows with a new column are looked up, or NULL. */
int report_add(struct sm_widecsv *w, const struct opts *o, const struct sample *s, struct tasks *t,
	struct event *rows, size_t n) SM_MUST;

#endif
