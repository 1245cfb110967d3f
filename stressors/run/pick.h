/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick: selects the stressors that run, and the number of their instances.
 *
 * Named stressors come first, in their order, with their own numbers of instances; a stressor that is named
 * twice runs as two jobs.  --random N adds N instances of randomly chosen stressors.  --all N and --seq N add
 * all other stressors, or those that --class and --with select, by name, with N instances each.  --seq alone
 * runs the named stressors one after the other, or all if no stressor is named.  --exclude removes
 * stressors.  Pathological stressors run only if that is permitted; otherwise naming one is an error, and
 * --all and --seq do not include them.
 */
#ifndef STRESSORS_RUN_PICK_H
#define STRESSORS_RUN_PICK_H

#include "../stressor.h"
#include "base/buf.h"

/* A number of instances: one for each CPU that is online; 0: one for each CPU that may be used. */
#define PICK_ONLINE UINT32_MAX

struct pick_one {
	bool named, with, excluded;
	unsigned int drawn;     /* randomly chosen instances, counted by pick() */
};

struct pick_named {
	size_t at;              /* place in the list */
	unsigned int instances;
};

struct pick {
	const struct stressor *const *list; /* NULL ends it */
	struct pick_one *one;   /* by the place in the list */
	const struct pick_named *named; /* in the order of the options */
	size_t n_named;
	uint32_t classes;       /* 0: --class was not given */
	bool with;              /* --with was given */
	bool all, seq;          /* --all, --seq */
	unsigned int instances; /* of --all or --seq */
	unsigned int random;    /* number of instances to choose randomly */
	uint64_t seed;          /* of the random choice */
	bool pathological;      /* pathological stressors are permitted */
};

struct picked {
	size_t at;              /* place in the list */
	unsigned int instances;
	size_t named;           /* place in pick.named; PICK_NOT_NAMED */
};

#define PICK_NOT_NAMED SIZE_MAX

/* Fills in out, which has room for the whole list and all named stressors.  Returns their number, or -EINVAL
 * with the reason in *why. */
int pick(struct pick *p, struct picked *out, struct sm_buf *why) SM_MUST;

#endif
