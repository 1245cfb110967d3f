// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/pageflags.h"
#include "proc/pagemap.h"

/* Names of the document and of include/uapi/linux/kernel-page-flags.h.  Above 31 only two
 * flags have one meaning in all kernels.  (34 was MAPPEDTODISK; since Linux 6.12 the
 * owner of a page uses it, and it is set on anonymous pages.) */
#define FOR_DEVELOPERS 32
// clang-format off
static const char *const names[] = {
	[0] = "LOCKED", [1] = "ERROR", [2] = "REFERENCED", [3] = "UPTODATE", [4] = "DIRTY",
	[5] = "LRU", [6] = "ACTIVE", [7] = "SLAB", [8] = "WRITEBACK", [9] = "RECLAIM",
	[10] = "BUDDY", [11] = "MMAP", [12] = "ANON", [13] = "SWAPCACHE", [14] = "SWAPBACKED",
	[15] = "COMPOUND_HEAD", [16] = "COMPOUND_TAIL", [17] = "HUGE", [18] = "UNEVICTABLE",
	[19] = "HWPOISON", [20] = "NOPAGE", [21] = "KSM", [22] = "THP", [23] = "OFFLINE",
	[24] = "ZERO_PAGE", [25] = "IDLE", [26] = "PGTABLE",
	[32] = "RESERVED", [33] = "MLOCKED",
};
// clang-format on

static int open_one(const struct sm_root *root, const char *name, int *error)
{
	int fd = sm_at_open(root->proc, name, 0);

	*error = fd < 0 ? fd : 0;
	return fd < 0 ? -1 : fd;
}

int sm_pageflags_open(struct sm_pageflags *f, const struct sm_root *root)
{
	f->count_fd = open_one(root, "kpagecount", &f->count_error);
	f->flags_fd = open_one(root, "kpageflags", &f->flags_error);
	f->cgroup_fd = open_one(root, "kpagecgroup", &f->cgroup_error);
	if (f->count_fd < 0 && f->flags_fd < 0 && f->cgroup_fd < 0)
		return f->flags_error;
	return 0;
}

void sm_pageflags_close(struct sm_pageflags *f)
{
	sm_base_close_fd(&f->count_fd);
	sm_base_close_fd(&f->flags_fd);
	sm_base_close_fd(&f->cgroup_fd);
}

static int read_one(int fd, int error, uint64_t pfn, uint64_t *out)
{
	uint64_t value;
	ssize_t n;

	if (fd < 0)
		return error ? error : -ENOENT;
	if (pfn > INT64_MAX / sizeof(value))
		return -ENODATA;
	do
		n = pread(fd, &value, sizeof(value), (off_t)(pfn * sizeof(value)));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != sizeof(value))
		return -ENODATA;
	*out = value;
	return 0;
}

int sm_pageflags_count(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out)
{
	return read_one(f->count_fd, f->count_error, pfn, out);
}

int sm_pageflags_flags(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out)
{
	return read_one(f->flags_fd, f->flags_error, pfn, out);
}

int sm_pageflags_cgroup(const struct sm_pageflags *f, uint64_t pfn, uint64_t *inode)
{
	return read_one(f->cgroup_fd, f->cgroup_error, pfn, inode);
}

const char *sm_pageflags_name(unsigned int number)
{
	return number < SM_ARRAY_SIZE(names) ? names[number] : NULL;
}

void sm_pageflags_text(struct sm_buf *b, uint64_t flags)
{
	const char *blank = "";

	for (unsigned int i = 0; flags; i++, flags >>= 1) {
		const char *name = sm_pageflags_name(i);

		if (!(flags & 1) || (!name && i >= FOR_DEVELOPERS))
			continue;
		sm_buf_str(b, blank);
		blank = " ";
		sm_buf_str(b, name ? name : "bit");
		if (!name)
			sm_buf_u64(b, i);
	}
}

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

uint64_t sm_pageflags_zero_pfn(int self_pagemap_fd)
{
	size_t page = (size_t)getpagesize();
	char *p = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t pfn;

	if (p == MAP_FAILED)
		return 0;
	(void)madvise(p, page, MADV_NOHUGEPAGE); /* not the huge zero page */
	pfn = pfn_of(self_pagemap_fd, p);
	munmap(p, page);
	return pfn;
}

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
uint64_t sm_pageflags_huge_zero_pfn(
	int self_pagemap_fd, const struct sm_pagemap_scan *scan, uint64_t *categories)
{
	size_t page = (size_t)getpagesize(), block = page * (page / sizeof(uint64_t));
	char *at = mmap(NULL, 2 * block, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t pfn = 0;

	if (at == MAP_FAILED)
		return 0;
	if (madvise(at, 2 * block, MADV_HUGEPAGE) == 0) {
		const char *aligned = at + (block - (uintptr_t)at % block) % block;

		pfn = pfn_of(self_pagemap_fd, aligned);
		if (pfn && pfn_of(self_pagemap_fd, aligned + page) != pfn + 1)
			pfn = 0;
		*categories = categories_at(self_pagemap_fd, scan, aligned, block);
	}
	munmap(at, 2 * block);
	return pfn;
}
