/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_reader: the method with which the pages of a target are read (PAGEMAP_SCAN, or entry by entry), and
 * the categories that it can determine.
 */
#ifndef PAGEMON_PASS_READER_H
#define PAGEMON_PASS_READER_H

#include "proc/pagemap.h"

/* Category in addition to SM_PAGE_...: mapped once (SM_PAGEMAP_EXCLUSIVE), if it was requested. */
#define PAGE_EXCLUSIVE 1024

enum pass_method { PASS_AUTO, PASS_SCAN, PASS_READ };

/* How this target can be read on this machine; used by all passes. */
struct pass_reader {
	int pagemap_fd;               /* pagemap of the target */
	int smaps_fd;                 /* smaps of the target; -1: cannot be opened */
	int maps_fd;                  /* maps of the target; -1: not open */
	int status_fd;                /* status of the target; -1: not open */
	struct sm_pagemap_scan scan;
	enum pass_method method;      /* PASS_SCAN or PASS_READ, after pass_reader_init() */
	uint64_t zero_pfn;            /* PFN of the zero page; 0: unknown (page frame numbers are hidden) */
	uint64_t huge_zero_pfn;       /* PFN of the huge zero page's first page; 0: unknown or absent */
	uint64_t huge_zero_categories; /* categories that a scan reports for the huge zero page */
	uint64_t hidden;              /* categories to show for SM_PAGE_HIDDEN: a subset of it */
	uint64_t known;               /* SM_PAGE_... that this method can determine */
};

/* want: PASS_AUTO uses the scan if it works.  -ENOTTY: PASS_SCAN on a kernel without it. */
int pass_reader_init(struct pass_reader *r, enum pass_method want, int self_pagemap_fd,
	int pagemap_fd, int smaps_fd) SM_MUST;

/* Receives a run: pages [first, first + n) of mapping number m (in space->mappings) have these categories:
 * SM_PAGE_... and PAGE_EXCLUSIVE.  Unpopulated pages are not handed out. */
typedef void (*pass_run_fn)(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories);
/* Called when all runs with ordinals in [first, end) have been handed out. */
typedef void (*pass_walked_fn)(void *ctx, uint64_t first, uint64_t end);

#endif
