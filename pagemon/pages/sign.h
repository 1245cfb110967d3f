/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sign: the sign of a cell, from the kinds of its pages.  It is the first kind in this order that any page
 * has, in upper case if all pages have it, otherwise in lower case:
 *
 *	S swapped, D soft-dirty, H huge, M file or shared, P present (without the other kinds),
 *	Z zero page, G guard region, X other entry (SM_PAGE_NOT_SWAP, SM_PAGE_HIDDEN), '.' unpopulated
 */
#ifndef PAGEMON_SIGN_H
#define PAGEMON_SIGN_H

#include "kernel/pagemap.h"

enum { SIGN_SWAPPED = 1, SIGN_DIRTY = 2, SIGN_HUGE = 4, SIGN_FILE = 8, SIGN_PLAIN = 16, SIGN_ZERO = 32,
	SIGN_GUARD = 64, SIGN_OTHER = 128 };

/* Kinds of a cell's pages; start with zeroes. */
struct sign {
	uint64_t there;          /* number of pages of any kind */
	unsigned char any, all;  /* kinds that some, and that all of these pages have */
};

/* Returns the kinds of pages with these categories (SM_PAGE_...). */
unsigned char sign_kinds(uint64_t categories);
void sign_add(struct sign *s, uint64_t pages, unsigned char kinds);
/* Returns the sign of a cell with this number of pages. */
char sign_of(const struct sign *s, uint64_t pages);

#endif
