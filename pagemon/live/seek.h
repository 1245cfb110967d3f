/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek: finds the next or the previous page that is present or swapped out.
 *
 * Successive ranges of pages are walked away from the start, each four times as large as the previous one, so
 * that a page nearby is found quickly, and 16 TiB of unpopulated pages are passed in few calls.
 */
#ifndef PAGEMON_SEEK_H
#define PAGEMON_SEEK_H

#include "pages/pass.h"

struct seek {
	struct pass *pass;
	const struct pass_reader *reader;
	const struct space *space;
	bool active, forward;
	uint64_t generation;   /* generation of the mappings */
	uint64_t from, to;     /* ordinals [from, to) of the current range */
	uint64_t size;         /* size of the next range, in pages */
	uint64_t found;        /* page found in that range; UINT64_MAX: not found yet */
};

int seek_init(struct seek *s) SM_MUST;
void seek_fini(struct seek *s);
/* Begins to search after the ordinal or, if not `forward`, before it. */
void seek_begin(struct seek *s, const struct pass_reader *r, const struct space *space,
	uint64_t ordinal, bool forward);
/* Returns 1 if there is more, 0 at the end, with the page or UINT64_MAX in *found, or -errno.  -EAGAIN: the
 * mappings have changed. */
int seek_step(struct seek *s, uint64_t budget_ns, uint64_t *found) SM_MUST;

#endif
