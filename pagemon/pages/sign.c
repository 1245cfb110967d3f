// SPDX-License-Identifier: GPL-2.0-or-later
#include "sign.h"

/* Letters of the kinds in their order; bit i of the kinds belongs to letter i. */
static const char all_letters[] = "SDHMPZGX", some_letters[] = "sdhmpzgx";

unsigned char sign_kinds(uint64_t categories)
{
	unsigned char k = 0;

	if (categories & SM_PAGE_NOT_SWAP)
		k |= SIGN_OTHER;
	else if (categories & SM_PAGE_SWAPPED)
		k |= SIGN_SWAPPED;
	if (categories & SM_PAGE_SOFT_DIRTY)
		k |= SIGN_DIRTY;
	if (categories & SM_PAGE_GUARD)
		k |= SIGN_GUARD;
	if (!(categories & SM_PAGE_PRESENT))
		return k;
	if (categories & SM_PAGE_HUGE)
		k |= SIGN_HUGE;
	if (categories & SM_PAGE_FILE)
		k |= SIGN_FILE;
	return (unsigned char)(k | (categories & SM_PAGE_ZERO ? SIGN_ZERO : SIGN_PLAIN));
}

void sign_add(struct sign *s, uint64_t pages, unsigned char kinds)
{
	s->pages[__builtin_ctz(kinds)] += pages;
}

/* Returns the kind that a cell shows, or SIGN_KINDS for an unpopulated cell. */
static unsigned int shown_kind(const struct sign *s)
{
	unsigned int most = SIGN_KINDS;

	for (unsigned int i = 0; i < SIGN_KINDS; i++) {
		if (s->pages[i] && 1u << i <= SIGN_DIRTY)
			return i;
		if (s->pages[i] && (most == SIGN_KINDS || s->pages[i] > s->pages[most]))
			most = i;
	}
	return most;
}

unsigned char sign_of(const struct sign *s, uint64_t pages)
{
	unsigned int kind = shown_kind(s);

	if (kind == SIGN_KINDS)
		return '.';
	if (s->pages[kind] >= pages)
		return (unsigned char)all_letters[kind];
	return (unsigned char)(128 | kind << 3 |
			       (1 + s->pages[kind] * (SIGN_FULL - 1) / pages));
}

char sign_letter(unsigned char sign)
{
	return sign & 128 ? some_letters[sign >> 3 & 15] : (char)sign;
}
