/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies: copies of the rows of a sample.  A sampler's rows are valid only until its next sample, but the
 * screen is drawn at any time and keys rearrange its rows.  cli layer.
 *
 * The names of a row are copied as well; for strings of a pool, a reference is held.  Other pointers are
 * copied as they are.  Rows may be exchanged with each other.
 */
#ifndef SM_COPIES_H
#define SM_COPIES_H

#include "base/strpool.h"

#define SM_COPIES_NAME_BYTES 32 /* longer names are truncated; a comm has at most 15 bytes */

/* The members of a row that refer to other memory, by their offsets. */
struct sm_copies_type {
	size_t size;                /* of a row */
	uint16_t pooled[2];         /* struct sm_poolstr * */
	uint16_t names[2], nnames;  /* struct sm_str; one at least */
};

struct sm_copies_names;

struct sm_copies {
	const struct sm_copies_type *type; /* set by the caller, as is pool */
	struct sm_strpool *pool;           /* of the strings */
	void *rows;
	size_t n, cap;
	struct sm_copies_names *names;     /* of each row */
	size_t names_cap;
};

/* Replaces the copies.  Returns 0, or -ENOMEM with c->n 0. */
int sm_copies_take(struct sm_copies *c, const void *rows, size_t n) SM_MUST;
/* Replaces one of the copies by a copy of `from`. */
void sm_copies_renew(struct sm_copies *c, void *row, const void *from);
void sm_copies_fini(struct sm_copies *c);

#endif
