/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies: copies of the rows of a sample.  A sampler's rows are valid only until its next sample, but the
 * screen is drawn at any time and keys rearrange its rows.  cli layer.
 *
 * The texts of a row are copied as well; for strings of a pool, a reference is held.  Other pointers are
 * copied as they are.
 */
#ifndef SM_COPIES_H
#define SM_COPIES_H

#include "base/buf.h"
#include "base/strpool.h"

/* The members of a row that refer to other memory, by their offsets. */
struct sm_copies_type {
	size_t size;                /* of a row */
	uint16_t pooled[2];         /* struct sm_poolstr * */
	uint16_t texts[2], ntexts;  /* struct sm_str */
	uint16_t string;            /* const char *, or 0 if a row has none */
};

struct sm_copies {
	const struct sm_copies_type *type; /* set by the caller, as is names */
	struct sm_strpool *names;          /* the pool of the strings */
	void *rows;
	size_t n, cap;
	struct sm_buf text;
};

/* Replaces the copies.  Returns 0, or -ENOMEM with c->n 0. */
int sm_copies_take(struct sm_copies *c, const void *rows, size_t n) SM_MUST;
void sm_copies_fini(struct sm_copies *c);

#endif
