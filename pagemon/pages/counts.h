/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts: the number of pages in each state, of a mapping or of the whole process.
 */
#ifndef PAGEMON_COUNTS_H
#define PAGEMON_COUNTS_H

#include "pass.h"

struct counts {            /* pages */
	uint64_t present;
	uint64_t swapped;
	uint64_t file;     /* present, file-backed or shared; other present pages are anonymous */
	uint64_t zero;     /* present, the zero page */
	uint64_t huge;     /* present, mapped by a PMD, or hugetlb */
	uint64_t guard;
	uint64_t dirty;    /* soft-dirty, present or not */
	uint64_t exclusive;
};

void counts_add(struct counts *c, uint64_t pages, uint64_t categories);

#endif
