/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts: the number of pages in each state, of a mapping or of the whole process.
 */
#ifndef PAGEMON_COUNTS_H
#define PAGEMON_COUNTS_H

#include "pass.h"

struct counts {            /* pages */
	uint64_t present;
	uint64_t swapped;  /* in swap */
	uint64_t shared;   /* in swap, shared memory: without entries in the page table */
	uint64_t other;    /* neither present, in swap nor in a guard region (SM_PAGE_NOT_SWAP) */
	uint64_t hidden;   /* in `swapped` or `other` (SM_PAGE_HIDDEN): counts_swap() determines it */
	uint64_t file;     /* present, file-backed or shared; other present pages are anonymous */
	uint64_t zero;     /* present, the zero page */
	uint64_t huge;     /* present, mapped by a PMD, or hugetlb */
	uint64_t guard;
	uint64_t dirty;    /* soft-dirty, present or not */
	uint64_t exclusive;
};

void counts_add(struct counts *c, uint64_t pages, uint64_t categories);
/* Returns the categories of hidden pages from the number of pages in swap (-1: unknown): SM_PAGE_SWAPPED (all
 * are in swap), SM_PAGE_OTHER (0), or SM_PAGE_HIDDEN (some of each). */
uint64_t counts_kind(uint64_t hidden, int64_t swap_pages);
/*
 * Completes the counts of a finished pass with the figures of smaps for swap, because the page table does not
 * record shared memory in swap, and the pagemap can hide the types of entries.  each: NULL, or the counts of
 * the first mapping; the next counts follow after `stride` bytes each.  smaps is read only if there are
 * hidden pages, or if swap is in use and mappings may be shared memory.  Returns counts_kind() of all hidden
 * pages, which remain in `hidden` if this is SM_PAGE_HIDDEN; 0 if smaps was not necessary; or -errno
 * (-ENODATA: smaps cannot be read).
 */
int counts_swap(struct counts *total, void *each, size_t stride, struct pass *p, const struct space *s)
	SM_MUST;

#endif
