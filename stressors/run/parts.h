/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts: an op that goes through a table of calls, some of which this kernel or these privileges may lack.
 *
 * A round runs each part once, in the order of the table, and is one op.  A part makes its call, checks the
 * effect and undoes it, without waiting.  A part whose call has not worked yet and fails with an errno that
 * means that the call does not exist here is left out of all later rounds, and a note of the result names it.
 * If all parts are left out, the stressor is skipped.  Any other error and any wrong effect is a failure that
 * names the part; an errno that means a lack of memory or descriptors (stress_is_lack()) is no failure.
 */
#ifndef STRESSORS_RUN_PARTS_H
#define STRESSORS_RUN_PARTS_H

#include "stress.h"

#define PARTS_MAX    64
#define PARTS_ERRNOS 3

struct parts;

struct part {
	const char *name;          /* "F_SETPIPE_SZ"; NULL ends the table */
	/* 0, -errno of a call that failed, or what parts_wrong() returned. */
	int (*run)(struct parts *p);
	/* The errnos by which the part is left out, besides ENOSYS and EOPNOTSUPP; 0 ends them. */
	int absent[PARTS_ERRNOS];
	const void *with;          /* what run finds as p->with; NULL: nothing */
};

struct parts {
	struct stress *s;
	const struct part *part;   /* the table */
	unsigned int n;
	const void *with;          /* of the part that runs */
	uint64_t rounds;           /* those that are complete */
	uint64_t runs, ns;         /* of parts that worked */
	int left_out[PARTS_MAX];   /* the errno of a part that is left out; 0: it is not */
	bool has_worked[PARTS_MAX];
	char wrong[STRESS_REASON]; /* the text of parts_wrong() */
};

/* The metrics of each stressor that consists of parts. */
enum { PARTS_NS, PARTS_WORKED };
extern const struct stressor_metric parts_metrics[];

/* The table has at most PARTS_MAX parts. */
void parts_init(struct parts *p, struct stress *s, const struct part *table);

/* Runs rounds until the end of the run, counts an op for each and sets the metrics.  Returns the value that
 * the stressor's run is to return. */
int parts_run(struct parts *p) SM_MUST;

/* Notes a wrong effect and returns the value that the part is to return. */
int parts_wrong(struct parts *p, const char *fmt, ...) SM_PRINTF(2, 3);

/* The part could not be tried in this round, which is no failure: returns the value that the part is to
 * return. */
int parts_put_off(void);

/* Returns 0 if a call failed with this errno as it should have; r and errno are those of the call. */
int parts_refused(struct parts *p, long r, int error, const char *call) SM_MUST;

/* The result of a call, as a part returns it: -errno if r is negative, else r. */
long parts_result(long r) SM_MUST;

/* True in the one round in which a part is to damage its data (--spoil). */
bool parts_spoil(const struct parts *p) SM_MUST;

#endif
