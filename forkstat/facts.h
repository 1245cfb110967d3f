/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts: what an option asks for of each task beside its name: one table (facts.c) has the file of
 * /proc, the column and what an exec changes.
 *
 * The values of a task are one string of the pool, sm_task.data, a NUL after each; empty is not known.
 * A child inherits them, an exec reads them again.  When it is too late for that (the process has
 * ended, or executed another program since) the variable is not known; what an exec does not change is
 * kept.
 */
#ifndef FORKSTAT_FACTS_H
#define FORKSTAT_FACTS_H

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
/* Of a task that has none yet. */
void facts_read(struct facts *f, struct sm_task *p);
/* Of all tasks in the table. */
void facts_seed(struct facts *f);
/* At an exec: reads them again into f->values, which the next function gives to the task; late: it had
 * executed yet another program by then. */
void facts_read_exec(struct facts *f, const struct sm_task *p);
void facts_exec(struct facts *f, struct sm_task *p, bool late);
void facts_inherit(struct facts *f, struct sm_task *p, struct sm_task *from);
struct sm_str facts_get(const struct sm_task *p, enum fact fact);
void facts_fini(struct facts *f);

#endif
