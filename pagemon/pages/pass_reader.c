// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "pass_reader.h"
#include "proc/pageflags.h"

/* Returns the categories that reading can determine.  Guard regions are newer than the
 * scan, so a kernel without the scan has none. */
static uint64_t known_by_reading(const struct pass_reader *r)
{
	uint64_t known =
		SM_PAGE_FILE | SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_SOFT_DIRTY;

	if (r->zero_pfn)
		known |= SM_PAGE_ZERO;
	if (r->smaps_fd >= 0)
		known |= SM_PAGE_HUGE;
	return known | (r->scan.categories & SM_PAGE_GUARD);
}

int pass_reader_init(struct pass_reader *r, enum pass_method want, int self_pagemap_fd,
	int pagemap_fd, int smaps_fd)
{
	*r = (struct pass_reader){.pagemap_fd = pagemap_fd,
		.smaps_fd = smaps_fd,
		.maps_fd = -1,
		.status_fd = -1,
		.hidden = SM_PAGE_HIDDEN};
	sm_pagemap_probe(self_pagemap_fd, &r->scan);
	if (want == PASS_SCAN && !r->scan.works)
		return -ENOTTY;
	r->method = want == PASS_READ || !r->scan.works ? PASS_READ : PASS_SCAN;
	r->zero_pfn = sm_pageflags_zero_pfn(self_pagemap_fd);
	r->known = r->scan.categories;
	if (r->method == PASS_READ) {
		r->huge_zero_pfn = sm_pageflags_huge_zero_pfn(
			self_pagemap_fd, &r->scan, &r->huge_zero_categories);
		r->known = known_by_reading(r);
	}
	r->known |= SM_PAGE_NOT_SWAP;
	return 0;
}
