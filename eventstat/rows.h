/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: arranges the selected rows of a sample for output: groups, threshold, order, limit.
 */
#ifndef EVENTSTAT_ROWS_H
#define EVENTSTAT_ROWS_H

#include "group.h"

struct rows {
	const struct opts *opts;
	struct groups groups;
	size_t n;               /* rows (groups) before the threshold */
	size_t matched;         /* and of these before the limit */
};

int rows_init(struct rows *r, const struct opts *o) SM_MUST;
void rows_fini(struct rows *r);
/* The first m rows are selected (select_rows()).  Returns the number of *rows to show, or -ENOMEM; with
 * groups *rows points elsewhere.  All rows stay in the array, in another order. */
ssize_t rows_arrange(struct rows *r, struct event **rows, size_t m, uint64_t dt_ns) SM_MUST;

#endif
