// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/pageflags.h"
#include "pass_reader.h"

/* Returns the page frame number at an address of this process; 0: hidden. */
static uint64_t pfn_of(int self_pagemap_fd, const volatile char *at)
{
	uint64_t entry = 0;

	(void)*at; /* maps the zero page */
	if (sm_pagemap_read(self_pagemap_fd, (uintptr_t)at, &entry, 1) != 1 ||
		!(entry & SM_PAGEMAP_PRESENT))
		return 0;
	return entry & SM_PAGEMAP_PFN_MASK;
}

/* Returns the categories of the huge zero page: only some kernels report SM_PAGE_ZERO. */
static uint64_t categories_at(int self_pagemap_fd, const struct sm_pagemap_scan *scan,
	const char *at, size_t bytes)
{
	struct sm_page_run runs[SM_PAGEMAP_RUNS];
	uint64_t next;

	if (scan->works &&
		sm_pagemap_scan(self_pagemap_fd, scan, (uintptr_t)at,
			(uintptr_t)at + bytes, SM_PAGE_PRESENT, 0, runs, &next) == 1)
		return runs[0].categories & (SM_PAGE_HUGE | SM_PAGE_ZERO);
	return SM_PAGE_HUGE | SM_PAGE_ZERO;
}

/* Finds nothing if the kernel uses small zero pages, which all have one frame number. */
static void find_huge_zero(struct pass_reader *r, int self_pagemap_fd, size_t page_bytes)
{
	size_t block = page_bytes * (page_bytes / sizeof(uint64_t));
	char *at = mmap(NULL, 2 * block, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *aligned;
	uint64_t pfn;

	if (at == MAP_FAILED)
		return;
	aligned = at + (block - (uintptr_t)at % block) % block;
	if (madvise(at, 2 * block, MADV_HUGEPAGE) == 0) {
		pfn = pfn_of(self_pagemap_fd, aligned);
		if (pfn && pfn_of(self_pagemap_fd, aligned + page_bytes) == pfn + 1) {
			r->huge_zero_pfn = pfn;
			r->huge_zero_categories =
				categories_at(self_pagemap_fd, &r->scan, aligned, block);
		}
	}
	munmap(at, 2 * block);
}

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
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	*r = (struct pass_reader){.pagemap_fd = pagemap_fd,
		.smaps_fd = smaps_fd,
		.status_fd = -1,
		.hidden = SM_PAGE_HIDDEN};
	sm_pagemap_probe(self_pagemap_fd, &r->scan);
	if (want == PASS_SCAN && !r->scan.works)
		return -ENOTTY;
	r->method = want == PASS_READ || !r->scan.works ? PASS_READ : PASS_SCAN;
	r->zero_pfn = sm_pageflags_zero_pfn(self_pagemap_fd);
	r->known = r->scan.categories;
	if (r->method == PASS_READ) {
		find_huge_zero(r, self_pagemap_fd, page_bytes);
		r->known = known_by_reading(r);
	}
	r->known |= SM_PAGE_NOT_SWAP;
	return 0;
}
