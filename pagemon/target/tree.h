/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: the descendants of COMMAND: its children, their children, and orphans, which become children of the
 * tool (PR_SET_CHILD_SUBREAPER in prctl(2)).  These are all of the tool's children.
 *
 * /proc/PID/stat names the parent; task/TID/children is not used, because it may omit processes while others
 * exit (proc_pid_task(5)).  A process whose parent exits during the reading can be missing until the next
 * reading.
 */
#ifndef PAGEMON_TREE_H
#define PAGEMON_TREE_H

#include "kernel/procpid.h"

struct tree_root {
	pid_t command, tool;
};

struct tree {
	struct tree_task {
		pid_t pid, ppid;
	} *tasks;        /* all processes that have not exited, by pid */
	size_t n, cap;
};

/* Reads the parents of all processes.  -ENOMEM, or an error of reading /proc. */
int tree_read(struct tree *t, const struct sm_root *root) SM_MUST;
void tree_fini(struct tree *t);
/* Returns whether process number i of t->tasks is a descendant; COMMAND itself is not. */
bool tree_has(const struct tree *t, size_t i, const struct tree_root *of);

/* Opens the directory of a process if it is a descendant, or COMMAND.  -EPERM: it is not.  Each parent is
 * read between two readings of its child, so that the number of a process that has exited is not trusted. */
int tree_open(const struct sm_root *root, pid_t pid, const struct tree_root *of) SM_MUST;

#endif
