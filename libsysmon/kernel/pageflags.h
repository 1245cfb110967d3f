/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageflags: what the kernel knows of a page frame, by its number (PFN, of an entry of pagemap): how often it
 * is mapped (/proc/kpagecount), its flags (/proc/kpageflags), and the memory cgroup that pays for it
 * (/proc/kpagecgroup, Linux 4.3); Documentation/admin-guide/mm/pagemap.rst.
 *
 * The files are readable for root only, and are opened once, before the drop; each answer is one pread(2) of
 * 8 bytes.  They are absent without CONFIG_PROC_PAGE_MONITOR, kpagecgroup also without
 * CONFIG_MEMCG.  A PFN is as old as the entry that it comes from: the page may have moved since.
 */
#ifndef SM_PAGEFLAGS_H
#define SM_PAGEFLAGS_H

#include "base/buf.h"
#include "kernel/root.h"

/* Numbers of the flags that callers ask for (include/uapi/linux/kernel-page-flags.h). */
enum {
	SM_KPF_HUGE = 17,      /* hugetlb */
	SM_KPF_HWPOISON = 19,
	SM_KPF_KSM = 21,
	SM_KPF_THP = 22,
	SM_KPF_ZERO_PAGE = 24, /* Linux 4.0 */
};

struct sm_pageflags {
	int count_fd, flags_fd, cgroup_fd;           /* -1: see the errors */
	int count_error, flags_error, cgroup_error;  /* 0, or the -errno of opening */
};

#define SM_PAGEFLAGS_INIT { .count_fd = -1, .flags_fd = -1, .cgroup_fd = -1 }

/* 0: at least one of the files is open; else -EACCES, -EPERM or -ENOENT of kpageflags. */
int sm_pageflags_open(struct sm_pageflags *f, const struct sm_root *root) SM_MUST;
void sm_pageflags_close(struct sm_pageflags *f);

/*
 * Number of mappings of the page; its flags, 1 << number; the inode number of its cgroup's directory (0: of
 * none; sm_cgroup_by_inode() has the path).  The error of opening, -ENODATA: no such page frame,
 * or an error of pread(2).
 */
int sm_pageflags_count(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out) SM_MUST;
int sm_pageflags_flags(const struct sm_pageflags *f, uint64_t pfn, uint64_t *out) SM_MUST;
int sm_pageflags_cgroup(const struct sm_pageflags *f, uint64_t pfn, uint64_t *inode) SM_MUST;

/* The document's name of the flag with this number, "LOCKED"; NULL: it has none.  From 32 on, where the
 * kernel shows its developers flags that change their meaning, only RESERVED and MLOCKED.  Static. */
const char *sm_pageflags_name(unsigned int number);
/* Appends the names by number, with a blank between them: "UPTODATE LRU MMAP ANON"; an unknown one below 32
 * is "bit27". */
void sm_pageflags_text(struct sm_buf *b, uint64_t flags);

/*
 * The PFN of the zero page, found by reading an untouched page of the caller's own.  0: PFNs are hidden from
 * the caller (CAP_SYS_ADMIN), or there is no memory.  The huge zero page is another one: only the flag
 * ZERO_PAGE or SM_PAGE_ZERO tells it.
 */
uint64_t sm_pageflags_zero_pfn(int self_pagemap_fd);

#endif
