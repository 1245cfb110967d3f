/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageflags: data of a page frame, by its number (PFN, from an entry of pagemap): the number of mappings
 * (/proc/kpagecount), the flags (/proc/kpageflags), and the memory cgroup that pays for it
 * (/proc/kpagecgroup, Linux 4.3); Documentation/admin-guide/mm/pagemap.rst.
 *
 * Only root can read the files.  They are opened once, before the drop of privileges; each answer is one
 * pread(2) of 8 bytes.  They do not exist without CONFIG_PROC_PAGE_MONITOR, kpagecgroup also not without
 * CONFIG_MEMCG.  A PFN is as old as the entry that it comes from: the page may have moved since.
 */
#ifndef SM_PAGEFLAGS_H
#define SM_PAGEFLAGS_H

#include "base/buf.h"
#include "base/root.h"
#include "proc/pagemap.h"

/* Numbers of the flags that callers use (include/uapi/linux/kernel-page-flags.h). */
enum {
	SM_KPF_HUGE = 17,      /* hugetlb */
	SM_KPF_HWPOISON = 19,
	SM_KPF_KSM = 21,
	SM_KPF_THP = 22,
	SM_KPF_ZERO_PAGE = 24, /* Linux 4.0 */
};

struct sm_pageflags {
	int count_fd, flags_fd, cgroup_fd;           /* -1: not open, see the errors */
	int count_error, flags_error, cgroup_error;  /* 0, or the -errno of opening */
};

#define SM_PAGEFLAGS_INIT { .count_fd = -1, .flags_fd = -1, .cgroup_fd = -1 }

/* Opens the files.  0 if at least one is open; otherwise -EACCES, -EPERM or -ENOENT of kpageflags. */
int sm_pageflags_open(struct sm_pageflags *f, const struct sm_root *root) SM_MUST;
void sm_pageflags_close(struct sm_pageflags *f);

/*
 * Read the number of mappings of the page; its flags, 1 << number; the inode number of its cgroup's
 * directory (0: no cgroup; sm_cgroup_by_inode() finds the path).  The error of opening; -ENODATA: the page
 * frame does not exist; or an error of pread(2).
 */
int sm_pageflags_count(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out) SM_MUST;
int sm_pageflags_flags(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out) SM_MUST;
int sm_pageflags_cgroup(const struct sm_pageflags *f, uint64_t pfn, uint64_t *inode) SM_MUST;

/* Returns the documented name of the flag with this number, such as "LOCKED", or NULL; static.  Flags above
 * 31 are for kernel developers and change their meaning; only RESERVED and MLOCKED of these have a name
 * here. */
const char *sm_pageflags_name(unsigned int number);
/* Appends the names in the order of their numbers, separated by spaces: "UPTODATE LRU MMAP ANON".  An unknown
 * flag below 32 is shown as "bit27". */
void sm_pageflags_text(struct sm_buf *b, uint64_t flags);

/*
 * Returns the PFN of the zero page, found by reading an untouched page of the caller.  0: PFNs are hidden
 * from the caller (CAP_SYS_ADMIN), or memory is exhausted.
 */
uint64_t sm_pageflags_zero_pfn(int self_pagemap_fd);
/* Returns the PFN of the huge zero page's first page, and in *categories the SM_PAGE_... that a scan reports
 * for it: only some kernels report SM_PAGE_ZERO.  0: as above, or the kernel lacks a huge zero page. */
uint64_t sm_pageflags_huge_zero_pfn(int self_pagemap_fd, const struct sm_pagemap_scan *scan,
	uint64_t *categories);

#endif
