/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proctree: the descendants of a COMMAND that a tool has started: its children, their children, and orphans,
 * which become children of the tool (PR_SET_CHILD_SUBREAPER in prctl(2)).  These are all of the tool's
 * children.
 *
 * /proc/PID/stat names the parent; task/TID/children is not used, because it may omit processes while others
 * exit (proc_pid_task(5)).  A process whose parent exits during the reading can be missing until the next
 * reading.
 */
#ifndef SM_PROCTREE_H
#define SM_PROCTREE_H

#include "proc/procpid.h"

struct sm_proctree_root {
	pid_t command, tool;
};

struct sm_proctree {
	struct sm_proctree_task {
		pid_t pid, ppid;
	} *tasks;        /* all processes that have not exited, by pid */
	size_t n, cap;
};

/* Reads the parents of all processes.  -ENOMEM, or an error of reading /proc. */
int sm_proctree_read(struct sm_proctree *t, const struct sm_root *root) SM_MUST;
void sm_proctree_fini(struct sm_proctree *t);
/* Returns whether process number i of t->tasks is a descendant; COMMAND itself is not. */
bool sm_proctree_has(const struct sm_proctree *t, size_t i, const struct sm_proctree_root *of);

/* Opens the directory of a process if it is a descendant, or COMMAND.  -EPERM: it is not.  Each parent is
 * read between two readings of its child, so that the number of a process that has exited is not trusted. */
int sm_proctree_open(const struct sm_root *root, pid_t pid, const struct sm_proctree_root *of) SM_MUST;

#endif
