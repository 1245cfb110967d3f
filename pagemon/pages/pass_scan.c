// SPDX-License-Identifier: GPL-2.0-or-later
/* A pass with PAGEMAP_SCAN. */
#include <errno.h>

#include "pass_walk.h"

/*
 * Limits of a call, which holds the target's mmap lock: the entries of page tables that
 * it can walk, and the pages that it can find.  A table of 512 entries takes the kernel
 * about 1 us if it is empty, and 6 us if it is full.
 */
enum { PIECE_ENTRIES = PASS_TABLES * 512, PIECE_FOUND = PIECE_ENTRIES / 8 };
/* Largest gap that is read as well: this is cheaper than another system call. */
enum { GAP_PAGES = 64 };

static uint64_t address_of(const struct space *s, size_t m, uint64_t page)
{
	return s->mappings[m].start + page * s->page_bytes;
}

/* Returns the number of entries in a page table. */
static uint64_t table_pages(const struct space *s)
{
	return s->page_bytes / sizeof(uint64_t);
}

/* Returns an upper bound of the entries in all page tables of the mappings before m: each
 * can share its first and its last table with other mappings. */
static uint64_t weight(const struct space *s, size_t m)
{
	return s->mappings[m].first + 2 * m * table_pages(s);
}

/* Returns the last mapping below `high` of a piece that ends at this weight. */
static size_t last_of_piece(
	const struct space *s, size_t m, size_t high, uint64_t end_weight)
{
	while (high - m > 1) {
		size_t middle = m + (high - m) / 2;

		if (weight(s, middle) < end_weight)
			m = middle;
		else
			high = middle;
	}
	return m;
}

/* Returns the end of the piece that begins at the pass's position. */
static uint64_t piece_end(const struct pass *p)
{
	const struct space *s = p->space;
	uint64_t end_weight =
		weight(s, p->m) + p->page + PIECE_ENTRIES - 2 * table_pages(s);
	size_t m = last_of_piece(s, p->m, p->m_end, end_weight);
	uint64_t page = end_weight - weight(s, m);
	uint64_t low, high;

	pass_pages_of(p, m, &low, &high);
	return address_of(s, m, page < high ? page : high);
}

/* Returns the number of pages to read at the address in one call: the pages of run number
 * i and, as long as the gaps are small, of the next runs, in any mapping. */
static size_t worth_reading(const struct pass *p, uint64_t address, size_t i)
{
	uint64_t page_bytes = p->space->page_bytes, end = p->runs[i].end;

	while (++i < p->nruns && p->runs[i].start - end <= GAP_PAGES * page_bytes &&
		p->runs[i].end - address <= PASS_ENTRIES * page_bytes)
		end = p->runs[i].end;
	end = (end - address) / page_bytes;
	return end < PASS_ENTRIES ? (size_t)end : PASS_ENTRIES;
}

/* Ensures that p->entries contains the entry of the address.  Returns its index. */
static ssize_t read_at(struct pass *p, uint64_t address, size_t i)
{
	uint64_t index = (address - p->entries_at) / p->space->page_bytes;
	ssize_t n;

	if (address >= p->entries_at && index < p->entries_n)
		return (ssize_t)index;
	n = sm_pagemap_read(
		p->reader->pagemap_fd, address, p->entries, worth_reading(p, address, i));
	p->entries_at = address;
	p->entries_n = n < 0 ? 0 : (size_t)n;
	if (n == 0)
		return -EFAULT; /* the scan reached this address */
	return n < 0 ? n : 0;
}

/* Returns the categories of a page of a run, including categories that only its entry
 * shows. */
static uint64_t refine(uint64_t categories, uint64_t entry)
{
	if (categories & SM_PAGE_SWAPPED)
		return (categories & ~(uint64_t)SM_PAGE_SWAPPED) |
		       (sm_pagemap_categories(entry) & PASS_ANY);
	return entry & SM_PAGEMAP_EXCLUSIVE ? categories | PAGE_EXCLUSIVE : categories;
}

/* Puts pages [page, page + n) of mapping m, a part of run number i, after reading their
 * entries. */
