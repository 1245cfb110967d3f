/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: which events become rows.
 *
 * Every condition that is given must hold.  Membership of a tree (--ppid, -- COMMAND) is a
 * bit of the task that children inherit, so it survives the exit of whoever is in between.
 */
#ifndef FS_FILTER_H
#define FS_FILTER_H

#include "opts.h"
#include "track.h"

#define FS_USER_TREE 1 /* sm_proc.user: in the tree that is followed */

/* Marks the tree's roots in the table, and those of their descendants that live already. */
void filter_mark_tree(struct sm_procs *procs, const struct sm_opt_list *roots);
bool filter_match(const struct fs_opts *o, const struct fs_row *row);
/* Does any filter need users' ids? */
static inline bool filter_wants_creds(const struct fs_opts *o)
{
	return o->uids.n > 0;
}

/* The base name of a command line's program: what --name is matched against. */
struct sm_str fs_program(const struct sm_proc *p);

#endif
