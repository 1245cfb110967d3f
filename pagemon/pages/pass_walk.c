// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass_walk.h"

void pass_flush(struct pass *p)
{
	if (p->run_n)
		p->fn(p->ctx, p->run_m, p->run_first, p->run_n, p->run_categories);
	p->run_n = 0;
}

void pass_pages_of(const struct pass *p, size_t m, uint64_t *low, uint64_t *high)
{
	const struct mapping *v = &p->space->mappings[m];
	uint64_t end = v->first + mapping_pages(p->space, v);

	*low = (p->first > v->first ? p->first : v->first) - v->first;
	*high = (p->end < end ? p->end : end) - v->first;
}

void pass_put(struct pass *p, size_t m, uint64_t page, uint64_t n, uint64_t categories)
{
	bool goes_on;

	/* Page tables do not record shared memory in swap. */
	if (categories & SM_PAGE_OTHER && p->space->mappings[m].perms & SM_VMA_SHARED)
		categories &= ~(uint64_t)SM_PAGE_SWAPPED;
	goes_on = p->run_n && p->run_m == m && p->run_first + p->run_n == page &&
		  p->run_categories == categories;

	if (goes_on) {
		p->run_n += n;
		return;
	}
	pass_flush(p);
	p->run_m = m;
	p->run_first = page;
	p->run_n = n;
	p->run_categories = categories;
}

void pass_put_walked(struct pass *p, uint64_t first, uint64_t end)
{
	p->walked += end - first;
	if (!p->walked_fn || first == end)
		return;
	pass_flush(p);
	p->walked_fn(p->ctx, first, end);
}