static int put_entries(struct pass *p, size_t m, uint64_t page, uint64_t n, size_t i,
	uint64_t categories)
{
	while (n) {
		ssize_t from = read_at(p, address_of(p->space, m, page), i);
		const uint64_t *entry;
		uint64_t some = 1, got, all;

		if (from < 0)
			return (int)from;
		entry = p->entries + from;
		got = p->entries_n - (size_t)from;
		if (got > n)
			got = n;
		all = refine(categories, entry[0]);
		while (some < got && refine(categories, entry[some]) == all)
			some++;
		if (all & PASS_ANY) /* not if the page has just been given back */
			pass_put(p, m, page, some, all);
		page += some;
		n -= some;
	}
	return 0;
}

/* Removes soft-dirty bits of hugetlb pages, which clear_refs does not clear: only the
 * scan has them, not the entries. */
static int leave_out_hugetlb(struct pass *p, uint64_t address, uint64_t *categories)
{
	const uint64_t both = SM_PAGE_HUGE | SM_PAGE_SOFT_DIRTY;
	uint64_t entry = 0;
	ssize_t n;

	if ((*categories & both) != both)
		return 0;
	n = sm_pagemap_read(p->reader->pagemap_fd, address, &entry, 1);
	if (!(entry & SM_PAGEMAP_SOFT_DIRTY))
		*categories &= ~(uint64_t)SM_PAGE_SOFT_DIRTY;
	return n < 0 ? (int)n : 0;
}

/* Puts run number i, which may span mappings and be in a mapping newer than the list. */
static int put_run(struct pass *p, size_t i)
{
	const struct sm_page_run *r = &p->runs[i];
	const struct space *s = p->space;
	int err = 0;

	while (p->m < s->n && s->mappings[p->m].end <= r->start)
		p->m++;
	for (size_t m = p->m; err == 0 && m < s->n && s->mappings[m].start < r->end;
		m++) {
		const struct mapping *v = &s->mappings[m];
		uint64_t start = r->start > v->start ? r->start : v->start;
		uint64_t end = r->end < v->end ? r->end : v->end;
		uint64_t page = (start - v->start) / s->page_bytes;
		uint64_t n = (end - start) / s->page_bytes;
		uint64_t categories = r->categories;

		err = leave_out_hugetlb(p, start, &categories);
		if (err == 0 && (p->exclusive || categories & SM_PAGE_SWAPPED) &&
			categories & (SM_PAGE_PRESENT | SM_PAGE_SWAPPED))
			err = put_entries(p, m, page, n, i, categories);
		else if (err == 0)
			pass_put(p, m, page, n, categories);
	}
	return err;
}

/* Moves to the address or, if it is not mapped, to the next mapping.  Returns the
 * ordinal. */
static uint64_t move_to(struct pass *p, uint64_t address)
{
	const struct space *s = p->space;
	const struct mapping *v;

	p->at = address;
	while (p->m < s->n && s->mappings[p->m].end <= address)
		p->m++;
	p->page = 0;
	if (p->m == s->n)
		return s->pages;
	v = &s->mappings[p->m];
	if (address > v->start)
		p->page = (address - v->start) / s->page_bytes;
	return v->first + p->page;
}

static int put_runs(struct pass *p)
{
	int err = 0;

	p->entries_n = 0;
	for (size_t i = 0; i < p->nruns && err == 0; i++)
		err = put_run(p, i);
	return err;
}

int pass_scan_step(struct pass *p)
{
	const struct pass_reader *r = p->reader;
	uint64_t from = p->first, next;
	ssize_t n;
	int err;

	if (p->m < p->space->n)
		from = p->space->mappings[p->m].first + p->page;
	if (p->m >= p->m_end || from >= p->end) {
		if (from < p->end)
			pass_put_walked(p, from, p->end);
		return 0;
	}
	n = sm_pagemap_scan(r->pagemap_fd, &r->scan, address_of(p->space, p->m, p->page),
		piece_end(p), PASS_ANY & r->scan.categories, PIECE_FOUND, p->runs, &next);
	if (n < 0)
		return (int)n;
	p->nruns = (size_t)n;
	err = put_runs(p);
	if (err < 0)
		return err;
	next = move_to(p, next);
	pass_put_walked(p, from, next < p->end ? next : p->end);
	return 1;
}
