/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: which rows of a sample are shown, and in what order: filter, group, sort, limit.
 */
#ifndef CS_ROWS_H
#define CS_ROWS_H

#include "accum.h"
#include "opts.h"
#include "sample.h"
#include "user.h"

struct rows {
	const struct cs_opts *opts;
	struct sm_user *users;      /* for -G user */
	struct accum groups;
	struct accum sub;           /* -m: groups and total by sub-samples, for min and max */
	bool sub_used;              /* the next sub-sample is the first of an interval */
	size_t matched;             /* rows (groups) before the limit */
	struct cs_row total;        /* sum of all matched rows (kind CS_GROUP, comm "Total") */
	struct cs_row shown;        /* sum of those within the limit (comm "Shown") */
};

/* names: where the rows' cmd and cgroup come from. */
int rows_init(struct rows *r, const struct cs_opts *o, struct sm_user *users,
	struct sm_intern *names) SM_MUST;
void rows_fini(struct rows *r);
/* Does this row pass -p -C -u -k -i?  -p to -k speak of tasks: the other rows (CS_SOFTIRQ,
 * CS_IRQ, CS_UNACCOUNTED, CS_OTHERS) pass only without them; an exited-children row passes with
 * its parent. */
bool rows_match(const struct cs_opts *o, const struct cs_row *row);
/* -t, applied to what a row is when shown (after the merge of sub-samples, before groups). */
bool rows_over_threshold(const struct cs_opts *o, const struct cs_row *row);
/* With -m: the rows of one sub-sample, before they are merged and arranged.  Without this the
 * min_pct and max_pct of groups and of the total are those of the whole; NAN: not known. */
void rows_subsample(struct rows *r, const struct cs_row *rows, size_t n, uint64_t dt_ns);
/* Filters, groups, sorts, sets matched, total and shown.  Returns how many of *rows (which may
 * point elsewhere afterwards, for groups) are to be shown; ties by CPU use, then pid.  The rows are
 * put into another order but all n stay there: they can be arranged again after a change of opts. */
size_t rows_arrange(struct rows *r, struct cs_row **rows, size_t n, uint64_t dt_ns);

#endif
