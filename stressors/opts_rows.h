/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts_rows: the option table: the tool's own rows, the rows of foreign.h, and the rows of each stressor.  It
 * is made once, at the first use, and lives as long as the process.
 */
#ifndef STRESSORS_OPTS_ROWS_H
#define STRESSORS_OPTS_ROWS_H

#include "cli/opt.h"
#include "stressor.h"

enum { ROW_INSTANCES = -2, ROW_OPS = -1 };

/* The stressor and the option that a row was made from. */
struct opts_row {
	size_t stressor;  /* place in list_all[] */
	int what;         /* place in its table of options, or ROW_INSTANCES, ROW_OPS */
	size_t name, help; /* places in text */
};

struct opts_rows {
	struct sm_opt *opt;
	size_t n, n_own;
	struct opts_row *row;  /* describes opt[n_own] and the rows after it */
	size_t n_stressors;
	const char **names;    /* names of the stressors; NULL ends them */
	struct sm_buf text;
};

typedef int opts_call(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why);

/* Makes the table.  Rows of the tool's own that take a LIST or NAME without choices are completed with the
 * names of the stressors.  without_effect is called for the rows of foreign.h, call for the rows of the
 * stressors.  0 or -ENOMEM. */
int opts_rows_make(struct opts_rows *r, const struct sm_opt *own, size_t n_own,
	opts_call *without_effect, opts_call *call) SM_MUST;
/* Appends a value of an option in the syntax of the parser; an empty set is "none". */
void opts_rows_put_value(struct sm_buf *b, const struct stressor_opt *o, uint64_t v);
/* Returns the description of a row; NULL if it does not belong to a stressor. */
const struct opts_row *opts_rows_of(const struct opts_rows *r, const struct sm_opt *o);
/* Returns the rows of a stressor, ROW_INSTANCES first, and sets *n to their number. */
const struct sm_opt *opts_rows_find(const struct opts_rows *r, size_t stressor, size_t *n);

#endif
