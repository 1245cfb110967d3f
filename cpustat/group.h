/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group: sums of rows by program, user, parent or cgroup (-G), in bounded memory (totals.h).
 *
 * Rows of no task (residual, merged ones) are groups of their own.
 */
#ifndef CPUSTAT_GROUP_H
#define CPUSTAT_GROUP_H

#include "cli/ids.h"
#include "opts.h"
#include "totals.h"

#define GROUPS_MAX 65536

struct groups {
	const struct opts *opts;
	struct sm_ids *users;      /* for -G user */
	const struct sm_root *root; /* names of parents that did not run; NULL: "pid 10" */
	struct totals sums;
};

int group_init(struct groups *g, const struct opts *o, struct sm_ids *users,
	struct sm_strpool *names) SM_MUST;
void group_fini(struct groups *g);
/* *rows are n rows, the first m of them selected.  Replaces *rows by the groups of the selected ones
 * and returns their number.  A group of -G parent has the parent's name, selected or not. */
size_t group_rows(struct groups *g, struct row **rows, size_t m, size_t n, uint64_t dt_ns);
/* Adds one row to the sums of its group in *to.  Without memory it goes into the others there, so
 * that no time is lost. */
void group_add(const struct groups *g, struct totals *to, const struct row *row);
/* The key of a row in the sums of a run, never 0: a task that has changed its user, parent or cgroup
 * has an entry for each of its groups. */
uint64_t group_task_key(const struct groups *g, const struct row *row, uint64_t seed);
/* The key in these sums of a row of group_rows(); odd. */
uint64_t group_key(const struct groups *g, const struct row *member);

#endif
