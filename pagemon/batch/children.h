/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * children: adds the descendants of COMMAND to the monitored processes, at the start of each snapshot.
 *
 * Descendants follow COMMAND in run.procs; the place of one that has exited is used again.  At most
 * OPTS_CHILDREN_MAX processes are monitored; sample.left_out counts the descendants that are not, because of
 * this limit or because their files cannot be opened.  The next snapshot finds the exit of a descendant.
 */
#ifndef PAGEMON_CHILDREN_H
#define PAGEMON_CHILDREN_H

#include "../run.h"

void children_add(struct run *r);
/* Returns the number of descendants whose files could not be opened. */
uint64_t children_denied(const struct run *r);
/* Returns whether the process is a descendant of COMMAND, not COMMAND or a process that was given. */
static inline bool children_has(const struct run *r, const struct snapshot *p)
{
	return r->command && p > r->command;
}

#endif
