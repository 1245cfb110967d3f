/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: selects the events that become rows.
 *
 * Every given condition must hold.  Membership of a tree (--ppid, -- COMMAND) is a bit of the
 * task that children inherit, so it survives the exit of the tasks in between.  Conditions on
 * exits apply to processes, not to threads.
 */
#ifndef FORKSTAT_FILTER_H
#define FORKSTAT_FILTER_H

#include "opts.h"
#include "track.h"

#define TASK_IN_TREE 1 /* sm_task.user: the task is in the selected tree */

/* Marks the tree's roots in the table, and their existing descendants. */
void filter_mark_tree(struct sm_tasktable *procs, const struct sm_opt_list *roots);

enum filter_answer {
	FILTER_NO,
	FILTER_YES,
	/* A filter needs an unknown value; all other conditions hold or are also unknown. */
	FILTER_LACKS_STATUS,
	FILTER_LACKS_FACTS,
	FILTER_LACKS_ARGUMENTS,
};
enum filter_answer filter_match(const struct opts *o, const struct row *row);
/* Does any filter need user IDs? */
static inline bool filter_wants_creds(const struct opts *o)
{
	return o->uids.n > 0;
}

#endif
