// SPDX-License-Identifier: GPL-2.0-or-later
#include "counts.h"

#include <errno.h>
#include <sys/sysinfo.h>

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
	if ((categories & SM_PAGE_HIDDEN) == SM_PAGE_HIDDEN)
		c->hidden += pages;
	else if (categories & SM_PAGE_SWAPPED)
		c->swapped += pages;
	else if (categories & SM_PAGE_NOT_SWAP)
		c->other += pages;
	if (categories & SM_PAGE_GUARD)
		c->guard += pages;
	if (categories & SM_PAGE_SOFT_DIRTY)
		c->dirty += pages;
}

/* Returns whether shared memory may be in swap: swap is used, and a mapping has an inode
 * (0: the first segment of System V) of a file system without a device. */
static bool may_have_shared(const struct space *s)
{
	struct sysinfo now;
	const struct mapping *m = s->mappings, *end = m + s->n;

	while (m < end && (m->dev_major || (!m->inode && !(m->perms & SM_VMA_SHARED))))
		m++;
	return m < end && sysinfo(&now) == 0 && now.totalswap != now.freeswap;
}

uint64_t counts_kind(uint64_t hidden, int64_t swap_pages)
{
	if (swap_pages == 0)
		return SM_PAGE_OTHER;
	return swap_pages > 0 && (uint64_t)swap_pages == hidden ? SM_PAGE_SWAPPED
								: SM_PAGE_HIDDEN;
}

/* Sets the pages in swap to smaps' figures for private and for shared mappings. */
static int settle(struct counts *c, int64_t private_pages, int64_t shared_pages)
{
	uint64_t kind = counts_kind(c->hidden, private_pages);

	c->swapped = (uint64_t)(private_pages + shared_pages);
	c->shared = (uint64_t)shared_pages;
	if (kind == SM_PAGE_OTHER)
		c->other += c->hidden;
	if (kind != SM_PAGE_HIDDEN)
		c->hidden = 0;
	return (int)kind;
}

int counts_swap(struct counts *total, void *each, size_t stride, struct pass *p,
	const struct space *s)
{
	int64_t sum[2] = {0, 0}; /* private, shared */
	bool any = false;
	int err;

	if (!total->hidden && !may_have_shared(s))
		return 0;
	err = pass_read_swap(p);
	for (size_t m = 0; !err && m < s->n; m++) {
		int64_t n = pass_swap_pages(p, m);
		bool shared = s->mappings[m].perms & SM_VMA_SHARED;

		if (n < 0)
			continue;
		any = true;
		sum[shared] += n;
		if (each)
			(void)settle((struct counts *)((char *)each + m * stride),
				shared ? 0 : n, shared ? n : 0);
	}
	if (err || !any)
		return err ? err : -ENODATA;
	return settle(total, sum[0], sum[1]);
}
