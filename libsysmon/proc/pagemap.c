// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/pagemap.h"

#define SWAP_TYPE_BITS	 5
#define SWAP_OFFSET_BITS 50
/* See sm_pagemap_categories() in the header. */
enum { SWAP_TYPES = 22, MARKER_POISON = 2, MARKER_GUARD = 4, MARKER_END = 8 };

/* struct pm_scan_arg and PAGEMAP_SCAN of include/uapi/linux/fs.h; sm_page_run is its
 * struct page_region. */
struct scan_arg {
	uint64_t size, flags;
	uint64_t start, end;
	uint64_t walk_end;
	uint64_t vec, vec_len;
	uint64_t max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask;
	uint64_t return_mask;
};
_Static_assert(SM_PAGEMAP_SCAN == _IOWR('f', 16, struct scan_arg), "PAGEMAP_SCAN");

_Static_assert(sizeof(struct sm_page_run) == 3 * sizeof(uint64_t), "struct page_region");

#define SCAN_ALWAYS \
	(SM_PAGE_FILE | SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_ZERO | SM_PAGE_HUGE)

static uint64_t page_bytes(void)
{
	return (uint64_t)getpagesize();
}

static bool knows(int fd, const void *page, uint64_t categories)
{
	struct sm_page_run run = {.start = 0};
	struct scan_arg arg = {.size = sizeof(arg),
		.start = (uintptr_t)page,
		.end = (uintptr_t)page + page_bytes(),
		.vec = (uintptr_t)&run,
		.vec_len = 1,
		.category_anyof_mask = categories,
		.return_mask = categories};

	return ioctl(fd, SM_PAGEMAP_SCAN, &arg) == 1 && run.categories & SM_PAGE_PRESENT;
}

/* Finds the supported categories; the kernel rejects others. */
static uint64_t known_categories(int fd, const void *page)
{
	static const uint64_t optional[] = {SM_PAGE_SOFT_DIRTY, SM_PAGE_GUARD};
	uint64_t known = SCAN_ALWAYS;

	if (!knows(fd, page, known))
		return 0;
	for (size_t i = 0; i < SM_ARRAY_SIZE(optional); i++)
		if (knows(fd, page, known | optional[i]))
			known |= optional[i];
	return known;
}

int sm_pagemap_open_self(const struct sm_root *root)
{
	return sm_at_open(root->proc, "self/pagemap", 0);
}

/* If the kernel has the bits, a page that was just written is dirty. */
int sm_pagemap_tracks_dirty(int self_pagemap_fd)
{
	size_t n = (size_t)page_bytes();
	char *page =
		mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t entry = 0;
	ssize_t r;

	if (page == MAP_FAILED)
		return -errno;
	page[0] = 1;
	r = sm_pagemap_read(self_pagemap_fd, (uintptr_t)page, &entry, 1);
	munmap(page, n);
	return r < 0 ? (int)r : !!(entry & SM_PAGEMAP_SOFT_DIRTY);
}

void sm_pagemap_probe(int self_pagemap_fd, struct sm_pagemap_scan *out)
{
	char *page = mmap(NULL, (size_t)page_bytes(), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	*out = (struct sm_pagemap_scan){.works = false};
	if (page == MAP_FAILED)
		return;
	*(volatile char *)page = 1;
	out->categories = known_categories(self_pagemap_fd, page);
	out->works = out->categories != 0;
	munmap(page, (size_t)page_bytes());
}

/* Returns the bytes read, fewer than n only at the end of the address space or memory. */
static ssize_t pread_all(int fd, char *to, size_t n, uint64_t offset)
{
	size_t got = 0;
	ssize_t r;

	while (got < n) {
		r = pread(fd, to + got, n - got, (off_t)(offset + got));
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && got == 0)
			return -errno;
		if (r <= 0)
			break;
		got += (size_t)r;
	}
	return (ssize_t)got;
}

/* Reads the entry of page 0, which every address space has, mapped or not. */
static int check_alive(int fd)
{
	uint64_t entry;
	ssize_t n = pread_all(fd, (char *)&entry, sizeof(entry), 0);

	if (n < 0)
		return (int)n;
	return n == 0 ? -ESRCH : 0;
}

ssize_t sm_pagemap_read(int fd, uint64_t address, uint64_t *entries, size_t n)
{
	uint64_t offset = address / page_bytes() * sizeof(*entries);
	ssize_t got = pread_all(fd, (char *)entries, n * sizeof(*entries), offset);

	if (got < 0)
		return got;
	if (got == 0 && n > 0)
		return check_alive(fd);
	return got / (ssize_t)sizeof(*entries);
}

