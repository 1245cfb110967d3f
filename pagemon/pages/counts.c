// SPDX-License-Identifier: GPL-2.0-or-later
#include "counts.h"

void counts_add(struct counts *c, uint64_t pages, uint64_t categories)
{
	if (categories & SM_PAGE_PRESENT) {
		c->present += pages;
		if (categories & SM_PAGE_FILE)
			c->file += pages;
		if (categories & SM_PAGE_ZERO)
			c->zero += pages;
		if (categories & SM_PAGE_HUGE)
			c->huge += pages;
		if (categories & PAGE_EXCLUSIVE)
			c->exclusive += pages;
	}
	if (categories & SM_PAGE_SWAPPED)
		c->swapped += pages;
	if (categories & SM_PAGE_GUARD)
		c->guard += pages;
	if (categories & SM_PAGE_SOFT_DIRTY)
		c->dirty += pages;
}
