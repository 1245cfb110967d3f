/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_walk: what the two ways of a pass share: the position, and runs on their way out.
 */
#ifndef PAGEMON_PASS_WALK_H
#define PAGEMON_PASS_WALK_H

#include "base/buf.h"
#include "pass_reader.h"
#include "space.h"

enum { PASS_ENTRIES = 8192 }; /* 64 KiB, a multiple of the pages of a block mapped by a PMD */

/* What smaps says of a mapping. */
struct pass_hint {
	uint64_t huge_pages;       /* mapped by a PMD */
	bool known;                /* smaps has this mapping */
	bool resident;             /* it has pages that smaps counts, or may have */
	bool hugetlb;
	bool counted;              /* `huge` is decided: blocks were counted, or need not be */
	bool huge;                 /* the blocks are mapped by PMDs; else none is */
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
	uint64_t pages;            /* in all, and of them: */
	uint64_t walked;
	uint64_t uncertain;        /* categories that could not be told everywhere */

	/* A run that may go on; n 0: none. */
	size_t run_m;
	uint64_t run_first, run_n, run_categories;

	/* Position: a page of a mapping. */
	size_t m;
	uint64_t page;
	size_t m_end;              /* the mapping behind the last one of the pass */
	uint64_t at;               /* its address, of the scan */

	/* The scan. */
	uint64_t piece_bytes;
	struct sm_page_run runs[SM_PAGEMAP_RUNS];
	size_t nruns;
	uint64_t entries_at;       /* address of the first of so many in `entries` */
	size_t entries_n;

	/* What smaps says, of a scan only which mappings are of hugetlb. */
	bool hinted;               /* hints are those of the space */
	uint64_t hint_generation;
	struct pass_hint *hints;   /* of each mapping */
	size_t hint_cap;
	size_t hint_at;            /* while smaps is read */
	struct sm_buf line;

	/* Reading. */
	size_t m_begin;            /* first mapping of the pass */
	bool last_round;           /* of the mappings that are not resident */
	uint64_t count_page;       /* while blocks of the mapping are counted */
	uint64_t count_pages;      /* in blocks so far */
	uint64_t entries[PASS_ENTRIES];
};

/* Hands out the run that might have gone on. */
void pass_flush(struct pass *p);
/* Pages of mapping m, clipped to the range of the pass, with these categories; 0: none. */
void pass_put(struct pass *p, size_t m, uint64_t page, uint64_t n, uint64_t categories);
/* Ordinals [first, end) have been walked. */
void pass_put_walked(struct pass *p, uint64_t first, uint64_t end);
/* Pages of mapping m that are in the range of the pass: [*low, *high). */
void pass_pages_of(const struct pass *p, size_t m, uint64_t *low, uint64_t *high);

/* Reads smaps into p->hints. */
int pass_take_hints(struct pass *p) SM_MUST;
/* One system call's worth.  1: there is more, 0: done, or -errno. */
int pass_scan_step(struct pass *p) SM_MUST;
int pass_read_step(struct pass *p) SM_MUST;

#define PASS_SCAN_PIECE_BYTES (UINT64_C(256) << 20)

/* A page of which something is worth telling. */
#define PASS_ANY (SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_GUARD)

#endif
