/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: arranges the selected rows of a sample for output: groups, threshold, sort order, limit.
 */
#ifndef EVENTSTAT_ROWS_H
#define EVENTSTAT_ROWS_H

#include "group.h"
#include "../tasks.h"

struct rows {
	const struct opts *opts;
	struct tasks *tasks;    /* where rows are looked up if their names or CPU times decide; or NULL */
	struct groups groups;
	size_t n;               /* number of rows (groups) before the threshold */
	size_t matched;         /* number of rows after the threshold, before the limit */
};

int rows_init(struct rows *r, const struct opts *o) SM_MUST;
void rows_fini(struct rows *r);
/* Arranges the first m rows, which select_rows() has selected.  Returns the number of *rows to show, or
 * -ENOMEM.  With groups, *rows then points to the groups.  All rows stay in the array, in another order. */
ssize_t rows_arrange(struct rows *r, struct event **rows, size_t m, uint64_t dt_ns) SM_MUST;
/* Arranges the rows of a table with these columns (GROUP_SHOWS_...): adds up the rows that look alike in it.
 * rows: m selected rows or groups.  The result is r->groups.event; returns the number to show, or -ENOMEM. */
ssize_t rows_alike(struct rows *r, unsigned int shown, const struct event *rows, size_t m,
	uint64_t dt_ns) SM_MUST;

#endif
