/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagemap: the state of each page of a process, from /proc/PID/pagemap
 * (Documentation/admin-guide/mm/pagemap.rst): one by one with pread(2), or as runs of equal pages with
 * the ioctl PAGEMAP_SCAN (Linux 6.7).
 *
 * The descriptor belongs to the memory of the program that ran when it was opened: after exit and after
 * exec it returns 0 entries (-ESRCH here), never entries of another process.  PAGEMAP_SCAN itself would
 * succeed on such memory (Linux 6.18) and report the remaining pages while the memory is torn down, and
 * then nothing.  Therefore a call that reaches its end also reads an entry.  If the call that ends a walk
 * succeeds, all runs of the walk belong to a living process.
 *
 * Two facts about PAGEMAP_SCAN (measured, and in fs/proc/task_mmu.c): with room for more than 512 runs the
 * returned walk_end is wrong, so calls here take at most 512 and do not use it; and a call holds the target's
 * mmap lock for as long as it walks, so the caller asks for bounded pieces.
 */
#ifndef SM_PAGEMAP_H
#define SM_PAGEMAP_H

#include "base/root.h"

/* Bits of an entry. */
#define SM_PAGEMAP_SOFT_DIRTY (UINT64_C(1) << 55)
#define SM_PAGEMAP_EXCLUSIVE  (UINT64_C(1) << 56) /* mapped once (Linux 4.2) */
#define SM_PAGEMAP_UFFD_WP    (UINT64_C(1) << 57) /* Linux 5.13 */
#define SM_PAGEMAP_GUARD      (UINT64_C(1) << 58) /* Linux 6.15; bit 62 is also set */
#define SM_PAGEMAP_FILE       (UINT64_C(1) << 61) /* file-backed or shared anonymous */
#define SM_PAGEMAP_SWAPPED    (UINT64_C(1) << 62) /* swap, or an entry of another kind: SM_PAGE_OTHER */
#define SM_PAGEMAP_PRESENT    (UINT64_C(1) << 63)
#define SM_PAGEMAP_PFN_MASK   ((UINT64_C(1) << 55) - 1) /* present page; 0 without CAP_SYS_ADMIN */

#define SM_PAGEMAP_SCAN 0xc0606610u /* PAGEMAP_SCAN: _IOWR('f', 16, struct pm_scan_arg) */

/* Categories of PAGEMAP_SCAN (include/uapi/linux/fs.h, PAGE_IS_...). */
enum {
	SM_PAGE_FILE = 4,
	SM_PAGE_PRESENT = 8,
	SM_PAGE_SWAPPED = 16, /* without the pages of SM_PAGE_GUARD */
	SM_PAGE_ZERO = 32,    /* the zero page */
	SM_PAGE_HUGE = 64,    /* mapped by a PMD, or hugetlb */
	SM_PAGE_SOFT_DIRTY = 128,
	SM_PAGE_GUARD = 256,
	/* Entries that bit 62 also marks, which are neither memory nor swap.  Only entries show them: a scan
	 * reports SM_PAGE_SWAPPED for all of them. */
	SM_PAGE_MARKER = 1 << 16, /* write protection of userfaultfd(2), without a page */
	SM_PAGE_POISON = 1 << 17, /* an access raises SIGBUS (UFFDIO_POISON, or lost data) */
	SM_PAGE_OTHER = 1 << 18,  /* being migrated, in the memory of a device, or lost to a memory error */
};

#define SM_PAGE_NOT_SWAP (SM_PAGE_MARKER | SM_PAGE_POISON | SM_PAGE_OTHER)
/* A page in swap or with another entry: the type is only visible with CAP_SYS_ADMIN. */
#define SM_PAGE_HIDDEN (SM_PAGE_SWAPPED | SM_PAGE_OTHER)

/* Runs per call. */
#define SM_PAGEMAP_RUNS 512

struct sm_page_run {
	uint64_t start, end;  /* addresses */
	uint64_t categories;  /* SM_PAGE_..., equal for all pages of the run, never 0 */
};

/* Abilities of the kernel's PAGEMAP_SCAN. */
struct sm_pagemap_scan {
	bool works;           /* Linux 6.7 */
	uint64_t categories;  /* supported categories; SM_PAGE_GUARD since Linux 6.15 */
};

/* Returns a descriptor of the caller's own pagemap, or -errno. */
int sm_pagemap_open_self(const struct sm_root *root) SM_MUST;
/* Returns 1 if this kernel tracks written pages (CONFIG_MEM_SOFT_DIRTY), 0 if not, or -errno if that cannot
 * be determined; tested with a page that the caller writes. */
int sm_pagemap_tracks_dirty(int self_pagemap_fd) SM_MUST;
/* Finds the abilities with a page and the pagemap of the caller. */
void sm_pagemap_probe(int self_pagemap_fd, struct sm_pagemap_scan *out);

/*
 * Reads the entries of n pages, starting at the address (a multiple of the page size).  Returns the number
 * read: fewer than n only at the end of the address space (after it 0), or if the memory is freed during
 * the call.  -ESRCH: the memory no longer exists; or another error of pread(2).
 */
ssize_t sm_pagemap_read(int fd, uint64_t address, uint64_t *entries, size_t n) SM_MUST;
/* Returns the categories of an entry, which does not show zero pages and huge pages.  Swap types from 22 are
 * not swap: include/linux/swap.h reserves up to 10 of 32 types (SWP_HWPOISON_NUM 1, SWP_MIGRATION_NUM 3,
 * SWP_DEVICE_NUM 4, SWP_PTE_MARKER_NUM 1, in Linux 5.19 to 6.1 SWP_SWAPIN_ERROR_NUM 1), depending on its
 * version and configuration.  Their order differs too, but only markers have offsets below 8: the bits
 * PTE_MARKER_... of include/linux/swapops.h; other offsets are frame numbers. */
uint64_t sm_pagemap_categories(uint64_t entry);
/* Return the swap type (0 .. 31) and the offset of a page with SM_PAGEMAP_SWAPPED, unless hidden. */
unsigned int sm_pagemap_swap_type(uint64_t entry);
uint64_t sm_pagemap_swap_offset(uint64_t entry);

/*
 * Finds runs of pages in [start, end) that have any of the categories `any`, in order; neighbours with
 * equal categories form one run.  start and end are multiples of the page size.  The walk stops after
 * max_pages matching pages (0: no limit).  Returns the number of runs, at most SM_PAGEMAP_RUNS.  *next is
 * the address at which the next call continues, or `end` if all was walked, which the number of runs does
 * not show.  -ESRCH, -ENOTTY (before Linux 6.7), -EFAULT (after the end of user memory), or another error
 * of ioctl(2).
 */
ssize_t sm_pagemap_scan(int fd, const struct sm_pagemap_scan *can, uint64_t start, uint64_t end,
	uint64_t any, uint64_t max_pages, struct sm_page_run runs[SM_PAGEMAP_RUNS], uint64_t *next)
	SM_MUST;

#endif
