/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts: what an option asks for of each task beside its name: its cgroup, its login uid, a variable of its
 * environment.
 *
 * At an exec the facts come from the record that the BPF program wrote at that instant (execbpf.h);
 * without it they are not known, because /proc shows what the process did since.  A child inherits those
 * of its parent.  Those of tasks that are older than the tool were read from /proc at the start.
 *
 * The values of a task are one string of the pool, sm_task.data.
 */
#ifndef FORKSTAT_FACTS_H
#define FORKSTAT_FACTS_H

#include "capture.h"
#include "columns.h"
#include "kernel/tasktable.h"

struct facts {
	const struct opts *opts;
	struct sm_tasktable *procs;
	struct sm_buf values; /* of the task in hand */
};

struct facts_column {
	enum column column;
	bool is_user; /* the value is a number, of a user */
};
extern const struct facts_column facts_columns[FACTS];

/* The facts that rows or filters need: bits of enum fact. */
uint32_t facts_wanted(const struct opts *o);
/* Reads those of all tasks in the table. */
void facts_seed(struct facts *f);
/* At an exec; e: NULL: there is no record.  False: a fact that is wanted is not known. */
bool facts_exec(struct facts *f, struct sm_task *p, const struct exec_facts *e);
/* The group that the task is in now; NULL: not known. */
void facts_cgroup(struct facts *f, struct sm_task *p, const struct sm_poolstr *path);
/* False: not known.  An empty value: not set. */
bool facts_get(const struct sm_task *p, enum fact fact, struct sm_str *value);
void facts_fini(struct facts *f);

#endif
