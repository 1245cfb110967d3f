/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow: where the memory changes (f): the cell of the screen that has changed, or, where none has, the
 * mapping elsewhere whose pages that are there have changed most since the last look.
 */
#ifndef PAGEMON_SCREEN_FOLLOW_H
#define PAGEMON_SCREEN_FOLLOW_H

#include "base/base.h"

struct screen;

struct follow_count {
	uint64_t start;            /* address of the mapping */
	uint64_t pages;            /* in RAM or in swap */
};

struct follow {
	struct follow_count *counts, *next; /* of the last look, in order; of this one */
	size_t n, cap, next_cap;
	uint64_t looked_ns;        /* 0: not yet */
};

void follow_fini(struct follow *f);
/* Moves the cursor, if something has changed.  Looks at the mappings at most once a second. */
void follow_change(struct screen *s);

#endif
