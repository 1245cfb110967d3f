/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sign: the sign of a cell, from the kinds of its pages: upper case if all pages are of the kind, lower
 * case for some; of the kinds that are there, the first in this order:
 *
 *	S swapped, D soft-dirty, H huge, M file or shared, P present (of none of the other kinds),
 *	Z zero page, G guard region, '.' none
 */
#ifndef PAGEMON_SIGN_H
#define PAGEMON_SIGN_H

#include "kernel/pagemap.h"

enum { SIGN_SWAPPED = 1, SIGN_DIRTY = 2, SIGN_HUGE = 4, SIGN_FILE = 8, SIGN_PLAIN = 16, SIGN_ZERO = 32,
	SIGN_GUARD = 64 };

/* What is known of a cell's pages; zero-initialised: nothing. */
struct sign {
	uint64_t there;          /* pages of any kind */
	unsigned char any, all;  /* kinds that some, and that all of these have */
};

/* The kinds of pages with these categories (SM_PAGE_...). */
unsigned char sign_kinds(uint64_t categories);
void sign_add(struct sign *s, uint64_t pages, unsigned char kinds);
/* Of a cell of so many pages. */
char sign_of(const struct sign *s, uint64_t pages);

#endif
