/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts: optional data about each task: its cgroup, its login uid, an environment variable.
 *
 * At an exec the facts come from the record that the BPF program wrote during the exec (execbpf.h).
 * Without a record they are unknown, because the process may have changed them before /proc is read.  A
 * child inherits the facts of its parent.  For tasks older than the tool, they are read from /proc at
 * startup.
 *
 * The facts of a task are stored as one string of the pool, sm_task.data.
 */
#ifndef FORKSTAT_FACTS_H
#define FORKSTAT_FACTS_H

#include "capture.h"
#include "columns.h"
#include "proc/tasktable.h"

struct facts {
	const struct opts *opts;
	struct sm_tasktable *procs;
	struct sm_buf values; /* facts of the current task, while they are collected */
};

struct facts_column {
	enum column column;
	bool is_user; /* the value is a user ID */
};
extern const struct facts_column facts_columns[FACTS];

/* Returns the facts that rows or filters need, as bits of enum fact. */
uint32_t facts_wanted(const struct opts *o);
/* Reads the facts of all tasks in the table from /proc. */
void facts_seed(struct facts *f);
/* Stores the facts of an exec; e is NULL without a record.  Returns false if a wanted fact is
 * unknown. */
bool facts_exec(struct facts *f, struct sm_task *p, const struct exec_facts *e);
/* Stores the new cgroup of the task; path is NULL if it is unknown. */
void facts_cgroup(struct facts *f, struct sm_task *p, const struct sm_poolstr *path);
/* Returns false if the fact is unknown; *value is empty if it is not set. */
bool facts_get(const struct sm_task *p, enum fact fact, struct sm_str *value);
void facts_fini(struct facts *f);

#endif
