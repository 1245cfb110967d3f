/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow: moves the cursor to changes (f): to a visible cell that has changed or, if no visible cell has, to
 * the mapping whose number of present and swapped-out pages has changed most since the last check.
 */
#ifndef PAGEMON_SCREEN_FOLLOW_H
#define PAGEMON_SCREEN_FOLLOW_H

#include "base/base.h"

struct screen;

struct follow_count {
	uint64_t start;            /* address of the mapping */
	uint64_t pages;            /* present or swapped out */
};

struct follow {
	struct follow_count *counts, *next; /* counts of the last check, in order; and of this one */
	size_t n, cap, next_cap;
	uint64_t looked_ns;        /* time of the last check; 0: not yet */
};

void follow_fini(struct follow *f);
/* Moves the cursor if something has changed.  Checks the mappings at most once a second. */
void follow_change(struct screen *s);

#endif
