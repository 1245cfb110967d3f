/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sign: the sign of a cell, from the kinds of its pages.  A page has the first kind in this order that
 * applies:
 *
 *	S swapped, D soft-dirty, H huge, M file or shared, P present (without the other kinds),
 *	Z zero page, G guard region, X other entry (SM_PAGE_NOT_SWAP, SM_PAGE_HIDDEN), '.' unpopulated
 *
 * The sign is S or D if any page has this kind, otherwise the kind of most pages.  It is in upper case if
 * all pages have this kind; otherwise it contains their share in steps 1 .. 7.
 */
#ifndef PAGEMON_SIGN_H
#define PAGEMON_SIGN_H

#include "proc/pagemap.h"

enum { SIGN_SWAPPED = 1, SIGN_DIRTY = 2, SIGN_HUGE = 4, SIGN_FILE = 8, SIGN_PLAIN = 16, SIGN_ZERO = 32,
	SIGN_GUARD = 64, SIGN_OTHER = 128, SIGN_KINDS = 8 };

/* Step of a cell whose pages all have the kind; the steps of other cells are smaller. */
enum { SIGN_FULL = 8 };

/* Numbers of a cell's pages by their first kind. */
struct sign {
	uint64_t pages[SIGN_KINDS];
};

/* Returns the kinds of pages with these categories (SM_PAGE_...). */
unsigned char sign_kinds(uint64_t categories);
/* Adds pages with these kinds, which are not 0. */
void sign_add(struct sign *s, uint64_t pages, unsigned char kinds);
static inline bool sign_has(const struct sign *s, unsigned int kind)
{
	return s->pages[__builtin_ctz(kind)];
}
/* Returns the sign of a cell with this number of pages. */
unsigned char sign_of(const struct sign *s, uint64_t pages);
/* Returns the letter of a sign: in lower case if not all pages have the kind. */
char sign_letter(unsigned char sign);
static inline unsigned int sign_step(unsigned char sign)
{
	return sign & 128 ? sign & 7 : SIGN_FULL;
}

#endif
