/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: arranges the selected rows of a sample for output: groups, order, limit, sums.
 */
#ifndef CPUSTAT_ROWS_H
#define CPUSTAT_ROWS_H

#include "group.h"

struct rows {
	const struct opts *opts;
	struct groups group;
	struct totals sub;           /* -m: groups and total of the sub-samples, for min and max */
	bool sub_used;              /* the next sub-sample is the first of an interval */
	size_t matched;             /* rows (groups) before the limit */
	struct row total;        /* sum of all matched rows (kind ROW_GROUP, comm "Total") */
	struct row shown;        /* sum of the rows within the limit (comm "Shown") */
};

/* names: the pool of the rows' cmd and cgroup. */
int rows_init(struct rows *r, const struct opts *o, struct sm_ids *users,
	struct sm_strpool *names) SM_MUST;
void rows_fini(struct rows *r);
/* Adds the rows of one sub-sample (-m), before they are merged and arranged.  Without -m, min_pct and max_pct
 * of groups and of the total are the percentages of the whole sample.  NAN: unknown. */
void rows_subsample(struct rows *r, const struct row *rows, size_t n, uint64_t dt_ns);
/* Groups and sorts the rows and sets matched, total and shown.  The first m of the n rows are selected
 * (select_rows()).  Returns the number of *rows to show; with groups *rows points elsewhere.  All n
 * rows stay in the array, in another order. */
size_t rows_arrange(
	struct rows *r, struct row **rows, size_t m, size_t n, uint64_t dt_ns);

#endif
