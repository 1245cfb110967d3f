/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeview: prints the sums of wakeups for view: below the rows of the table, lines with the totals of all
 * causes, which filters do not change, and a line for each CPU that was woken (at most 16 CPUs, those that
 * were woken most).
 */
#ifndef EVENTSTAT_WAKEVIEW_H
#define EVENTSTAT_WAKEVIEW_H

#include "view.h"

/* Appends the lines to v->text. */
void wakeview_put_totals(struct view *v, const struct sample *s);
/* Adds the sums to a JSON record. */
void wakeview_json(struct sm_json *j, const struct sample *s);
/* Prints the histogram of the idle periods of the run (--histogram). */
void wakeview_sleeps(struct view *v, const struct sample *last);

#endif
