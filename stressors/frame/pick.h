/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pick: which stressors run, and how many instances of each.
 *
 * Those that are named come first, in the order in which they were, with their own numbers of instances.
 * --all N and --seq N add all of the others, or those of --class and --with, by name, with N.  --seq alone
 * runs those that are named one after the other, and all if none is.  --exclude takes away.  Pathological
 * ones run only when that is permitted: if not, naming one is an error, and they are none of the others.
 */
#ifndef STRESSORS_FRAME_PICK_H
#define STRESSORS_FRAME_PICK_H

#include "../stressor.h"
#include "base/buf.h"

struct pick_one {
	unsigned int named;     /* 1 for the first, 2 ...; 0: it is not */
	unsigned int instances; /* if it is named; 0: one for each CPU */
	bool with, excluded;
};

struct pick {
	const struct stressor *const *list; /* NULL ends it */
	struct pick_one *one;   /* by the place in the list */
	uint32_t classes;       /* 0: none was given */
	bool with;              /* was given */
	bool all, seq;          /* --all, --seq */
	unsigned int instances; /* theirs; 0: one for each CPU */
	bool pathological;      /* is permitted */
};

struct picked {
	size_t at;              /* place in the list */
	unsigned int instances; /* 0: one for each CPU */
};

/* out: room for all of the list.  How many; -EINVAL with the reason in *why. */
int pick(const struct pick *p, struct picked *out, struct sm_buf *why) SM_MUST;

#endif
