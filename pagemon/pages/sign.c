// SPDX-License-Identifier: GPL-2.0-or-later
#include "sign.h"

/* Letters in order of precedence; bit i of the kinds belongs to letter i. */
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
	s->all = s->there ? s->all & kinds : kinds;
	s->any |= kinds;
	s->there += pages;
}

char sign_of(const struct sign *s, uint64_t pages)
{
	unsigned int first;

	if (!s->any)
		return '.';
	first = (unsigned int)__builtin_ctz(s->any);
	return s->there == pages && s->all >> first & 1 ? all_letters[first]
							: some_letters[first];
}
