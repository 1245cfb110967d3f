/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group: sums of rows by program, user, parent or cgroup (-G), in bounded memory (totals.h).
 *
 * Rows that belong to no task (residual, merged tasks) are groups of their own.
 */
#ifndef CPUSTAT_GROUP_H
#define CPUSTAT_GROUP_H

#include "cli/ids.h"
#include "../opts.h"
#include "totals.h"

#define GROUPS_MAX 65536

struct groups {
	const struct opts *opts;
	struct sm_ids *users;      /* for -G user */
	const struct sm_root *root; /* to read the names of idle parents; NULL: they are named "pid 10" */
	struct totals sums;
};

int group_init(struct groups *g, const struct opts *o, struct sm_ids *users,
	struct sm_strpool *names) SM_MUST;
void group_fini(struct groups *g);
/* Replaces the n rows of *rows with the groups of the first m, which are selected, and returns the number of
 * groups.  A group of -G parent has the name of the parent, whether it is selected or not. */
size_t group_rows(struct groups *g, struct row **rows, size_t m, size_t n, uint64_t dt_ns);
/* Adds one row to the sums of its group in *to.  If memory is short, the row is merged into the others of
 * *to, so that its time is not lost. */
void group_add(const struct groups *g, struct totals *to, const struct row *row);
/* Returns the key of a row in the sums of a run, never 0.  A task that has changed its user, parent or cgroup
 * has an entry for each of its groups. */
uint64_t group_task_key(const struct groups *g, const struct row *row, uint64_t seed);
/* Returns the key, always odd, of a row of group_rows() in the sums of groups. */
uint64_t group_key(const struct groups *g, const struct row *member);

#endif
