/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: which events become rows.
 *
 * Every condition that is given must hold.  Membership of a tree (--ppid, -- COMMAND) is
 * a bit of the task that children inherit, so it survives the exit of the tasks in
 * between. Conditions on exits are about the ends of processes, not of their threads.
 */
#ifndef FORKSTAT_FILTER_H
#define FORKSTAT_FILTER_H

#include "opts.h"
#include "track.h"

#define TASK_IN_TREE 1 /* sm_task.user: in the tree that is followed */

/* Marks the tree's roots in the table, and their existing descendants. */
void filter_mark_tree(struct sm_tasktable *procs, const struct sm_opt_list *roots);

enum filter_answer {
	FILTER_NO,
	FILTER_YES,
	/* It is asked for and not known; all other conditions hold, or are not known either. */
	FILTER_LACKS_STATUS,
	FILTER_LACKS_FACTS,
};
enum filter_answer filter_match(const struct opts *o, const struct row *row);
/* Does any filter need users' ids? */
static inline bool filter_wants_creds(const struct opts *o)
{
	return o->uids.n > 0;
}

/* The base name of a command line's program: what --name is matched against. */
struct sm_str filter_program(const struct sm_task *p);

#endif
