/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opts_rows: the option table: the tool's own rows, those of foreign.h, then those of each stressor.  Made
 * once, when it is first asked for; it lives as long as the process.
 */
#ifndef STRESSORS_OPTS_ROWS_H
#define STRESSORS_OPTS_ROWS_H

#include "cli/opt.h"
#include "stressor.h"

enum { ROW_INSTANCES = -2, ROW_OPS = -1 };

/* What a row that is not the tool's own is of. */
struct opts_row {
	size_t stressor;  /* place in list_all[] */
	int what;         /* place in its table of options, or ROW_INSTANCES, ROW_OPS */
	size_t name, help; /* places in text */
};

struct opts_rows {
	struct sm_opt *opt;
	size_t n, n_own;
	struct opts_row *row;  /* of opt[n_own] and the following */
	size_t n_stressors;
	const char **names;    /* of the stressors, NULL ends them */
	struct sm_buf text;
};

typedef int opts_call(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why);

/* The tool's own rows that take a LIST or NAME and have no choices are completed by the stressors' names.
 * without_effect: the function of the rows of foreign.h; call: that of the stressors' rows.  -ENOMEM. */
int opts_rows_make(struct opts_rows *r, const struct sm_opt *own, size_t n_own,
	opts_call *without_effect, opts_call *call) SM_MUST;
/* A value of an option as the parser takes it; no choices are "none". */
void opts_rows_put_value(struct sm_buf *b, const struct stressor_opt *o, uint64_t v);
/* NULL: it is one of the tool's own. */
const struct opts_row *opts_rows_of(const struct opts_rows *r, const struct sm_opt *o);
/* Its rows, ROW_INSTANCES first, and how many. */
const struct sm_opt *opts_rows_find(const struct opts_rows *r, size_t stressor, size_t *n);

#endif
