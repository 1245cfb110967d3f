/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek: looks for the next or the previous page that is there, in memory or in swap.
 *
 * Ranges of pages are walked one after the other, away from the start, each four times as large as the one
 * before, so that a page nearby is found at once, and 16 TiB of nothing in few calls.
 */
#ifndef PAGEMON_SEEK_H
#define PAGEMON_SEEK_H

#include "pages/pass.h"

struct seek {
	struct pass *pass;
	const struct pass_reader *reader;
	const struct space *space;
	bool active, forward;
	uint64_t generation;   /* of the mappings */
	uint64_t from, to;     /* ordinals of the range that is being walked: [from, to) */
	uint64_t size;
	uint64_t found;        /* in that range; UINT64_MAX: none yet */
};

int seek_init(struct seek *s) SM_MUST;
void seek_fini(struct seek *s);
/* Looks behind the ordinal, or before it. */
void seek_begin(struct seek *s, const struct pass_reader *r, const struct space *space,
	uint64_t ordinal, bool forward);
/* 1: there is more, 0: the end, *found is the page, or UINT64_MAX; -errno.  -EAGAIN: the mappings have
 * changed. */
int seek_step(struct seek *s, uint64_t budget_ns, uint64_t *found) SM_MUST;

#endif
