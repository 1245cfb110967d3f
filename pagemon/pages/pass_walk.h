/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_walk: the state shared by the two methods of a pass: its position, and pending runs.
 */
#ifndef PAGEMON_PASS_WALK_H
#define PAGEMON_PASS_WALK_H

#include "base/buf.h"
#include "pass_reader.h"
#include "space.h"

enum { PASS_TABLES = 512 };   /* page tables that the kernel may walk while it holds the lock */
enum { PASS_ENTRIES = 8192 }; /* 64 KiB, a multiple of the pages of a block mapped by a PMD */

/* Facts about a mapping from smaps. */
struct pass_hint {
	uint64_t huge_pages;       /* pages mapped by a PMD */
	int64_t swap_pages;        /* pages in swap, including shared memory; -1: unknown */
	bool known;                /* smaps has this mapping */
	bool resident;             /* it has, or may have, pages that smaps counts */
	bool hugetlb;
	bool counted;              /* `huge` is final: blocks were counted, or need not be */
	bool huge;                 /* all candidate blocks are mapped by PMDs */
};

struct pass {
	const struct pass_reader *reader;
	const struct space *space;
	uint64_t first, end;       /* ordinals */
	bool exclusive;
	pass_run_fn fn;
	pass_walked_fn walked_fn;
	void *ctx;
	int state;                 /* 1: there is more, 0: done, or -errno */
	uint64_t pages;            /* total number of pages */
	uint64_t walked;           /* pages walked so far */
	uint64_t uncertain;        /* categories that could not be determined everywhere */

	/* A run that may continue; n 0: empty. */
	size_t run_m;
	uint64_t run_first, run_n, run_categories;

	/* Position: a page of a mapping. */
	size_t m;
	uint64_t page;
	size_t m_end;              /* the mapping after the last one of the pass */
	uint64_t at;               /* address of the position (scan) */

	/* The scan. */
	struct sm_page_run runs[SM_PAGEMAP_RUNS];
	size_t nruns;
	uint64_t entries_at;       /* address of the first of entries_n valid `entries` */
	size_t entries_n;

	/* Reading. */
	bool hinted;               /* the hints describe the space */
	bool skipped;              /* but smaps was not read for them */
	struct pass_hint *hints;   /* facts from smaps about each mapping */
	size_t hint_cap;
	size_t hint_at;            /* next mapping while smaps is read */
	struct sm_buf line;
	size_t m_begin;            /* first mapping of the pass */
	bool last_round;           /* the round over mappings that are not resident */
	uint64_t count_page;       /* next page while blocks of the mapping are counted */
	uint64_t count_pages;      /* pages in blocks counted so far */
	uint64_t entries[PASS_ENTRIES];
};

/* Hands out the pending run. */
void pass_flush(struct pass *p);
/* Adds a run of pages of mapping m with these categories; joins it to the pending run if possible. */
void pass_put(struct pass *p, size_t m, uint64_t page, uint64_t n, uint64_t categories);
/* Records that ordinals [first, end) have been walked. */
void pass_put_walked(struct pass *p, uint64_t first, uint64_t end);
/* Sets [*low, *high) to the pages of mapping m that are in the range of the pass. */
void pass_pages_of(const struct pass *p, size_t m, uint64_t *low, uint64_t *high);

/* Does one system call's work.  Returns 1 if there is more, 0 if the pass is done, or -errno. */
int pass_scan_step(struct pass *p) SM_MUST;
int pass_read_step(struct pass *p) SM_MUST;
/* Reads smaps into p->hints.  if_slow: even if it holds the target's mmap lock for long. */
int pass_take_hints(struct pass *p, bool if_slow) SM_MUST;

/* A page with any of these categories is handed out. */
#define PASS_ANY (SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_GUARD | SM_PAGE_NOT_SWAP)

#endif
