/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick: which stressors run, and how many instances of each.
 *
 * Stressors that are named come first, in their order, with their own numbers of instances; one that is named
 * twice runs as two jobs.  --random N adds N instances of stressors drawn by lot.
 * --all N and --seq N add all of the others, or those of --class and --with, by name, with N.  --seq alone
 * runs those that are named one after the other, and all if none is.  --exclude takes away.  Pathological
 * ones run only when that is permitted: if not, naming one is an error, and they are none of the others.
 */
#ifndef STRESSORS_RUN_PICK_H
#define STRESSORS_RUN_PICK_H

#include "../stressor.h"
#include "base/buf.h"

/* A number of instances: one for each CPU that is online; 0: one for each CPU that may be used. */
#define PICK_ONLINE UINT32_MAX

struct pick_one {
	bool named, with, excluded;
	unsigned int drawn;     /* instances by lot; pick() counts them */
};

struct pick_named {
	size_t at;              /* place in the list */
	unsigned int instances;
};

struct pick {
	const struct stressor *const *list; /* NULL ends it */
	struct pick_one *one;   /* by the place in the list */
	const struct pick_named *named; /* in their order */
	size_t n_named;
	uint32_t classes;       /* 0: none was given */
	bool with;              /* was given */
	bool all, seq;          /* --all, --seq */
	unsigned int instances; /* theirs */
	unsigned int random;    /* instances by lot; 0: none */
	uint64_t seed;          /* of the lot */
	bool pathological;      /* is permitted */
};

struct picked {
	size_t at;              /* place in the list */
	unsigned int instances;
	size_t named;           /* place in pick.named; PICK_NOT_NAMED */
};

#define PICK_NOT_NAMED SIZE_MAX

/* out: room for all of the list and all of the named ones.  How many; -EINVAL with the reason in *why. */
int pick(struct pick *p, struct picked *out, struct sm_buf *why) SM_MUST;

#endif
