/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts: an op that consists of a table of calls, some of which this kernel or these privileges may lack.
 *
 * A round runs each part once, in the order of the table, and is one op.  A part makes its call, checks the
 * effect and undoes it, without waiting.  If the call of a part has never worked and fails with an errno that
 * means that the call does not exist here, the part is left out of all later rounds, and a note in the result
 * names it.  If all parts are left out, the stressor is skipped.  Any other error and any wrong effect is a
 * failure that names the part, except an errno that means a lack of memory or descriptors (stress_is_lack()):
 * then the result is a lack of resources.
 */
#ifndef STRESSORS_RUN_PARTS_H
#define STRESSORS_RUN_PARTS_H

#include "stress.h"

#define PARTS_MAX    64
#define PARTS_ERRNOS 3

struct parts;

struct part {
	const char *name;          /* "F_SETPIPE_SZ"; NULL ends the table */
	/* Returns 0, -errno of a call that failed, or the value of parts_wrong() or parts_put_off(). */
	int (*run)(struct parts *p);
	/* The errnos with which the part is left out, besides ENOSYS and EOPNOTSUPP; 0 ends them. */
	int absent[PARTS_ERRNOS];
	const void *with;          /* value of p->with during run; NULL: not used */
};

struct parts {
	struct stress *s;
	const struct part *part;   /* the table */
	unsigned int n;
	const void *with;          /* `with` of the part that runs */
	uint64_t rounds;           /* complete rounds */
	uint64_t runs, ns;         /* number and time of successful runs of parts */
	int left_out[PARTS_MAX];   /* errno of a part that is left out; 0: not left out */
	bool has_worked[PARTS_MAX];
	char wrong[STRESS_REASON]; /* the text of parts_wrong() */
};

/* The metrics of the stressors that consist of parts. */
enum { PARTS_NS, PARTS_WORKED };
extern const struct stressor_metric parts_metrics[];

/* The table has at most PARTS_MAX parts. */
void parts_init(struct parts *p, struct stress *s, const struct part *table);

/* Runs rounds until the end of the run, counts an op for each and sets the metrics.  Returns the value that
 * the stressor's run must return. */
int parts_run(struct parts *p) SM_MUST;

/* Notes a wrong effect and returns the value that the part must return. */
int parts_wrong(struct parts *p, const char *fmt, ...) SM_PRINTF(2, 3);

/* Returns the value that the part must return if it could not be tried in this round; this does not count as
 * a failure. */
int parts_put_off(void);

/* Returns 0 if a call failed with this errno, as it should have; its result is r, and errno must still be
 * set. */
int parts_refused(struct parts *p, long r, int error, const char *call) SM_MUST;

/* Returns the result of a call in the form for a part: -errno if r is negative, else r. */
long parts_result(long r) SM_MUST;

/* True in the one round in which a part is to damage its data (--spoil). */
bool parts_spoil(const struct parts *p) SM_MUST;

#endif
