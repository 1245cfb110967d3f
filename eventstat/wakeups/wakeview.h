/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeview: prints samples of wake-ups as table, CSV and JSON lines.
 *
 * The table: a heading, the rows, a line with the totals of all causes, filtered or not, a line for each
 * CPU that was woken (of many CPUs those that were woken most), and an empty line.
 */
#ifndef EVENTSTAT_WAKEVIEW_H
#define EVENTSTAT_WAKEVIEW_H

#include "view.h"
#include "event.h"

/* The n rows that pass the filters; the first `shown` of them are printed. */
void wakeview_sample(struct view *v, const struct sample *s, const struct event *rows, size_t n,
	size_t shown);
/* What the screen showed last: it stays on the terminal as a table. */
void wakeview_of_screen(struct view *v, const struct sample *s, const struct event *rows, size_t shown);
/* The rows of the run (--summary), which lasted span_ns; all: what they are a share of. */
void wakeview_totals(struct view *v, const struct sample *last, const struct event *rows, size_t n,
	uint64_t span_ns, uint64_t all);
/* --histogram: the sleeps of the run. */
void wakeview_sleeps(struct view *v, const struct sample *last);
/* The last JSON record: wakeups of the run. */
void wakeview_summary(struct view *v, const struct sample *last, uint64_t wakeups);

#endif
