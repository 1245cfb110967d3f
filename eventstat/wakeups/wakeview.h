/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeview: prints the sums of wake-ups for view.
 *
 * Below the rows of the table: lines with the totals of all causes, filtered or not, and a line for each
 * CPU that was woken (of many CPUs those that were woken most).
 */
#ifndef EVENTSTAT_WAKEVIEW_H
#define EVENTSTAT_WAKEVIEW_H

#include "view.h"

/* Appends these lines to v->text. */
void wakeview_put_totals(struct view *v, const struct sample *s);
/* The sums as members of a JSON record. */
void wakeview_json(struct sm_json *j, const struct sample *s);
/* --histogram: the sleeps of the run. */
void wakeview_sleeps(struct view *v, const struct sample *last);

#endif
