/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_reader: how the pages of a target are read: by PAGEMAP_SCAN, or entry by entry; and what that
 * way can tell.
 */
#ifndef PAGEMON_PASS_READER_H
#define PAGEMON_PASS_READER_H

#include "kernel/pagemap.h"

/* Of this module, beside SM_PAGE_...: mapped once (SM_PAGEMAP_EXCLUSIVE), where it was asked for. */
#define PAGE_EXCLUSIVE 1024

enum pass_method { PASS_AUTO, PASS_SCAN, PASS_READ };

/* How this machine and this target can be read; the same for all passes. */
struct pass_reader {
	int pagemap_fd;               /* of the target */
	int smaps_fd;                 /* of the target; -1: cannot be opened */
	struct sm_pagemap_scan scan;
	enum pass_method method;      /* PASS_SCAN or PASS_READ, after pass_reader_init() */
	uint64_t zero_pfn;            /* of the zero page; 0: not known (page frame numbers are hidden) */
	uint64_t huge_zero_pfn;       /* of the huge zero page's first page; 0: not known, or there is none */
	uint64_t huge_zero_categories; /* what a scan says of it */
	uint64_t known;               /* SM_PAGE_... that this way can tell */
};

/* want: PASS_AUTO takes the scan where it works.  -ENOTTY: PASS_SCAN on a kernel without it. */
int pass_reader_init(struct pass_reader *r, enum pass_method want, int self_pagemap_fd,
	int pagemap_fd, int smaps_fd) SM_MUST;

/* Pages [first, first + n) of mapping number m (in space->mappings) have these categories: SM_PAGE_... and
 * PAGE_EXCLUSIVE.  Empty pages are not handed out. */
typedef void (*pass_run_fn)(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories);
/* All runs with ordinals in [first, end) have been handed out. */
typedef void (*pass_walked_fn)(void *ctx, uint64_t first, uint64_t end);

#endif