/* Returns the category of an entry with bit 62. */
static uint64_t swap_category(uint64_t entry)
{
	uint64_t offset = sm_pagemap_swap_offset(entry);

	if (entry & SM_PAGEMAP_GUARD)
		return SM_PAGE_GUARD;
	if (entry & SM_PAGEMAP_FILE) /* the entry refers to a page */
		return SM_PAGE_OTHER;
	if (!(entry & SM_PAGEMAP_PFN_MASK))
		return SM_PAGE_HIDDEN;
	if (sm_pagemap_swap_type(entry) < SWAP_TYPES)
		return SM_PAGE_SWAPPED;
	if (offset >= MARKER_END)
		return SM_PAGE_OTHER;
	if (offset & MARKER_GUARD)
		return SM_PAGE_GUARD;
	return offset & MARKER_POISON ? SM_PAGE_POISON : SM_PAGE_MARKER;
}

uint64_t sm_pagemap_categories(uint64_t entry)
{
	uint64_t c = 0;

	if (entry & SM_PAGEMAP_PRESENT)
		c |= SM_PAGE_PRESENT;
	if (entry & SM_PAGEMAP_FILE)
		c |= SM_PAGE_FILE;
	if (entry & SM_PAGEMAP_SOFT_DIRTY)
		c |= SM_PAGE_SOFT_DIRTY;
	if (entry & SM_PAGEMAP_SWAPPED)
		c |= swap_category(entry);
	return c;
}

unsigned int sm_pagemap_swap_type(uint64_t entry)
{
	return entry & ((1u << SWAP_TYPE_BITS) - 1);
}

uint64_t sm_pagemap_swap_offset(uint64_t entry)
{
	return entry >> SWAP_TYPE_BITS & ((UINT64_C(1) << SWAP_OFFSET_BITS) - 1);
}

/*
 * The kernel also reports a guard page as swapped.  If only swapped pages are requested,
 * an inverted required category excludes the guard pages.
 */
static void set_filter(struct scan_arg *arg, uint64_t known, uint64_t any)
{
	arg->return_mask = known;
	arg->category_anyof_mask = any & known;
	if (known & SM_PAGE_GUARD && any & SM_PAGE_SWAPPED && !(any & SM_PAGE_GUARD)) {
		arg->category_inverted = SM_PAGE_GUARD;
		arg->category_mask = SM_PAGE_GUARD;
	}
}

static uint64_t pages_of(const struct sm_page_run *runs, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += runs[i].end - runs[i].start;
	return bytes / page_bytes();
}

/* If the vector is full or max_pages are found, the kernel stopped after the last run. */
static uint64_t where_next(
	const struct scan_arg *arg, const struct sm_page_run *runs, size_t n)
{
	if (n == SM_PAGEMAP_RUNS)
		return runs[n - 1].end;
	if (n > 0 && arg->max_pages && pages_of(runs, n) >= arg->max_pages)
		return runs[n - 1].end;
	return arg->end;
}

/* Makes guard pages not swapped, and joins neighbours that are then equal. */
static size_t tidy(struct sm_page_run *runs, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct sm_page_run run = runs[i];

		if (run.categories & SM_PAGE_GUARD)
			run.categories &= ~(uint64_t)SM_PAGE_SWAPPED;
		if (kept && runs[kept - 1].end == run.start &&
			runs[kept - 1].categories == run.categories)
			runs[kept - 1].end = run.end;
		else
			runs[kept++] = run;
	}
	return kept;
}

ssize_t sm_pagemap_scan(int fd, const struct sm_pagemap_scan *can, uint64_t start,
	uint64_t end, uint64_t any, uint64_t max_pages,
	struct sm_page_run runs[SM_PAGEMAP_RUNS], uint64_t *next)
{
	struct scan_arg arg = {.size = sizeof(arg),
		.start = start,
		.end = end,
		.vec = (uintptr_t)runs,
		.vec_len = SM_PAGEMAP_RUNS,
		.max_pages = max_pages};
	int n, err = 0;

	if (!can->works)
		return -ENOTTY;
	set_filter(&arg, can->categories, any);
	*next = end;
	if (start >= end || !arg.category_anyof_mask)
		return 0;
	n = ioctl(fd, SM_PAGEMAP_SCAN, &arg);
	if (n < 0)
		return -errno;
	*next = where_next(&arg, runs, (size_t)n);
	/* The kernel even walks memory that is being torn down. */
	if (*next == end)
		err = check_alive(fd);
	return err < 0 ? err : (ssize_t)tidy(runs, (size_t)n);
}
